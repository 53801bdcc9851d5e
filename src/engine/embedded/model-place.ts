/** Where an engine's weights lie and who computes with them: what the engine needs of either place, and the one in this process's own memory. */
import type { LoadedModel } from './models/checkpoint.ts';
import { sharedFloats, weightOf } from './network/layout.ts';
import { Sampler, type SamplerOptions, type SamplerStatistics } from './sampling/sampler.ts';
import { Learner, type LearnerOptions } from './train/learner.ts';
import type { Learning } from './train/learning.ts';
import type { CardMemory, Sample, SampleRequest } from '../engine.ts';

export interface Sampling {
  sample(request: SampleRequest): Promise<Sample>;
  /** Takes the weights as they are now, which is this version. */
  refresh(version: number): void;
  /** Resolves when nothing reads the weights. */
  settled(): Promise<void>;
  readonly statistics: SamplerStatistics;
  close(): Promise<void>;
}

export interface ModelPlace {
  /** In a few words. */
  readonly device: string;
  /** What this process holds of a device's memory, by what it is for. */
  readonly memory?: CardMemory;
  /** All trained weights where this process can see them; else empty. */
  readonly weights: Float32Array;
  /** The numbers of a trained weight. */
  read(name: string): Promise<Float32Array>;
  /** Puts numbers in the place of a trained weight; `changed` has to follow before anybody computes. */
  write(name: string, values: Float32Array): void;
  changed(): Promise<void>;
  learner(): Learning;
  sampler(version: number, options: PlaceSamplerOptions): Sampling;
  /** Moves the trained weights by a share of the way to those of the same model in a place of the same kind. */
  mix(other: ModelPlace, share: number): Promise<void>;
  /** A place with a copy of the trained weights, which shares the others. */
  twin(): ModelPlace;
  /** When nobody computes any more. */
  close(): void;
}

export type PlaceSamplerOptions = Pick<SamplerOptions, 'decode' | 'memory' | 'slots' | 'lanes' | 'fixedWidth' | 'numbers'> & {
  /** On a device: requests that there are at once, at most. */
  readonly atOnce?: number | undefined;
};

export class HostPlace implements ModelPlace {
  readonly device = 'host (float32)';

  constructor(
    private readonly loaded: LoadedModel,
    private readonly options: LearnerOptions,
  ) {}

  get weights(): Float32Array {
    return this.loaded.weights;
  }

  read(name: string): Promise<Float32Array> {
    return Promise.resolve(weightOf(this.loaded.layout, this.loaded.weights, name));
  }

  write(name: string, values: Float32Array): void {
    weightOf(this.loaded.layout, this.loaded.weights, name).set(values);
  }

  changed(): Promise<void> {
    return Promise.resolve();
  }

  learner(): Learning {
    const { config, layout, weights, frozen } = this.loaded;
    return new Learner(config, layout, weights, this.options, frozen);
  }

  sampler(version: number, options: PlaceSamplerOptions): Sampling {
    const { config, weights, frozen } = this.loaded;
    return new Sampler({ config, weights, frozen, version, ...options });
  }

  mix(other: ModelPlace, share: number): Promise<void> {
    if (!(other instanceof HostPlace)) throw new TypeError('weights of two places cannot be mixed');
    const { weights } = this.loaded;
    const towards = other.loaded.weights;
    if (share === 1) weights.set(towards);
    else
      for (let i = 0; i < weights.length; i++)
        weights[i] = (weights[i] as number) + share * ((towards[i] as number) - (weights[i] as number));
    return Promise.resolve();
  }

  twin(): ModelPlace {
    const weights = sharedFloats(this.loaded.weights.length);
    weights.set(this.loaded.weights);
    return new HostPlace({ ...this.loaded, weights }, this.options);
  }

  close(): void {
    // The memory goes when nobody holds it.
  }
}
