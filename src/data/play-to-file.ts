/** Played rows into a file, with AgentGym's summary beside sampled trajectories. */
import { formatNamed, type FormatName } from './formats.ts';
import { convertRow } from './convert.ts';
import { Output, refuseExisting } from './output.ts';
import { endingWithReply, playRows, type PlayOptions } from './play.ts';
import { RowWriter } from './write.ts';

export interface PlayToFileOptions extends PlayOptions {
  readonly out: string;
  readonly to?: FormatName | undefined;
  readonly force?: boolean | undefined;
  /** Episodes there will be, for progress. */
  readonly planned: number;
  readonly onShare?: (share: number) => void;
}

export interface PlayReport {
  readonly episodes: number;
  readonly solved: number;
  /** Episodes that a broken environment or policy ended; none of them is in the output. */
  readonly failed: number;
  readonly written: number;
  readonly output: string;
  readonly format: FormatName;
  readonly summary?: string;
}

export async function playToFile(options: PlayToFileOptions): Promise<PlayReport> {
  const { out, environment, policy } = options;
  const isExpert = policy.id === 'expert';
  const to = formatNamed(
    options.to ?? (/\.parquet$/i.test(out) ? 'verl-sft' : /\.json$/i.test(out) ? 'agenttraj' : isExpert ? 'chat' : 'sampling'),
  );
  const summary = to.name === 'sampling' ? `${out.replace(/\.(jsonl|ndjson)(\.gz)?$/i, '')}_summary.json` : undefined;
  if (summary !== undefined) await refuseExisting(summary, options);
  const started = performance.now();
  let episodes = 0;
  let solved = 0;
  let failed = 0;
  let total = 0;
  await using writer = await RowWriter.open(out, to, options);
  const rows = playRows({
    ...options,
    onEpisode: ({ outcome }) => {
      episodes++;
      if (outcome.kind === 'failed') failed++;
      else total += outcome.reward;
      if (outcome.kind === 'finished' && outcome.success) solved++;
      options.onShare?.(episodes / options.planned);
    },
  });
  for await (const { row } of rows) {
    const kept = to.name === 'agenttraj' || to.name === 'verl-sft' ? endingWithReply(row) : row;
    const { extra, ...plain } = kept;
    const pending = writer.add(convertRow(to.name === 'chat' ? { ...plain, ...(extra ? { extra } : {}) } : plain, 'chat', to));
    if (pending) await pending;
  }
  await writer.finish();
  const seconds = (performance.now() - started) / 1000;
  if (summary !== undefined) {
    await using output = await Output.open(summary, options);
    const completed = episodes - failed;
    const content = {
      task_name: environment.name,
      model: policy.id,
      total_samples: episodes,
      completed_samples: completed,
      average_score: completed === 0 ? null : total / completed,
      success_rate: completed === 0 ? null : solved / completed,
      total_time_seconds: seconds,
      avg_time_per_sample: episodes === 0 ? null : seconds / episodes,
      trajectory_file: out,
      config: {
        split: options.split,
        samples: options.samples,
        keep: options.keep,
        format: options.format.name,
        seed: options.seed,
      },
    };
    await output.write(Buffer.from(`${JSON.stringify(content, null, 2)}\n`));
    await output.finish();
  }
  return {
    episodes,
    solved,
    failed,
    written: writer.rows,
    output: out,
    format: to.name,
    ...(summary === undefined ? {} : { summary }),
  };
}
