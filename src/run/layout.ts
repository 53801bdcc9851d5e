/**
 * The run directory: where everything of one run lies. Readers (reports, the dashboard, resume) rely on this and nothing else.
 *
 *   outputs/<run>/
 *     config.yaml                        the resolved recipe: every default written out
 *     run.json                           RunInfo: kind, status, seed, versions, progress; rewritten after each step
 *     logs/train_YYYYMMDD_HHMMSS.log     what a person would have read on the terminal; one file per start or resume
 *     metrics/training_metrics.jsonl     one line per step while it runs: {"step":12,"time":"…","data":{"critic/score/mean":0.4,…}}
 *     metrics/training_metrics.json      the same as one array, written when the run ends
 *     metrics/evaluations.jsonl          one line per panel and evaluation: EvaluationLine
 *     episodes/step_000012.jsonl.gz      every episode the step learned from or filtered out: one EpisodeRecord per line
 *     episodes/index.jsonl               one short line per episode of the step files (episode-index.ts)
 *     episodes/eval_000020.jsonl.gz      the episodes of the evaluation after step 20
 *     checkpoints/step_000040/           model.safetensors config.json tokenizer.json … (Hugging Face layout, optimizer state),
 *                                        trainer.json (TrainerState), agent.json (AgentRecord), critic/ where there is one,
 *                                        average/ (mean of the weights, evaluate.average), reference/ (algorithm.renew)
 *     start/                             the weights of the start, where it is evaluated and may stay the best (@best is step 0), or where
 *                                        each step learns from them (algorithm.restart)
 *     checkpoints/best.json              {"step":40,"score":0.61,"by":"success","before":{…}}: this checkpoint is never removed by retention
 *     checkpoints/latest_checkpointed_iteration.txt
 *     tensorboard/events.out.tfevents.*  when asked for
 *     wandb/offline-run-*                when asked for: an offline run for `wandb sync`, one for each start
 *     .owner-<n>                         which process writes here (ownership.ts)
 *     live/                              while somebody looks at it: the episode that is being played (live.ts)
 *     report.html                        written by `agoge view --out`
 *
 * A line of a JSONL file or a folder below checkpoints/ is complete as soon as it is there; a name that starts with a dot is
 * being written. After a resume from step s, lines, episodes and checkpoints of later steps are removed first.
 */
import { join } from 'node:path';
import type { Cause } from './cause.ts';
import type { Diagnosis } from './diagnosis/diagnosis.ts';

export const layout = {
  config: 'config.yaml',
  info: 'run.json',
  logs: 'logs',
  metrics: 'metrics/training_metrics.jsonl',
  metricsArray: 'metrics/training_metrics.json',
  evaluations: 'metrics/evaluations.jsonl',
  episodes: 'episodes',
  episodeIndex: 'episodes/index.jsonl',
  checkpoints: 'checkpoints',
  best: 'checkpoints/best.json',
  tracker: 'checkpoints/latest_checkpointed_iteration.txt',
  tensorboard: 'tensorboard',
  wandb: 'wandb',
  report: 'report.html',
  /** In a checkpoint: what the trainer needs beside the weights. */
  trainerState: 'trainer.json',
  /** How the policy was taught to talk (agent-record.ts). */
  agent: 'agent.json',
  critic: 'critic',
  average: 'average',
  reference: 'reference',
  start: 'start',
} as const;

/** What a run shows of its present episode; not among the files that outlast it. */
export const liveLayout = { folder: 'live', wanted: 'live/wanted', episode: 'live/episode.json' } as const;

/** The folder of an evaluation (eval/store.ts says what is in these). */
export const evaluationLayout = {
  results: 'eval.json',
  status: 'status.json',
  episodes: 'episodes.jsonl.gz',
  /** Finished episodes while it runs. */
  journal: 'episodes.jsonl',
} as const;

