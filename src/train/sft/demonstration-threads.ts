/**
 * Demonstrations drawn on threads of their own, for engines that learn faster than one thread can play and tokenise. What a
 * number gives is the same as in this thread, so the run is the same as well.
 */
import type { Worker } from 'node:worker_threads';
import type { PromptConfig } from '../../agent/prompting.ts';
import type { ExpertEntry } from '../../config/recipe/sft-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import { startThread } from '../../core/thread.ts';
import type { TokenizerFiles } from '../../engine/embedded/models/tokenizers/tokenizer.ts';
import type { Drawing, DrawnDemonstration } from './drawing.ts';

/** What a thread needs to draw: plain data. */
export interface ThreadSetup {
  readonly entries: readonly ExpertEntry[];
  readonly prompt: PromptConfig;
  readonly tokenizer: TokenizerFiles;
  readonly chatTemplate: string | undefined;
  readonly seed: number;
  readonly maxTurns: number;
}

export interface DrawRequest {
  /** Tells answers apart: the same number may be asked for again at another difficulty. */
  readonly id: number;
  readonly number: number;
  readonly difficulty: number;
  readonly line: number | undefined;
}

export type DrawReply = { readonly id: number } & (
  { readonly drawn: DrawnDemonstration } | { readonly failed: { readonly code: AgogeError['code']; readonly message: string } }
);

interface Waiting {
  readonly resolve: (drawn: DrawnDemonstration) => void;
  readonly reject: (error: unknown) => void;
}

export class DemonstrationThreads implements Drawing, AsyncDisposable {
  readonly generates: boolean;
  readonly atOnce: number;
  private readonly workers: readonly Worker[];
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private closed = false;

  constructor(threads: number, setup: ThreadSetup) {
    this.generates = setup.entries.some((entry) => entry.generated);
    this.atOnce = 4 * threads;
    this.workers = Array.from({ length: threads }, () => {
      const worker = startThread('./demonstration-thread', import.meta.url, { workerData: setup, name: 'agoge-experts' });
      worker.on('message', (reply: DrawReply) => {
        this.receive(reply);
      });
      worker.on('error', (error) => {
        this.lose(error);
      });
      worker.on('exit', () => {
        this.lose(new AgogeError('TRAIN_THREAD', 'a thread that plays demonstrations ended; set data.threads=0'));
      });
      return worker;
    });
  }

  draw(number: number, difficulty: number, line?: number): Promise<DrawnDemonstration> {
    return new Promise((resolve, reject) => {
      const request: DrawRequest = { id: ++this.asked, number, difficulty, line };
      this.waiting.set(request.id, { resolve, reject });
      this.workers[request.id % this.workers.length]?.postMessage(request);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed = true;
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  private receive(reply: DrawReply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ('drawn' in reply) waiting?.resolve(reply.drawn);
    else waiting?.reject(new AgogeError(reply.failed.code, reply.failed.message));
  }

  private lose(error: unknown): void {
    if (this.closed) return;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
