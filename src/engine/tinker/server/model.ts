/** One model of a client: an engine with all its weights, and its calls in the order of their numbers, each run once. */
import { createHash } from 'node:crypto';
import { AgogeError } from '../../../core/error.ts';
import type { Engine } from '../../engine.ts';
import type { Futures, Result } from './futures.ts';
import { Sequence } from './sequence.ts';

export interface ModelFacts {
  readonly id: string;
  readonly session: string;
  /** What the client asked for; all weights are trained whatever it says. */
  readonly rank: number;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

export class ServedModel implements AsyncDisposable {
  /** Snapshots without a name, oldest first: only the last few are kept. */
  readonly snapshots: string[] = [];
  used = new Date().toISOString();
  private readonly sequence = new Sequence();

  constructor(
    readonly facts: ModelFacts,
    readonly engine: Promise<Engine>,
    private readonly futures: Futures,
  ) {}

  get id(): string {
    return this.facts.id;
  }

  /**
   * Takes a call in and gives its future. `prepare` looks at it now, the work it returns runs in its turn; a call that is refused has
   * used its number up too, so that those after it do not wait. The same number and content again is the same future.
   */
  call(number: number, content: Uint8Array | object, prepare: () => (engine: Engine) => Promise<Result>): string {
    const text = content instanceof Uint8Array ? content : JSON.stringify(content);
    const hash = createHash('sha256').update(text).digest('base64');
    const before = this.sequence.before(number, hash);
    if (before !== undefined) return before;
    let work: (engine: Engine) => Promise<Result>;
    try {
      work = prepare();
    } catch (thrown) {
      work = () => Promise.resolve(failure(thrown));
    }
    const done = this.sequence.take(number, async () => work(await this.engine));
    const request = this.futures.add(done.catch(failure));
    this.sequence.remember(number, hash, request);
    return request;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sequence.close();
    await this.sequence.idle;
    await (await this.engine.catch(() => undefined))?.[Symbol.asyncDispose]();
  }
}

export function failure(thrown: unknown): Result {
  const error = AgogeError.from(thrown, 'ENGINE_UNEXPECTED', 'the call failed');
  const server = ['ENGINE_UNEXPECTED', 'ENGINE_RUNTIME', 'ENGINE_CLOSED', 'ENGINE_TINKER_SAVE'].includes(error.code);
  return { kind: 'failed', error: error.message, category: server ? 'server' : 'user' };
}
