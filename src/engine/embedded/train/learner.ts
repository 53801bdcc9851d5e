/**
 * The learning half of the engine: scores of a batch, gradients of any loss on them, AdamW. A batch is cut into shards that depend
 * on the data alone (shards.ts); replicas on threads of their own compute them (replica.ts). The loss sees all scores at once,
 * between the forward and the backward passes. Each shard's gradient goes into the accumulator of its number, and accumulators
 * are summed in their order: threads, memory and timing change neither scores nor sums.
 */
import { at } from '../../../core/at.ts';
import { AgogeError } from '../../../core/error.ts';
import type { AdamParams, Datum, ForwardOptions, Loss, LossReport, OptimReport, TokenScores } from '../../engine.ts';
import { refuseIfTooLarge } from '../memory.ts';
import type { ModelConfig } from '../network/config.ts';
import { layoutOf, sharedFloats, weightOf, type WeightLayout } from '../network/layout.ts';
import { accumulatorsOf, isSmall } from '../network/size.ts';
import type { FrozenWeights } from '../network/weights.ts';
import { Runtime } from '../runtime/runtime.ts';
import { adamFactors, slicesOf, sumSlice, type AdamState, type Slice } from './adamw.ts';
import { checkAdam, checkBatch, checkForwardOptions, checkLoss, checkScores } from './check.ts';
import type { LearnerStatistics, Learning, Moments } from './learning.ts';
import type { Accumulator, ShardOptions } from './replicas/replica-messages.ts';
import { allOf, Replicas } from './replicas/replicas.ts';
import { dataOf, shardRows, shardsOf, type Shard } from './replicas/shards.ts';
import { emptyScores } from './scored.ts';

export interface LearnerOptions {
  /** Rows that go through the network together, at most. */
  readonly packRows?: number | undefined;
  /** Bytes of activations to keep between forward and backward; beyond that, shards are computed forward once more. */
  readonly activationBudget?: number | undefined;
}

export class Learner implements Learning {
  private readonly replicas: Replicas;
  private readonly small: boolean;
  private readonly slices: readonly Slice[];
  private readonly activationBudget: number;
  private readonly packRows: number | undefined;
  private readonly accumulators: (Accumulator & { filled: boolean })[] = [];
  private readonly accumulatorCount: number;
  private moments: AdamState | undefined;
  private mark: { readonly gradient: Float32Array; set: boolean } | undefined;

  constructor(
    private readonly config: ModelConfig,
    /** Of the weights that are trained. */
    private readonly layout: WeightLayout,
    weights: Float32Array,
    options: LearnerOptions = {},
    frozen?: FrozenWeights,
  ) {
    const parameters = layoutOf(config).length;
    this.small = isSmall(parameters);
    this.accumulatorCount = accumulatorsOf(parameters, layout.length);
    this.replicas = new Replicas({ config, weights, frozen, alone: this.small }, Runtime.open().threads);
    this.slices = slicesOf(layout);
    this.packRows = options.packRows;
    this.activationBudget = options.activationBudget ?? Math.min(4 * 2 ** 30, process.availableMemory() / 2);
  }

  async forward(batch: readonly Datum[], options: ForwardOptions = {}): Promise<TokenScores[]> {
    checkBatch(batch, this.config);
    checkForwardOptions(options, this.config);
    const scores = emptyScores(batch, options.entropy === true);
    const shards = this.shardsOf(batch);
    this.shareThreads(shards.length);
    await this.replicas.inCall(options.signal, () =>
      allOf(
        shards.map(async (shard, i) => {
          const job = { kind: 'score', data: dataOf(shard, batch), options: shardOptions(options) } as const;
          const answer = await this.replicas.ask(this.replicaOf(i), job);
          shard.data.forEach((index, j) => (scores[index] = answer.scores?.[j] ?? fail()));
        }),
      ),
    );
    checkScores(scores);
    return scores;
  }

  forwardBackward(batch: readonly Datum[], loss: Loss, options: ForwardOptions = {}): Promise<LossReport> {
    return this.replicas.inCall(options.signal, async () => {
      checkBatch(batch, this.config);
      checkForwardOptions(options, this.config);
      const shards = this.shardsOf(batch);
      this.shareThreads(shards.length);
      this.refuseIfTooLarge(shards);
      const keeps = this.keeps(shards);
      const scores = await this.forwardAll(batch, shards, keeps, options);
      checkScores(scores);
      const result = loss(scores);
      checkLoss(result, scores);
      options.signal?.throwIfAborted();
      await this.backwardAll(batch, shards, keeps, result, options);
      return {
        loss: result.loss,
        scores,
        metrics: result.metrics ?? {},
        computedTokens: shards.reduce((sum, { rows }) => sum + rows, 0),
        tokens: batch.reduce((sum, { tokens }) => sum + tokens.length, 0),
      };
    });
  }

