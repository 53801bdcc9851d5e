/** What the page shows of several runs together: beside each other, or all in one file. */
import type { EpisodeView, Found, MetricTable, RunDetail, RunSummary, Share } from './model.ts';

/** Several runs beside each other. */
export interface RunComparison {
  readonly runs: readonly RunSummary[];
  /** In the order of the runs; only what was asked for. */
  readonly metrics: readonly MetricTable[];
  /** Every metric that any of them has. */
  readonly names: readonly string[];
  /** Keys of the recipes whose values differ; null where a recipe does not have the key, or the run no recipe. */
  readonly settings: readonly { readonly key: string; readonly values: readonly (string | null)[] }[];
  /** How many of the runs have a recipe. */
  readonly recipes: number;
  /** The evaluations among them, panel by panel. */
  readonly panels: readonly ComparedPanel[];
  /** Evaluations of one environment that answer different questions, and what differs. */
  readonly unlike: readonly {
    readonly runs: readonly [string, string];
    readonly panel: string;
    readonly differences: readonly string[];
  }[];
}

/** Policies of several evaluations that played the same tasks in the same way, paired by task with one of them. */
export interface ComparedPanel {
  /** `textcraft/test`. */
  readonly name: string;
  readonly hash: string;
  readonly rows: readonly ComparedPolicy[];
}

export interface ComparedPolicy {
  readonly run: string;
  /** The policy, with its run where two have one of the same name. */
  readonly label: string;
  readonly policy: string;
  readonly share: Share;
  readonly reward: number;
  /** Against the first row; of that itself there is none. */
  readonly against?: Found & { readonly sentence: string; readonly low: number; readonly high: number };
}

/** Everything a single-file report carries: one run, or a gallery of several with what is known of them together. */
export interface ReportBundle {
  readonly version: 1;
  readonly writtenAt: string;
  readonly reports: readonly RunReport[];
  readonly together: Omit<RunComparison, 'runs' | 'metrics'>;
  /** Where the book is that this file stands beside, by language. */
  readonly book?: { readonly en: string; readonly zh: string };
}

export interface RunReport {
  readonly run: RunDetail;
  readonly metrics: MetricTable;
  readonly log: string;
  readonly episodes: readonly EpisodeView[];
  /** How many episodes the run has that are not in this file. */
  readonly left: number;
}
