/**
 * The sessions that sample. Weights are frozen into a session, so new weights need a new one: it is built at once, beside
 * the present one, and takes its place when nobody is being answered by that any more.
 */
import type { ModelConfig } from '../network/config.ts';
import type { WeightLayout } from '../network/layout.ts';
import { Session } from '../runtime/session.ts';
import { decodeGraph, decodeWeights, temperGraph } from './decode-graph.ts';

export interface DecodeModel {
  readonly config: ModelConfig;
  readonly layout: WeightLayout;
  /** The live weights; a session copies them when it is built. */
  readonly weights: Float32Array;
  readonly version: number;
}

export class DecodeSessions implements Disposable {
  /** Version of the weights that the next request is to be answered by. */
  version: number;
  private builtVersion = Number.NaN;
  private readonly graph: ReturnType<typeof decodeGraph>;
  private current: { readonly session: Session; readonly version: number } | undefined;
  private next: { readonly session: Session; readonly version: number } | undefined;
  private tempering: Session | undefined;

  /** `alone`: each call runs on the thread that makes it, as several lanes want it. */
  constructor(
    private readonly model: DecodeModel,
    private readonly alone: boolean,
  ) {
    this.version = model.version;
    this.graph = decodeGraph(model.config, model.layout);
  }

  /** Builds a session of the present weights where there is none yet; true when it did. Here and now: it never sees half a step. */
  build(): boolean {
    if (this.builtVersion === this.version) return false;
    const { layout, weights } = this.model;
    const initializers = decodeWeights(this.graph.weights, layout, weights);
    const session = Session.compile(this.graph, { initializers, alone: this.alone });
    for (const tensor of Object.values(initializers)) tensor[Symbol.dispose]();
    this.builtVersion = this.version;
    this.next?.session[Symbol.dispose]();
    this.next = { session, version: this.version };
    return true;
  }

  /** Whether a newer session waits to be taken up. */
  get waiting(): boolean {
    return this.next !== undefined;
  }

  /** Takes up the newer session; nothing may run on the old one, nor be prepared for it. */
  takeUp(): void {
    if (!this.next) return;
    this.current?.session[Symbol.dispose]();
    this.current = this.next;
    this.next = undefined;
  }

  get present(): { readonly session: Session; readonly version: number } {
    if (!this.current) throw new TypeError('no session');
    return this.current;
  }

  /** The softmax at other temperatures; it has no weights. */
  get temper(): Session {
    this.tempering ??= Session.compile(temperGraph(this.model.config.vocabulary), { alone: this.alone });
    return this.tempering;
  }

  [Symbol.dispose](): void {
    this.next?.session[Symbol.dispose]();
    this.current?.session[Symbol.dispose]();
    this.tempering?.[Symbol.dispose]();
    this.next = this.current = this.tempering = undefined;
  }
}
