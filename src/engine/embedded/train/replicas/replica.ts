/**
 * A copy of the network on a thread of its own: packs shards, runs them forward and backward, sums gradients, updates weights. Weights,
 * gradients and moments are memory that all threads see; nobody writes what another one reads at the same time.
 */
import { AgogeError } from '../../../../core/error.ts';
import type { Datum } from '../../../engine.ts';
import type { ModelConfig } from '../../network/config.ts';
import type { FrozenWeights, NetworkWeights } from '../../network/weights.ts';
import type { Service } from '../../workers/protocol.ts';
import { AdamW } from '../adamw.ts';
import { GradientSum } from './gradient-sum.ts';
import { Network, type Pass } from '../network.ts';
import { pack } from '../packing.ts';
import type { Accumulator, FromReplica, Job, ShardOptions, ToReplica } from './replica-messages.ts';
import { scoresOf, spread } from '../scored.ts';
import { WeightTensors } from '../weight-tensors.ts';

export interface ReplicaOptions {
  readonly config: ModelConfig;
  /** The trained ones. */
  readonly weights: Float32Array;
  readonly frozen?: FrozenWeights | undefined;
  /** Without the pool of threads. */
  readonly alone: boolean;
  /** Holds the number of the last call that was cancelled. */
  readonly cancelled: Int32Array;
}

type Answer = Extract<FromReplica, { state: unknown }>;

export class Replica implements Service {
  private readonly weights: NetworkWeights;
  private readonly network: Network;
  private readonly queue: ToReplica[] = [];
  private readonly kept = new Map<number, Pass>();
  private readonly accumulators = new Map<number, WeightTensors>();
  private readonly sums = new GradientSum();
  private adam: AdamW | undefined;
  private call = 0;

  constructor(
    private readonly options: ReplicaOptions,
    private readonly post: (message: FromReplica) => void,
  ) {
    const { config, weights, frozen, alone, cancelled } = options;
    this.weights = { trained: weights, frozen };
    this.network = new Network(config, this.weights, alone, () => {
      if (Atomics.load(cancelled, 0) !== this.call) return;
      throw new AgogeError('ENGINE_CANCELLED', 'the engine call was cancelled; start it again when it is wanted');
    });
  }

  receive(message: ToReplica): void {
    this.queue.push(message);
  }

  work(): boolean {
    const next = this.queue.shift();
    if (!next) return false;
    const { id, call, job, width } = next;
    this.call = call;
    this.network.widest = width;
    try {
      const result = this.run(job);
      this.post({ id, ...result, state: { arenaBytes: this.network.arena.bytes, sessions: this.network.sessionCount } });
    } catch (thrown) {
      const error = AgogeError.from(thrown, 'ENGINE_RUNTIME', 'training failed (report it with the model and the command)');
      this.drop();
      this.post({ id, failed: { code: error.code, message: error.message } });
    }
    return true;
  }

  close(): void {
    this.drop();
    this.sums[Symbol.dispose]();
    this.adam?.[Symbol.dispose]();
    for (const tensors of this.accumulators.values()) tensors[Symbol.dispose]();
    this.network[Symbol.dispose]();
  }

  private run(job: Job): Pick<Answer, 'scores' | 'sums'> {
    switch (job.kind) {
      case 'score':
      case 'forward': {
        const pass = this.forward(job.data, job.options, job.kind === 'forward');
        const scores = scoresOf(job.data, pass);
        if (job.kind === 'forward' && job.keep) this.kept.set(job.shard, pass);
        else this.network.release(pass);
        return { scores };
      }
      case 'backward':
        this.backward(job);
        return {};
      case 'drop':
        this.drop();
        return {};
      case 'sum':
        return { sums: Float64Array.from(job.slices, (slice) => this.sums.add(job.gradients, slice)) };
      case 'mark':
        for (const slice of job.slices) this.sums.write(job.gradients, slice, job.mark.subarray(slice.from, slice.to));
        return {};
      case 'compare':
        return { sums: Float64Array.from(job.slices.flatMap((slice) => this.sums.compare(job.gradients, slice, job.mark))) };
      case 'update': {
        const { gradient, mean, square } = job;
        this.adam ??= new AdamW({ weights: this.options.weights, gradient, mean, square });
        this.adam.update(job.slices, job.factors);
        return {};
      }
    }
  }

  private forward(data: readonly Datum[], options: ShardOptions, keep: boolean): Pass {
    const mark = this.network.arena.mark();
    try {
      return this.network.forward(pack(data), { ...options, keep });
    } catch (thrown) {
      this.network.arena.rewind(mark);
      throw thrown;
    }
  }

  private backward({ shard, again, gradient, entropyGradient, accumulator, add }: Extract<Job, { kind: 'backward' }>): void {
    const pass = this.kept.get(shard) ?? (again && this.forward(again.data, again.options, true));
    if (!pass) throw new TypeError(`shard ${shard} was not kept`);
    this.kept.set(shard, pass);
    const entropyWeights = entropyGradient && spread(pass.pack, entropyGradient);
    this.network.backward(pass, this.tensorsOf(accumulator), add, spread(pass.pack, gradient), entropyWeights);
    this.kept.delete(shard);
    this.network.release(pass);
  }

  /** Shards are released in the reverse order of their forward passes. */
  private drop(): void {
    for (const pass of [...this.kept.values()].reverse()) this.network.release(pass);
    this.kept.clear();
  }

  private tensorsOf({ number, gradient }: Accumulator): WeightTensors {
    let tensors = this.accumulators.get(number);
    if (!tensors) {
      tensors = new WeightTensors(this.options.config, this.weights, gradient);
      this.accumulators.set(number, tensors);
    }
    return tensors;
  }
}