  async optimStep(adam: AdamParams): Promise<Required<OptimReport>> {
    checkAdam(adam);
    const gradients = this.filled();
    const gradient = gradients[0];
    if (!gradient) {
      throw new AgogeError('ENGINE_NO_GRADIENT', 'there is no gradient to step along: call forwardBackward before optimStep');
    }
    const { learningRate, beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8, weightDecay = 0, clipNorm = 0, embeddingRate = 1 } = adam;
    const { mean, square } = this.adamState();
    return this.replicas.inCall(undefined, async () => {
      const squares = await this.eachSlice((slices) => ({ kind: 'sum', gradients, slices }));
      this.clearGradient();
      const gradientNorm = Math.sqrt(squares.reduce((sum, part) => sum + part, 0));
      if (!Number.isFinite(gradientNorm)) {
        throw new AgogeError(
          'ENGINE_NONFINITE_GRADIENT',
          'the gradient is not finite and was thrown away, the weights are unchanged: lower the learning rate or go back to an earlier checkpoint',
        );
      }
      const scale = clipNorm > 0 && gradientNorm > clipNorm ? clipNorm / gradientNorm : 1;
      const step = ++this.adamState().step;
      const factors = adamFactors({ learningRate, beta1, beta2, epsilon, weightDecay, embeddingRate }, step, scale);
      await this.eachSlice((slices) => ({ kind: 'update', gradient, mean, square, slices, factors }));
      return { gradientNorm, step };
    });
  }

  /** Remembers the gradient so far, until the next step of the optimizer. */
  async markGradient(): Promise<void> {
    const mark = (this.mark ??= { gradient: sharedFloats(this.layout.length), set: false });
    const gradients = this.filled();
    mark.set = gradients.length > 0;
    if (!mark.set) return;
    await this.replicas.inCall(undefined, () =>
      this.eachSlice((slices) => ({ kind: 'mark', gradients, mark: mark.gradient, slices })),
    );
  }

  /** The cosine between the gradient at the mark and what was added since. */
  agreement(): Promise<number | undefined> {
    return this.replicas.inCall(undefined, async () => {
      const gradients = this.filled();
      const mark = this.mark?.set === true ? this.mark.gradient : undefined;
      if (!mark || gradients.length === 0) return undefined;
      const sums = await this.eachSlice((slices) => ({ kind: 'compare', gradients, mark, slices }), 3);
      const [product, before, since] = [0, 1, 2].map((part) =>
        sums.reduce((sum, value, i) => (i % 3 === part ? sum + value : sum), 0),
      );
      return before && since ? (product ?? NaN) / Math.sqrt(before * since) : undefined;
    });
  }

  get step(): number {
    return this.moments?.step ?? 0;
  }

  async momentsOf(name: string): Promise<Moments> {
    const { mean, square } = this.adamState();
    return { mean: weightOf(this.layout, mean, name), square: weightOf(this.layout, square, name) };
  }

  async restore(step: number, moments: Iterable<readonly [string, Moments]>): Promise<void> {
    const mine = this.adamState();
    for (const [name, { mean, square }] of moments) {
      weightOf(this.layout, mine.mean, name).set(mean);
      weightOf(this.layout, mine.square, name).set(square);
    }
    mine.step = step;
  }

  /** Bytes of activations that the arenas hold, and compiled graphs: both stop growing once every kind of batch was seen. */
  get statistics(): LearnerStatistics {
    return this.replicas.state;
  }

  /** Whether a step was taken, so that there are moments worth saving. */
  get hasMoments(): boolean {
    return this.moments !== undefined;
  }

  /** Starts AdamW afresh, and drops gradients that belong to other weights. */
  forget(): void {
    this.clearGradient();
    this.moments?.mean.fill(0);
    this.moments?.square.fill(0);
    if (this.moments) this.moments.step = 0;
  }

  get hasGradient(): boolean {
    return this.accumulators.some(({ filled }) => filled);
  }

  async gradient(): Promise<Float32Array | undefined> {
    const [first, ...others] = this.filled();
    if (!first) return undefined;
    const sums = [first.slice(), ...others];
    for (const slice of this.slices) sumSlice(sums, slice);
    return sums[0];
  }

  close(): Promise<void> {
    return this.replicas.close();
  }

  /** Scores of all shards, in the order of the batch. */
  private async forwardAll(
    batch: readonly Datum[],
    shards: readonly Shard[],
    keeps: readonly boolean[],
    options: ForwardOptions,
  ): Promise<TokenScores[]> {
    const scores = emptyScores(batch, options.entropy === true);
    await allOf(
      shards.map(async (shard, i) => {
        const [data, keep] = [dataOf(shard, batch), keeps[i] ?? false];
        const job = { kind: 'forward', shard: i, data, options: shardOptions(options), keep } as const;
        const answer = await this.replicas.ask(this.replicaOf(i), job);
        shard.data.forEach((index, j) => (scores[index] = answer.scores?.[j] ?? fail()));
      }),
    );
    return scores;
  }

