/** A run that a program has started: its steps as they come, how it ended, and its policies by name. */
import type { EvaluationLine } from '../run/layout.ts';
import type { StepSummary, TrainerEvents, TrainResult } from '../train/run/events.ts';

/** A step, with the two figures that are asked for most. */
export interface TrainedStep extends StepSummary {
  /** Share of the step's episodes that succeeded; undefined where none was played (imitation). */
  readonly success: number | undefined;
  /** Mean reward of its episodes. */
  readonly reward: number | undefined;
}

/** What `train` and `sft` give back: the run goes on by itself. */
export interface TrainingRun {
  /** The folder of the run. */
  readonly directory: string;
  /** Every step from the first on, also for who begins to listen later; ends with the run and throws what it failed with. */
  readonly steps: AsyncIterable<TrainedStep>;
  /** The evaluations so far. */
  readonly evaluations: readonly EvaluationLine[];
  /** How it ended. A failure rejects it. */
  readonly finished: Promise<TrainResult>;
  /** The name of its best policy by its evaluations, of its newest where it has none: for `evaluate`, `serve` and recipes. */
  best(): string;
  /** The name of its newest policy. */
  latest(): string;
  /** Ends it after the present step; it can be gone on with. */
  stop(): Promise<TrainResult>;
}

/** Collects the events of a run that begins. */
export class StartedRun implements TrainingRun {
  readonly evaluations: EvaluationLine[] = [];
  finished: Promise<TrainResult> = new Promise(() => undefined);
  private readonly past: TrainedStep[] = [];
  private waiting: (() => void)[] = [];
  private ended: { readonly error?: unknown } | undefined;
  private result: TrainResult | undefined;

  constructor(
    private readonly stopping: AbortController,
    private readonly heard: TrainerEvents,
  ) {}

  directory = '';

  /** What the trainer is given. */
  readonly events: TrainerEvents = {
    onStep: (summary) => {
      this.past.push({ ...summary, success: summary.metrics['train/success'], reward: summary.metrics['critic/score/mean'] });
      this.wake();
      this.heard.onStep?.(summary);
    },
    onEvaluation: (lines) => {
      this.evaluations.push(...lines);
      this.heard.onEvaluation?.(lines);
    },
    onNote: (text) => this.heard.onNote?.(text),
  };

  /** Follows the work to its end. */
  follow(work: Promise<TrainResult>): void {
    this.finished = work;
    work.then(
      (result) => {
        this.result = result;
        this.ended = {};
        this.wake();
      },
      (error: unknown) => {
        this.ended = { error };
        this.wake();
      },
    );
  }

  get steps(): AsyncIterable<TrainedStep> {
    return { [Symbol.asyncIterator]: () => this.each() };
  }

  best(): string {
    return this.result?.best || this.evaluations.length > 0 ? `run:${this.directory}@best` : this.latest();
  }

  latest(): string {
    return `run:${this.directory}`;
  }

  async stop(): Promise<TrainResult> {
    this.stopping.abort(new DOMException('the program stopped the run', 'AbortError'));
    return this.finished;
  }

  private async *each(): AsyncGenerator<TrainedStep> {
    for (let at = 0; ;) {
      const step = this.past[at];
      if (step) {
        at++;
        yield step;
      } else if (this.ended) {
        if ('error' in this.ended) throw this.ended.error;
        return;
      } else await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
