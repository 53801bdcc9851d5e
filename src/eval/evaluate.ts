/**
 * Several policies on several panels. Episodes that a folder already has are kept, those that are missing or failed are
 * played; so an interrupted evaluation goes on where it was, and one that lost episodes can be completed.
 */
import { sourceOf } from '../envs/load-file.ts';
import { AgogeError } from '../core/error.ts';
import type { PromptFormat } from '../agent/format.ts';
import { infoOf } from '../agent/items.ts';
import type { EpisodeLimits, Sampling } from '../agent/limits.ts';
import { EpisodePool } from '../agent/pool.ts';
import type { Environment } from '../envs/environment.ts';
import type { Policy } from '../policy/policy.ts';
import { rewardAsTheyCome } from '../rewards/by-task.ts';
import type { OpenReward } from '../rewards/open.ts';
import { episodeRecord, type EpisodeRecord } from '../run/episode-record.ts';
import { evaluationLayout, type FormatGap } from '../run/layout.ts';
import { LivePolicy } from '../run/live-policy.ts';
import { compareScores, type Comparison } from './compare.ts';
import { playPlanned, type Repeats } from './episodes.ts';
import { episodesOf, identityOf, keyOf, missingOf, type KnownEpisodes, type Missing, type Player } from './known-episodes.ts';
import { createPanel, type Panel } from './panel.ts';
import { agentGymFiles } from './agentgym-files.ts';
import { scoreEpisodes, type Score } from './score.ts';
import { evaluationRows, summaryCsv, summaryMarkdown, summaryText } from './summary.ts';
import { EvaluationStore, type EvaluationEpisode, type EvaluationStatus, type ListedScore } from './store.ts';

export interface PanelRequest {
  readonly environment: Environment;
  readonly split: string;
  readonly tasks: readonly number[];
  readonly limits: EpisodeLimits;
  /** Where tasks have words of their own: the format of each, and one that stands for all of them in the panel's name. */
  readonly prompts?: { readonly format: PromptFormat; readonly formatOf: (index: number) => PromptFormat } | undefined;
}

/** Episodes of another identity are not this policy's. */
export interface EvaluatedPolicy extends Player {
  readonly open: () => Promise<Policy>;
}