  /** From the last shard to the first, so that replicas give back what they kept in the reverse order; in this order sums add up. */
  private async backwardAll(
    batch: readonly Datum[],
    shards: readonly Shard[],
    keeps: readonly boolean[],
    { gradient, entropyGradient }: ReturnType<Loss>,
    options: ForwardOptions,
  ): Promise<void> {
    const filled = this.accumulators.map((each) => each.filled);
    const answers = [...shards.keys()].reverse().map((i) => {
      const shard = at(shards, i);
      const of = (values: readonly Float32Array[]): Float32Array[] => shard.data.map((index) => at(values, index));
      const number = i % this.accumulatorCount;
      const accumulator = (this.accumulators[number] ??= {
        number,
        gradient: sharedFloats(this.layout.length),
        filled: false,
      });
      const add = filled[number] ?? false;
      filled[number] = true;
      return this.replicas.ask(this.replicaOf(i), {
        kind: 'backward',
        shard: i,
        again: keeps[i] === true ? undefined : { data: dataOf(shard, batch), options: shardOptions(options) },
        gradient: of(gradient),
        entropyGradient: entropyGradient && options.entropy === true ? of(entropyGradient) : undefined,
        accumulator: { number, gradient: accumulator.gradient },
        add,
      });
    });
    try {
      await allOf(answers);
      this.accumulators.forEach((each, number) => (each.filled = filled[number] ?? false));
    } catch (thrown) {
      // Half a gradient is worse than none.
      this.clearGradient();
      throw thrown;
    }
  }

  /** All accumulators of a replica lie on one thread, so that their shards come in a fixed order. */
  private replicaOf(shard: number): number {
    return (shard % this.accumulatorCount) % this.replicas.count;
  }

  /** Runs a job on all slices, spread over the replicas; what comes back, `width` numbers for each, is in the order of the slices. */
  private async eachSlice(job: (slices: Slice[]) => Parameters<Replicas['ask']>[1], width = 1): Promise<Float64Array> {
    const { slices } = this;
    const count = Math.min(this.replicas.count, Math.ceil(slices.length / 4));
    const result = new Float64Array(width * slices.length).fill(NaN);
    await allOf(
      Array.from({ length: count }, async (_, replica) => {
        const places = [...slices.keys()].filter((place) => place % count === replica);
        const answer = await this.replicas.ask(replica, job(places.map((place) => slices[place] as Slice)));
        const { sums } = answer;
        if (sums) places.forEach((place, i) => result.set(sums.subarray(i * width, (i + 1) * width), place * width));
      }),
    );
    return result;
  }

  private shardsOf(batch: readonly Datum[]): Shard[] {
    const { packRows } = this;
    const whole = packRows ?? 4096;
    const limits = this.small && packRows === undefined ? shardRows(batch) : { enough: whole, most: whole, cutsFamilies: false };
    return shardsOf(batch, this.config, limits);
  }

  /** Threads without a shard of their own help those that have one, as far as bits stay the same (width.ts). */
  private shareThreads(shards: number): void {
    const { count } = this.replicas;
    const used = Math.max(1, Math.min(count, this.accumulatorCount, shards));
    this.replicas.width = this.small ? Math.floor(count / used) : 1;
  }

  /** Which shards keep their activations: of each replica's the last ones that fit its part of the budget, and at least one. */
  private keeps(shards: readonly Shard[]): boolean[] {
    const used = Math.min(this.replicas.count, this.accumulatorCount, shards.length);
    const left = new Map<number, number>();
    const keeps = shards.map(() => false);
    for (let i = shards.length - 1; i >= 0; i--) {
      const replica = this.replicaOf(i);
      const before = left.get(replica);
      const after = (before ?? this.activationBudget / used) - at(shards, i).bytes;
      keeps[i] = before === undefined || (before >= 0 && after >= 0);
      left.set(replica, after);
    }
    return keeps;
  }

  /** At least one shard of each replica has to keep its activations; the arenas have some of their memory already. */
  private refuseIfTooLarge(shards: readonly Shard[]): void {
    const used = Math.min(this.replicas.count, this.accumulatorCount, shards.length);
    const largest = Math.max(0, ...shards.map(({ bytes }) => bytes));
    const rows = Math.max(0, ...shards.map((each) => each.rows));
    refuseIfTooLarge(used * largest - this.replicas.state.arenaBytes, `training on ${used} times ${rows} tokens at once`);
  }

  private filled(): Float32Array[] {
    return this.accumulators.filter((each) => each.filled).map(({ gradient }) => gradient);
  }

  private adamState(): AdamState {
    this.moments ??= { mean: sharedFloats(this.layout.length), square: sharedFloats(this.layout.length), step: 0 };
    return this.moments;
  }

  /** The next backward pass starts from zero. */
  private clearGradient(): void {
    for (const each of this.accumulators) each.filled = false;
    if (this.mark) this.mark.set = false;
  }
}

function shardOptions({ entropy = false, temperature = 1 }: ForwardOptions): ShardOptions {
  return { entropy, temperature };
}

function fail(): never {
  throw new RangeError('a replica answered for another shard than it was asked for');
}
