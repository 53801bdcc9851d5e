/**
 * The sessions that sample. Weights are frozen into a session, so new weights need a new one: it is built at once; the ones
 * before it live until nobody is being answered by them any more.
 */
import type { ModelConfig } from '../network/config.ts';
import type { WeightLayout } from '../network/layout.ts';
import { Session } from '../runtime/session.ts';
import { decodeGraph, decodeWeights } from './decode-graph.ts';

export interface DecodeModel {
  readonly config: ModelConfig;
  readonly layout: WeightLayout;
  /** The live weights; a session copies them when it is built. */
  readonly weights: Float32Array;
  readonly version: number;
}

interface VersionedSession {
  readonly session: Session;
  readonly version: number;
}

export class DecodeSessions implements Disposable {
  /** Version of the weights that the next request is to be answered by. */
  version: number;
  private readonly graph: ReturnType<typeof decodeGraph>;
  /** Oldest first. */
  private sessions: VersionedSession[] = [];

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
    if (this.sessions.at(-1)?.version === this.version) return false;
    const { layout, weights } = this.model;
    const initializers = decodeWeights(this.graph.weights, layout, weights);
    const session = Session.compile(this.graph, { initializers, alone: this.alone, crowded: this.alone });
    for (const tensor of Object.values(initializers)) tensor[Symbol.dispose]();
    this.sessions.push({ session, version: this.version });
    return true;
  }

  /** The newest one. */
  get present(): VersionedSession {
    const present = this.sessions.at(-1);
    if (!present) throw new TypeError('no session');
    return present;
  }

  /** Disposes what is older than `version`, which everybody has taken up; the newest one stays. */
  retire(version: number): void {
    const { present } = this;
    this.sessions = this.sessions.filter((each) => {
      const keep = each === present || !(each.version < version);
      if (!keep) each.session[Symbol.dispose]();
      return keep;
    });
  }

  [Symbol.dispose](): void {
    for (const { session } of this.sessions) session[Symbol.dispose]();
    this.sessions = [];
  }
}
