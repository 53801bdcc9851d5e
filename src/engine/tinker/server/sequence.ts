/**
 * The order of one client's calls to one model: by their numbers, from 1, whatever order they arrive in. The same number with the same
 * content is the same call, asked again after a lost answer: nothing runs twice. A number that never comes fails those behind it.
 */
import { AgogeError } from '../../../core/error.ts';

interface Waiting {
  readonly run: () => void;
  readonly fail: (error: AgogeError) => void;
}

export class Sequence {
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();
  private readonly seen = new Map<number, { readonly content: string; readonly answer: string }>();
  private queue: Promise<unknown> = Promise.resolve();
  private gap: NodeJS.Timeout | undefined;

  constructor(private readonly patience = 120_000) {}

  /** The answer given to this number before; throws where its content was another. */
  before(number: number, content: string): string | undefined {
    const earlier = this.seen.get(number);
    if (!earlier && number > 0 && number < this.next) throw reused(number);
    if (earlier && earlier.content !== content) throw reused(number);
    return earlier?.answer;
  }

  remember(number: number, content: string, answer: string): void {
    if (number === 0) return;
    this.seen.set(number, { content, answer });
    if (this.seen.size > 10_000) this.seen.delete(this.seen.keys().next().value ?? number);
  }

  /** Runs the work of a number when all before it have ended; 0 (no number) comes after all that are here. */
  take<T>(number: number, work: () => Promise<T>): Promise<T> {
    if (number === 0 || number === this.next) {
      const done = this.enqueue(work);
      if (number !== 0) this.advance();
      return done;
    }
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(number, { run: () => void this.enqueue(work).then(resolve, reject), fail: reject });
      this.watch();
    });
  }

  close(): void {
    clearTimeout(this.gap);
    for (const { fail } of this.waiting.values()) fail(new AgogeError('ENGINE_CLOSED', 'the model is gone: create it again'));
    this.waiting.clear();
  }

  /** Settled when nothing is running any more. */
  get idle(): Promise<unknown> {
    return this.queue;
  }

  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }

  private advance(): void {
    for (;;) {
      this.next++;
      const waiting = this.waiting.get(this.next);
      if (!waiting) break;
      this.waiting.delete(this.next);
      waiting.run();
    }
    this.watch();
  }

  private watch(): void {
    clearTimeout(this.gap);
    if (this.waiting.size === 0) return;
    const missing = this.next;
    this.gap = setTimeout(() => {
      for (const { fail } of this.waiting.values())
        fail(
          new AgogeError(
            'ENGINE_TINKER_GAP',
            `call ${missing} of this model never came, so those behind it were not run: send the calls of a model in order, numbered from 1`,
          ),
        );
      this.waiting.clear();
    }, this.patience);
    this.gap.unref();
  }
}

function reused(number: number): AgogeError {
  return new AgogeError(
    'ENGINE_TINKER_REUSED',
    `call ${number} of this model was another one: number each new call one higher than the last`,
  );
}
