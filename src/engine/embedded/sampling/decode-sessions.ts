/** Makes the sessions that sample. Weights are frozen into a session, packed for speed, so new weights need a new one. */
import type { ModelConfig } from '../network/config.ts';
import type { WeightLayout } from '../network/layout.ts';
import { Session } from '../runtime/session.ts';
import { decodeGraph, decodeWeights } from './decode-graph.ts';

export class DecodeSessions {
  private readonly graph: ReturnType<typeof decodeGraph>;

  /** `alone`: each call runs on the thread that makes it. */
  constructor(
    config: ModelConfig,
    private readonly layout: WeightLayout,
    /** The live weights. */
    private readonly weights: Float32Array,
    private readonly alone: boolean,
  ) {
    this.graph = decodeGraph(config, layout);
  }

  /** A session of the present weights, here and now. */
  build(): Session {
    const initializers = decodeWeights(this.graph.weights, this.layout, this.weights);
    const session = Session.compile(this.graph, { initializers, alone: this.alone, ownMemory: this.alone });
    for (const tensor of Object.values(initializers)) tensor[Symbol.dispose]();
    return session;
  }
}
