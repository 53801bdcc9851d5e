/**
 * Makes the sessions that sample. Weights are frozen into a session, packed for speed, so new weights need a new one. Adapters are merged
 * into the weights that a session packs: steps cost what they cost without adapters, and no merged copy stays beside the session.
 */
import type { ModelConfig } from '../network/config.ts';
import { WeightPlaces, type FrozenWeights, type NetworkWeights } from '../network/weights.ts';
import { Session } from '../runtime/session.ts';
import { Tensor } from '../runtime/tensor.ts';
import { decodeGraph } from './decode-graph.ts';
import { int8Names, quantised, refuseInexactInt8, type SamplingWeights } from './int8.ts';
import { adaptedModules, Merging } from './merge.ts';

export class DecodeSessions {
  private readonly graph: ReturnType<typeof decodeGraph>;
  private readonly places: WeightPlaces;

  /** `alone`: each call runs on the thread that makes it. */
  constructor(
    private readonly config: ModelConfig,
    /** The live weights. */
    weights: NetworkWeights,
    private readonly alone: boolean,
    numbers: SamplingWeights = 'float32',
  ) {
    if (numbers === 'int8') refuseInexactInt8();
    this.places = new WeightPlaces(config, weights);
    this.graph = decodeGraph(config, numbers);
  }

  /** A session of the present weights, here and now. */
  build(): Session {
    const { places, config } = this;
    using merging = config.lora ? new Merging(config, places) : undefined;
    const dataOf = (name: string): FrozenWeights =>
      merging && adaptedModules(config, name).length > 0 ? merging.merged(name) : places.dataOf(name);
    const initializers = Object.fromEntries(
      this.graph.weights.map((name) => [name, Tensor.over(dataOf(name), [...places.slotOf(name).shape])]),
    );
    for (const name of this.graph.quantised) {
      const [out = 0, width = 0] = places.slotOf(name).shape;
      const { numbers, scales } = quantised(dataOf(name), out, width);
      const names = int8Names(name);
      initializers[names.numbers] = Tensor.over(numbers, [width, out]);
      initializers[names.scales] = Tensor.over(scales, [out]);
    }
    const session = Session.compile(this.graph, { initializers, alone: this.alone, ownMemory: this.alone });
    for (const tensor of Object.values(initializers)) tensor[Symbol.dispose]();
    return session;
  }
}
