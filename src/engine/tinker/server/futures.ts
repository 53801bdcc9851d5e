/**
 * Work that was accepted and is asked for later, maybe several times: a lost answer may be asked for again. Finished results are kept
 * up to a number of bytes, those that were handed out go first; what is gone is told from what never was.
 */
import { randomUUID } from 'node:crypto';
import type { SampleOutput, TrainingOutput } from '../wire/messages.ts';

export type Result =
  | { readonly kind: 'training'; readonly output: TrainingOutput }
  | { readonly kind: 'sample'; readonly output: SampleOutput }
  | { readonly kind: 'json'; readonly body: object }
  | { readonly kind: 'failed'; readonly error: string; readonly category: 'user' | 'server' };

interface Future {
  readonly done: Promise<Result>;
  result?: Result;
  bytes: number;
  delivered: boolean;
}

export class Futures {
  private readonly all = new Map<string, Future>();
  private readonly gone = new Set<string>();
  private bytes = 0;

  constructor(private readonly most = 256 << 20) {}

  /** Accepts work; what it throws becomes its result. */
  add(work: Promise<Result>): string {
    const id = randomUUID();
    const future: Future = { done: work, bytes: 0, delivered: false };
    this.all.set(id, future);
    void work.then((result) => {
      future.result = result;
      future.bytes = sizeOf(result);
      this.bytes += future.bytes;
      this.shrink();
    });
    return id;
  }

  has(id: string): boolean {
    return this.all.has(id);
  }

  /** The result, `pending` when it has not come within `milliseconds`, or why there is none. */
  async wait(id: string, milliseconds: number, signal: AbortSignal): Promise<Result | 'pending' | 'gone' | 'unknown'> {
    const future = this.all.get(id);
    if (!future) return this.gone.has(id) ? 'gone' : 'unknown';
    let stop: (() => void) | undefined;
    const patience = new Promise<'pending'>((resolve) => {
      const timer = setTimeout(() => resolve('pending'), milliseconds);
      stop = () => {
        clearTimeout(timer);
        resolve('pending');
      };
      signal.addEventListener('abort', stop, { once: true });
    });
    const result = await Promise.race([future.done, patience]);
    if (stop) {
      signal.removeEventListener('abort', stop);
      stop();
    }
    if (result !== 'pending') future.delivered = true;
    return result;
  }

  private shrink(): void {
    for (const deliveredOnly of [true, false]) {
      for (const [id, future] of this.all) {
        if (this.bytes <= this.most && this.all.size < 100_000) return;
        if (!future.result || (deliveredOnly && !future.delivered)) continue;
        this.all.delete(id);
        this.bytes -= future.bytes;
        this.gone.add(id);
        if (this.gone.size > 100_000) this.gone.delete(this.gone.values().next().value ?? id);
      }
    }
  }
}

function sizeOf(result: Result): number {
  if (result.kind === 'training')
    return result.output.outputs.reduce((sum, fields) => sum + 8 * (fields['logprobs']?.data.length ?? 0) + 100, 100);
  if (result.kind === 'sample') return result.output.sequences.reduce((sum, { tokens }) => sum + 12 * tokens.length + 100, 100);
  return 200;
}