/** Which policies play which tasks, how often, and where the results are kept. */
export interface EvaluationRequest {
  readonly panels: readonly PanelRequest[];
  /** Named, and opened when their turn comes, so that one model is in memory at a time. */
  readonly policies: readonly EvaluatedPolicy[];
  readonly format: PromptFormat;
  /** Policies that were taught another format. */
  readonly gaps?: readonly FormatGap[] | undefined;
  readonly sampling: Sampling;
  readonly repeats: Repeats;
  /** Undefined: what the environment pays. */
  readonly reward?: OpenReward | undefined;
  /** Compare every other policy with this one. */
  readonly baseline?: string | undefined;
  readonly folder: string;
  /** Begin anew: what an evaluation has left in the folder goes, and nothing else. */
  readonly fresh?: boolean | undefined;
  /** The time stamp in AgentGym's file names, YYYYMMDD_HHMMSS. */
  readonly stamp: string;
  readonly concurrency?: number | undefined;
  readonly retries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Told while an evaluation goes on. */
export interface EvaluationEvents {
  /** Before the episodes of a policy on a panel: how many in all, and those that are there already. */
  onPanel?(panel: Panel, policy: string, total: number, ready: readonly EpisodeRecord[]): void;
  onEpisode?(record: EpisodeRecord): void;
  /** A reply was played. */
  onTurn?(): void;
  /** Something to tell the user: what a template rewrites, what was left out. */
  onNotice?(text: string): void;
}

/** What eval.json holds. */
export interface Evaluation {
  readonly v: 1;
  readonly created: string;
  readonly agoge: string;
  readonly sampling: Sampling;
  readonly repeats: Repeats;
  readonly panels: readonly Panel[];
  readonly scores: readonly Score[];
  readonly baseline?: string | undefined;
  readonly comparisons: readonly Comparison[];
}

/** Runs what is missing and returns everything. Throws CLI_INTERRUPTED (or the signal's reason) when cancelled. */
export async function evaluate(request: EvaluationRequest, events: EvaluationEvents = {}, agoge = ''): Promise<Evaluation> {
  // Before anything in the folder is touched: what cannot be asked costs nothing.
  const panels = request.panels.map(({ environment, split, tasks, limits, prompts }) =>
    createPanel(environment, split, tasks, prompts?.format ?? request.format, limits, request.reward?.identity),
  );
  const { store, episodes, problems } = await EvaluationStore.open(request.folder, request.stamp, { fresh: request.fresh });
  const title = titleOf(request);
  try {
    for (const problem of problems) events.onNotice?.(problem);
    const formats = request.gaps ?? [];
    await store.note('running', title, { formats });
    let why: Why | undefined;
    const onEpisode = (record: EpisodeRecord): void => {
      if (record.outcome.kind === 'failed') why ??= whyOf(record.outcome.error);
      events.onEpisode?.(record);
    };
    const evaluation = await evaluateInto(store, panels, episodes, request, { ...events, onEpisode }, agoge);
    // Of episodes that have no result, why the first has none.
    const empty = evaluation.scores.every(({ scored }) => scored === 0);
    await store.note(empty ? 'failed' : 'finished', title, {
      scores: evaluation.scores.map(listed),
      formats,
      ...why,
    });
    return evaluation;
  } catch (thrown) {
    const why = whyOf(AgogeError.from(thrown, 'EVAL_FAILED', 'the evaluation failed'));
    // What went wrong is worth more than a note about it that cannot be written.
    await store.note(request.signal?.aborted === true ? 'interrupted' : 'failed', title, why).catch(() => undefined);
    throw thrown;
  } finally {
    await store.close().catch(() => undefined);
  }
}

type Why = Required<Pick<EvaluationStatus, 'reason' | 'cause'>>;

function whyOf({ code, message }: { readonly code: string; readonly message: string }): Why {
  return { reason: message, cause: { kind: 'error', code } };
}

async function evaluateInto(
  store: EvaluationStore,
  panels: readonly Panel[],
  episodes: readonly EvaluationEpisode[],
  request: EvaluationRequest,
  events: EvaluationEvents,
  agoge: string,
): Promise<Evaluation> {
  const all = new Map(episodes.map((episode) => [keyOf(episode.panel, episode.identity, episode.record), episode]));
  const scores: Score[] = [];
  for (const [at, { hash, env }] of panels.entries())
    for (const notice of changedRules(env, hash, request.panels[at]?.environment, episodes)) events.onNotice?.(notice);
  try {
    for (const evaluated of request.policies) {
      const { id, open } = evaluated;
      const identity = identityOf(evaluated, request.sampling);
      const work = panels.map((panel, at) => ({
        panel,
        request: request.panels[at] as PanelRequest,
        ...missingOf(panel, identity, request.repeats, all),
      }));
      // A policy with nothing left to do is not even opened.
      const policy = work.some(({ planned }) => planned.length > 0) ? new LivePolicy(await open(), request.folder) : undefined;
      try {
        for (const notice of policy?.renderer?.rewrites ?? []) events.onNotice?.(`${id}: ${notice.notice}`);
        for (const part of work) {
          events.onPanel?.(part.panel, id, part.total, part.ready);
          const started = performance.now();
          if (policy && part.planned.length > 0)
            await playMissing(part, policy, { id, identity }, request, { store, all }, events);
          const seconds = (performance.now() - started) / 1000;
          const leftOut = policy?.usage?.().leftOut;
          if (leftOut) events.onNotice?.(`${id}: the endpoint does not take ${leftOut.join(', ')}; left out`);
          const score = scoreOf(part.panel, evaluated, policy, request, all, seconds);
          scores.push(score);
          await store.log(
            `${part.panel.env}/${part.panel.split} ${id}: success ${score.success.mean.toFixed(4)} of ${score.scored} episodes`,
          );
        }
      } finally {
        await policy?.endLive();
        await policy?.[Symbol.asyncDispose]();
      }
    }
  } finally {
    await store.flush();
  }
  const comparisons = compareWithBaseline(scores, panels, request.baseline);
  const { sampling, repeats, baseline } = request;
  const evaluation: Evaluation = {
    v: 1,
    created: new Date().toISOString(),
    agoge,
    sampling,
    repeats,
    panels,
    scores,
    baseline,
    comparisons,
  };
  await writeResults(store, evaluation, request, all);
  return evaluation;
}

/** Episodes that are there already were played by the rules of their time; a version that was not raised does not tell. */
function changedRules(
  name: string,
  panel: string,
  environment: Environment | undefined,
  episodes: readonly EvaluationEpisode[],
): string[] {
  const now = environment && sourceOf(environment);
  const older = episodes.filter((one) => one.panel === panel && one.source !== undefined && one.source !== now).length;
  if (now === undefined || older === 0) return [];
  return [
    `the file of ${name} has changed since ${older} of its episodes here were played: where a rule or an observation changed, raise its version, or begin anew with --fresh`,
  ];
}

interface Part extends Missing {
  readonly panel: Panel;
  readonly request: PanelRequest;
}

async function playMissing(
  { planned, panel, request: { environment, limits, prompts } }: Part,
  policy: Policy,
  { id, identity }: { readonly id: string; readonly identity: string },
  request: EvaluationRequest,
  { store, all }: { readonly store: EvaluationStore; readonly all: Map<string, EvaluationEpisode> },
  events: EvaluationEvents,
): Promise<void> {
  const concurrency = Math.min(request.concurrency ?? 256, policy.concurrency ?? Infinity);
  const pool = new EpisodePool({
    concurrency,
    ...(request.retries === undefined ? {} : { retries: request.retries }),
    ...(request.signal ? { signal: request.signal } : {}),
  });
  const { sampling } = request;
  const formatOf = prompts?.formatOf ?? ((): PromptFormat => request.format);
  /** Each kind of failure is said once on the screen; the log has them all. */
  const told = new Set<string>();
  const onTurn = (): void => events.onTurn?.();
  const played = playPlanned(planned, { environment, policy, formatOf, limits, sampling, pool, onTurn });
  for await (const { trajectory, failures } of rewardAsTheyCome(request.reward, environment, played, request.signal)) {
    const { outcome } = trajectory;
    if (outcome.kind === 'failed' && outcome.by === 'cancelled') continue;
    const record = { ...episodeRecord(trajectory, { itemId: infoOf(environment, trajectory.task)?.itemId }), policy: id };
    const retried = failures.map(({ by, error }) => `${by} ${error.code}`);
    const episode = { record, panel: panel.hash, identity, retried, source: sourceOf(environment) };
    all.set(keyOf(panel.hash, identity, record), episode);
    store.add(episode);
    if (outcome.kind === 'failed' && !told.has(outcome.error.code)) {
      told.add(outcome.error.code);
      events.onNotice?.(`${record.task} ${id}: ${outcome.error.message} [${outcome.error.code}]`);
    }
    if (outcome.kind === 'failed')
      await store.log(`${record.task} sample ${record.sample} ${id}: ${outcome.by} ${outcome.error.message}`);
    events.onEpisode?.(record);
  }
  if (request.signal?.aborted === true) {
    throw AgogeError.from(request.signal.reason, 'EVAL_CANCELLED', 'the evaluation was cancelled; run it again to go on');
  }
}

function scoreOf(
  panel: Panel,
  evaluated: EvaluatedPolicy,
  policy: Policy | undefined,
  { repeats, sampling }: EvaluationRequest,
  all: KnownEpisodes,
  seconds: number,
): Score {
  const episodes = episodesOf(panel, identityOf(evaluated, sampling), repeats, all);
  const retried: Record<string, number> = {};
  for (const what of episodes.flatMap((episode) => episode.retried)) retried[what] = (retried[what] ?? 0) + 1;
  const { leftOut: _, ...usage } = policy?.usage?.() ?? {};
  return scoreEpisodes(
    episodes.map(({ record }) => record),
    {
      panel,
      policy: evaluated.id,
      identity: evaluated.identity,
      repeats,
      retried,
      seconds,
      ...('requests' in usage ? { usage } : {}),
    },
  );
}

function compareWithBaseline(scores: readonly Score[], panels: readonly Panel[], baseline: string | undefined): Comparison[] {
  if (baseline === undefined) return [];
  return panels.flatMap((panel) => {
    const first = scores.find((score) => score.policy === baseline && score.panel === panel.hash);
    if (!first)
      throw new AgogeError('EVAL_BASELINE', `the baseline ${baseline} is not among the policies: name it with --policy too`);
    return scores
      .filter((score) => score.panel === panel.hash && score.policy !== baseline && score.scored > 0 && first.scored > 0)
      .map((score) => compareScores(first, panel, score, panel));
  });
}

async function writeResults(
  store: EvaluationStore,
  evaluation: Evaluation,
  request: EvaluationRequest,
  all: KnownEpisodes,
): Promise<void> {
  await store.pack([...all.values()]);
  for (const score of evaluation.scores) {
    const panel = evaluation.panels.find(({ hash }) => hash === score.panel);
    const policy = request.policies.find(({ id }) => id === score.policy);
    if (!panel || !policy) continue;
    const episodes = episodesOf(panel, identityOf(policy, request.sampling), request.repeats, all);
    const files = agentGymFiles(
      episodes.map(({ record }) => record),
      score,
      panel.limits.turns,
    );
    const place = `${score.env}/${fileName(score.policy)}`;
    await store.write(`${place}/eval_results_${store.stamp}.jsonl`, files.results);
    await store.write(`${place}/eval_summary_${store.stamp}.txt`, files.summary);
    await store.write(`${place}/eval_task_stats_${store.stamp}.json`, files.taskStats);
  }
  const rows = evaluationRows(evaluation);
  await store.write('summary.txt', summaryText(rows));
  await store.write('summary.csv', summaryCsv(rows));
  await store.write('summary.md', summaryMarkdown(rows));
  await store.write(evaluationLayout.results, `${JSON.stringify(evaluation, null, 1)}\n`);
}

/** What is evaluated, in a few words. */
function titleOf({ panels, policies }: EvaluationRequest): string {
  const places = panels.map(({ environment, split }) => `${environment.name}/${split}`);
  return ['evaluation', places.join(', '), policies.map(({ id }) => id).join(', ')].join(' · ');
}

/** A policy's name as a folder. */
function fileName(policy: string): string {
  return policy.replace(/[^A-Za-z0-9._@-]+/g, '_').slice(0, 100);
}

function listed(score: Score): ListedScore {
  const { env, split, standIn, policy, scored, success, failures, truncated, unreadable, tokens, usage } = score;
  const place = { env, split, ...(standIn && { standIn }) };
  return { ...place, policy, scored, success, failures, truncated, unreadable, tokens, usage };
}