/** `own`: a trainer of a program's own (`runTrainer`). */
export type RunKind = 'rl' | 'sft' | 'reward' | 'own';
/** Kinds that have recipes. */
export type RecipeKind = Exclude<RunKind, 'own'>;
export type RunStatus = 'running' | 'finished' | 'stopped' | 'interrupted' | 'failed';

/** What is asked in one format was learned in another: data without a format that is known (`found` null), or a policy taught otherwise. */
export interface FormatGap {
  readonly asked: string;
  readonly found: string | null;
  /** The files or the policy. */
  readonly where: string;
}

/** run.json. A status of `running` whose `pid` is gone is a run that was killed: it can be resumed (ownership.ts decides). */
export interface RunInfo {
  /** Of the folder's layout (version.ts); folders of before 16 November 2026 have none. */
  readonly v?: number | undefined;
  readonly name: string;
  readonly kind: RunKind;
  readonly status: RunStatus;
  /** Why it ended, in words, for every status but `running` and `finished`. */
  readonly reason?: string | undefined;
  /** The same as data, where it ended by itself. */
  readonly cause?: Cause | undefined;
  /** Why it does not learn, as its last steps have it; absent in folders of before 17 November 2026. */
  readonly diagnosis?: readonly Diagnosis[] | undefined;
  /** What is trained on what: `grpo · textcraft · base`. */
  readonly title: string;
  readonly seed: number;
  readonly step: number;
  /** Steps planned; null where time or data decides. */
  readonly steps: number | null;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly pid: number;
  /** Times of resumes and the steps they started from. */
  readonly resumes: readonly { readonly at: string; readonly fromStep: number }[];
  readonly versions: Readonly<Record<string, string>>;
  /** What its bits depend on beside recipe and seed, as the engine found on this machine; null where it cannot know. */
  readonly bits?: { readonly dependOn: readonly string[] } | null | undefined;
  /** Where the engine computed, and with which numbers, where it says so. */
  readonly device?: string | null | undefined;
  /** Environments with their versions: part of every panel's identity. */
  readonly environments: Readonly<Record<string, string>>;
  readonly best?: { readonly step: number; readonly score: number; readonly by: 'success' | 'loss' } | undefined;
  /** Where the recipe's format is not that of what it learns from or starts from. */
  readonly formats?: readonly FormatGap[] | undefined;
  /** Episodes played for training and tokens learned from, over all steps. */
  readonly episodes: number;
  readonly tokens: number;
}

/** A line of metrics/training_metrics.jsonl: the shape of verl's file logger, and the time. */
export interface MetricsLine {
  readonly step: number;
  readonly time: string;
  readonly data: Readonly<Record<string, number>>;
}

/** A line of metrics/evaluations.jsonl. */
export interface EvaluationLine {
  readonly step: number;
  readonly time: string;
  /** `textcraft/test`. */
  readonly panel: string;
  /** Tasks of our own stood in for official ones. */
  readonly standIn?: true;
  readonly n: number;
  readonly success: number;
  /** 95 %: Wilson's for one sample per task, over tasks for several. */
  readonly low: number;
  readonly high: number;
  readonly reward: number;
  readonly turns: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly categories: Readonly<Record<string, { readonly n: number; readonly success: number }>>;
}

/** `step_000012`. */
export function stepName(step: number): string {
  return `step_${String(step).padStart(6, '0')}`;
}

/** The step of `step_000012` or `eval_000012.jsonl.gz`; undefined for anything else. */
export function stepOf(name: string, prefix: 'step' | 'eval' = 'step'): number | undefined {
  const match = new RegExp(`^${prefix}_(\\d{6,})(\\.jsonl\\.gz)?$`).exec(name);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

export function episodesFile(directory: string, step: number, prefix: 'step' | 'eval' = 'step'): string {
  return join(directory, layout.episodes, `${prefix}_${String(step).padStart(6, '0')}.jsonl.gz`);
}
