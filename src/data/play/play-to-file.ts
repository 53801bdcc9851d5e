/**
 * Played rows into a file, with AgentGym's summary beside sampled trajectories. What was played before an interruption is not
 * played again; episodes that failed are counted by reason, and the journal stays until a later start has played them too.
 */
import { stat } from 'node:fs/promises';
import type { PolicyUsage } from '../../policy/policy.ts';
import { convertRow } from '../convert.ts';
import type { FormatName } from '../formats/format.ts';
import { formatNamed } from '../formats/formats.ts';
import { refuseExisting } from '../output.ts';
import { keptOf, type KeepOptions } from './kept.ts';
import { playMissing, type PlayOptions } from './play.ts';
import { PlayJournal } from './play-journal.ts';
import { written } from './played-row.ts';
import { writeSummary } from './summary.ts';
import { RowWriter } from '../write.ts';

export interface PlayToFileOptions extends PlayOptions, KeepOptions {
  readonly out: string;
  readonly to?: FormatName | undefined;
  readonly force?: boolean | undefined;
  /** What the policy's answers depend on beyond its name (a hash of the weights). */
  readonly identity?: unknown;
  readonly onShare?: (share: number, usage: PolicyUsage | undefined) => void;
  /** How many episodes an earlier start left. */
  readonly onResume?: (episodes: number) => void;
}

export interface PlayReport {
  /** Episodes of this request that have a result, those of earlier starts included. */
  readonly episodes: number;
  readonly solved: number;
  /** Episodes that a broken environment or policy ended, by reason; none of them is in the output. */
  readonly failed: number;
  readonly reasons: Readonly<Record<string, number>>;
  /** Episodes that were not begun, because the budget is spent or the endpoint refuses. */
  readonly missing: number;
  readonly written: number;
  readonly output: string;
  readonly format: FormatName;
  readonly summary?: string;
  /** Where the played episodes are kept, while some are still to be played. */
  readonly partial?: string;
  readonly usage?: PolicyUsage;
}

export async function playToFile(options: PlayToFileOptions): Promise<PlayReport> {
  const { out, policy, samples = 1, tasks } = options;
  const isExpert = policy.id === 'expert';
  const request = requestOf(options);
  const to = formatNamed(
    options.to ?? (/\.parquet$/i.test(out) ? 'verl-sft' : /\.json$/i.test(out) ? 'agenttraj' : isExpert ? 'chat' : 'sampling'),
  );
  const summary = to.name === 'sampling' ? `${out.replace(/\.(jsonl|ndjson)(\.gz)?$/i, '')}_summary.json` : undefined;
  // An output with a journal beside it is the unfinished one of an earlier start.
  const goesOn = (await stat(PlayJournal.pathFor(out)).catch(() => undefined)) !== undefined;
  const force = options.force === true || goesOn;
  await refuseExisting(out, { force });
  if (summary !== undefined) await refuseExisting(summary, { force });
  const started = performance.now();
  await using journal = await PlayJournal.open(out, request, options.force === true);
  if (journal.size > 0) options.onResume?.(journal.size);
  const planned = tasks.length * samples;
  let played = journal.counts(tasks, samples).episodes;
  const failures = await playMissing(
    {
      ...options,
      onEpisode: (trajectory) => {
        options.onEpisode?.(trajectory);
        options.onShare?.(++played / planned, policy.usage?.());
      },
    },
    journal,
  );
  const { episodes, solved, total } = journal.counts(tasks, samples);
  await using writer = await RowWriter.open(out, to, { force });
  for (const { task, sample } of keptOf(options, journal)) {
    const row = await journal.row(task, sample);
    if (!row) continue;
    const fitting = written(row, to.name);
    await writer.add(convertRow(fitting, 'chat', to));
  }
  await writer.finish();
  const usage = policy.usage?.();
  const reasons: Record<string, number> = {};
  for (const { outcome } of failures) {
    const reason = outcome.kind === 'failed' ? `${outcome.error.message} [${outcome.error.code}]` : '';
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  if (summary !== undefined) {
    const seconds = (performance.now() - started) / 1000;
    const counts = { episodes, solved, total, failed: failures.length };
    await writeSummary(summary, { ...options, force }, counts, seconds);
  }
  const missing = planned - episodes - failures.length;
  const complete = failures.length === 0 && missing === 0;
  if (complete) await journal.remove();
  return {
    episodes,
    solved,
    failed: failures.length,
    reasons,
    missing,
    written: writer.rows,
    output: out,
    format: to.name,
    ...(summary === undefined ? {} : { summary }),
    ...(complete ? {} : { partial: journal.path }),
    ...(usage ? { usage } : {}),
  };
}

/** Everything that an episode depends on; how many are played and which are kept may change from start to start. */
function requestOf({
  environment,
  policy,
  format,
  split,
  turns,
  tokensPerTurn,
  sampling,
  seed,
  identity,
  reward,
}: PlayToFileOptions): unknown {
  const { name, version } = environment;
  const prompt = [format.name, format.fingerprint ?? null];
  return [
    name,
    version,
    split,
    policy.id,
    identity ?? null,
    prompt,
    turns ?? null,
    tokensPerTurn ?? null,
    sampling ?? null,
    seed ?? 1,
    ...(reward ? [reward.identity] : []),
  ];
}
