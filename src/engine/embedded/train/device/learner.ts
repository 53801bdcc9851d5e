/**
 * The learning half of the engine on a device: the same scores, gradients and steps as learner.ts, with weights, gradients, moments and activations
 * on the device. A batch is cut into packs by what is free there; a pack keeps what fits for its backward pass and computes the rest again. All sums have a fixed order.
 */
import { at } from '../../../../core/at.ts';
import { AgogeError } from '../../../../core/error.ts';
import type { AdamParams, Datum, ForwardOptions, Loss, LossReport, OptimReport, TokenScores } from '../../../engine.ts';
import type { DeviceWeights } from '../../device/weights.ts';
import { slotOf } from '../../network/layout.ts';
import { outOfMemory } from '../../runtime/device.ts';
import { DeviceTensor } from '../../runtime/device-tensor.ts';
import { adamFactors } from '../adamw.ts';
import { checkAdam, checkBatch, checkForwardOptions, checkLoss, checkScores } from '../check.ts';
import type { LearnerStatistics, Learning, Moments } from '../learning.ts';
import { pack, type Pack } from '../packing.ts';
import { emptyScores, scoresOf, spread } from '../scored.ts';
import { shardsOf, type Shard } from '../replicas/shards.ts';
import { roomForActivations } from './arena.ts';
import { openKernels } from './kernels/open.ts';
import { KernelNetwork } from './kernels/kernel-network.ts';
import { DeviceNetwork, type Pass, type PassRunner } from './network.ts';
import { DeviceOptimizer } from './optimizer.ts';
import { keepAlone, keptPasses, rowsThatFit, sizeOf, type Keep, type PassKind } from './plan.ts';

export interface DeviceLearnerOptions {
  /** Rows that go through the network together, at most. Default: by what is free. */
  readonly packRows?: number | undefined;
  /** Bytes of activations to keep between forward and backward. Default: by what is free. */
  readonly activationBudget?: number | undefined;
  /** Memory for activations is asked for in pieces of at least so many bytes. Default 64 MiB. */
  readonly pieceBytes?: number | undefined;
  /** Products of float32 in the card's short form. */
  readonly tf32?: boolean | undefined;
  /** Kernels of our own instead of graphs. Default: on a card, for the models they know; on the device for tests where it is asked for. */
  readonly kernels?: boolean | undefined;
}

/** A shard on its way through a call. */
interface Work {
  readonly shard: Shard;
  readonly data: readonly Datum[];
  readonly pack: Pack;
  readonly keep: Keep;
}

/** Logits that exist at once where there is room. */
const mostLogits = 2 ** 28;
/** Of what weights and moments leave; sampling has the rest. */
const shareOfActivations = 0.5;

export class DeviceLearner implements Learning {
  private readonly network: PassRunner;
  private readonly optimizer: DeviceOptimizer;
  private readonly logits: number;
  private readonly kind: PassKind;
  private readonly gradients = new Map<string, DeviceTensor>();
  private sum: DeviceTensor | undefined;
  private filled = false;
  private mark: { readonly gradient: DeviceTensor; set: boolean } | undefined;
  private moments: { readonly mean: DeviceTensor; readonly square: DeviceTensor } | undefined;
  private steps = 0;

  constructor(
    private readonly weights: DeviceWeights,
    private readonly options: DeviceLearnerOptions = {},
  ) {
    const { device, config, layout } = weights;
    this.logits = Math.max(32 * config.vocabulary, Math.min(mostLogits, Math.floor(device.memory().total / 320)));
    const kernels = openKernels(weights, options);
    this.network = kernels
      ? new KernelNetwork(weights, kernels, this.logits, options.pieceBytes)
      : new DeviceNetwork(weights, options.tf32 === true, this.logits, options.pieceBytes);
    this.optimizer = new DeviceOptimizer(device, layout, kernels);
    this.kind = { config, numbers: weights.type, kernels: kernels !== undefined, logits: this.logits };
  }

  async forward(batch: readonly Datum[], options: ForwardOptions = {}): Promise<TokenScores[]> {
    const { config } = this.weights;
    checkBatch(batch, config);
    checkForwardOptions(options, config);
    const scores = emptyScores(batch, options.entropy === true);
    await this.whole(options.signal, async () => {
      for (const shard of this.shardsOf(batch)) {
        const data = shard.data.map((index) => at(batch, index));
        const pass = await this.network.forward(pack(data), { ...passOptions(options), keep: 'nothing' });
        scoresOf(data, pass).forEach((one, i) => (scores[at(shard.data, i)] = one));
      }
    });
    checkScores(scores);
    return scores;
  }

  forwardBackward(batch: readonly Datum[], loss: Loss, options: ForwardOptions = {}): Promise<LossReport> {
    return this.whole(options.signal, async () => {
      const { config } = this.weights;
      checkBatch(batch, config);
      checkForwardOptions(options, config);
      this.prepareGradient();
      const work = this.workOf(batch);
      const passes: (Pass | undefined)[] = [];
      const scores = emptyScores(batch, options.entropy === true);
      for (const { shard, data, pack: rows, keep } of work) {
        const pass = await this.network.forward(rows, { ...passOptions(options), keep });
        passes.push(keep === 'nothing' ? undefined : pass);
        scoresOf(data, pass).forEach((one, i) => (scores[at(shard.data, i)] = one));
      }
      checkScores(scores);
      const result = loss(scores);
      checkLoss(result, scores);
      options.signal?.throwIfAborted();
      await this.backwardAll(work, passes, result, options);
      return {
        loss: result.loss,
        scores,
        metrics: result.metrics ?? {},
        computedTokens: work.reduce((sum, { shard }) => sum + shard.rows, 0),
        tokens: batch.reduce((sum, { tokens }) => sum + tokens.length, 0),
      };
    });
  }

  async optimStep(adam: AdamParams): Promise<Required<OptimReport>> {
    checkAdam(adam);
    const { sum, filled, weights } = this;
    if (!sum || !filled || !weights.master) {
      throw new AgogeError('ENGINE_NO_GRADIENT', 'there is no gradient to step along: call forwardBackward before optimStep');
    }
    const { learningRate, beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8, weightDecay = 0, clipNorm = 0, embeddingRate = 1 } = adam;
    const { mean, square } = this.prepareMoments();
    const gradientNorm = Math.sqrt(await this.optimizer.squares(sum));
    this.clearGradient();
    if (!Number.isFinite(gradientNorm)) {
      throw new AgogeError(
        'ENGINE_NONFINITE_GRADIENT',
        'the gradient is not finite and was thrown away, the weights are unchanged: lower the learning rate or go back to an earlier checkpoint',
      );
    }
    const scale = clipNorm > 0 && gradientNorm > clipNorm ? clipNorm / gradientNorm : 1;
    const step = ++this.steps;
    const factors = adamFactors({ learningRate, beta1, beta2, epsilon, weightDecay, embeddingRate }, step, scale);
    const refreshed = await this.optimizer.update(
      { weights: weights.master, gradient: sum, mean, square, narrowed: weights.narrowed },
      factors,
    );
    if (!refreshed) await weights.refresh();
    return { gradientNorm, step };
  }

  /** Where there is no room for it, nothing is marked and agreement is not known: a measure ends no run. */
  async markGradient(): Promise<void> {
    if (!this.mark && this.owedBytes > this.weights.device.memory().free) return;
    const mark = (this.mark ??= { gradient: this.buffer(), set: false });
    mark.set = this.filled;
    if (this.filled && this.sum) mark.gradient.copyFrom(this.sum);
  }

  async agreement(): Promise<number | undefined> {
    const mark = this.mark?.set === true ? this.mark.gradient : undefined;
    if (!mark || !this.filled || !this.sum) return undefined;
    const [product, before, since] = await this.optimizer.compare(this.sum, mark);
    return before && since ? product / Math.sqrt(before * since) : undefined;
  }

  get hasGradient(): boolean {
    return this.filled;
  }

  async gradient(): Promise<Float32Array | undefined> {
    if (!this.filled || !this.sum) return undefined;
    return this.sum.download(new Float32Array(this.sum.elements));
  }

  get hasMoments(): boolean {
    return this.moments !== undefined;
  }

  get step(): number {
    return this.steps;
  }

  async momentsOf(name: string): Promise<Moments> {
    const { mean, square } = this.prepareMoments();
    const { offset, length } = slotOf(this.weights.layout, name);
    const of = (tensor: DeviceTensor): Promise<Float32Array> => tensor.download(new Float32Array(length), offset);
    return { mean: await of(mean), square: await of(square) };
  }

  async restore(step: number, moments: Iterable<readonly [string, Moments]>): Promise<void> {
    const mine = this.prepareMoments();
    for (const [name, { mean, square }] of moments) {
      const { offset } = slotOf(this.weights.layout, name);
      mine.mean.upload(mean, offset);
      mine.square.upload(square, offset);
    }
    this.steps = step;
  }

  forget(): void {
    this.clearGradient();
    this.moments?.mean.zero();
    this.moments?.square.zero();
    this.steps = 0;
  }

  get statistics(): LearnerStatistics {
    return { arenaBytes: this.network.bytes, sessions: this.network.sessionCount };
  }

  async close(): Promise<void> {
    await this.weights.device.settled();
    this.network[Symbol.dispose]();
    this.optimizer[Symbol.dispose]();
    for (const tensor of this.gradients.values()) tensor[Symbol.dispose]();
    for (const tensor of [this.sum, this.mark?.gradient, this.moments?.mean, this.moments?.square]) tensor?.[Symbol.dispose]();
  }

  /** From the last to the first, so that what was kept is given back in the reverse order. */
  private async backwardAll(
    work: readonly Work[],
    passes: readonly (Pass | undefined)[],
    { gradient, entropyGradient }: ReturnType<Loss>,
    options: ForwardOptions,
  ): Promise<void> {
    try {
      for (let i = work.length - 1; i >= 0; i--) {
        const { shard, pack: rows } = at(work, i);
        const pass =
          passes[i] ??
          (await this.network.forward(rows, {
            ...passOptions(options),
            keep: keepAlone(this.kind, sizeOf(rows), this.budget()),
          }));
        const of = (values: readonly Float32Array[]): Float32Array =>
          spread(
            rows,
            shard.data.map((index) => at(values, index)),
          );
        const entropy = entropyGradient && options.entropy === true ? of(entropyGradient) : undefined;
        await this.network.backward(pass, (name) => this.gradientOf(name), of(gradient), entropy);
        this.network.release(pass);
      }
      this.filled = true;
    } catch (thrown) {
      // Half a gradient is worse than none.
      this.clearGradient();
      throw thrown;
    }
  }

  /** A call that leaves nothing behind when it fails. */
  private async whole<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const mark = this.network.arena.mark();
    try {
      const result = await work();
      if (!this.kind.kernels) await this.weights.device.scratch.trim();
      return result;
    } catch (thrown) {
      if (signal?.aborted !== true) throw thrown;
      throw new AgogeError('ENGINE_CANCELLED', 'the engine call was cancelled; start it again when it is wanted', {
        cause: signal.reason,
      });
    } finally {
      this.network.abandon();
      this.network.arena.rewind(mark);
    }
  }

  private shardsOf(batch: readonly Datum[]): Shard[] {
    const { config } = this.weights;
    const rows = this.options.packRows ?? this.rows();
    return shardsOf(batch, config, { enough: rows, most: rows, cutsFamilies: false });
  }

  /** By the size of the device and not by what is free now: other packs would add up to other bits after a resume. */
  private rows(): number {
    const { device, bytes } = this.weights;
    const model = bytes + 3 * this.bufferBytes;
    return rowsThatFit(this.kind, shareOfActivations * (device.memory().total - model));
  }

  /** The packs of a batch and what each keeps until its turn to go back. */
  private workOf(batch: readonly Datum[]): Work[] {
    const work = this.shardsOf(batch).map((shard) => {
      const data = shard.data.map((index) => at(batch, index));
      return { shard, data, pack: pack(data) };
    });
    const sizes = work.map(({ pack: rows }) => sizeOf(rows));
    const budget = this.budget();
    const { keeps, kept, transient } = keptPasses(this.kind, sizes, budget);
    if (transient < budget) this.network.reserve(Math.min(kept, budget - transient), transient, budget);
    else this.network.giveBack();
    return work.map((one, i) => ({ ...one, keep: at(keeps, i) }));
  }

  /** Bytes for activations: what is free or idle, and what the arenas use already, less what the first step has still to take. */
  private budget(): number {
    const room = roomForActivations(this.weights.device, this.network.inUse) - this.owedBytes;
    return this.options.activationBudget ?? Math.max(0, room);
  }

  /** Of moments and mark: they come with the first step, when activations have taken their room. */
  private get owedBytes(): number {
    return ((this.moments ? 0 : 2) + (this.mark ? 0 : 1)) * this.bufferBytes;
  }

  private get bufferBytes(): number {
    return 4 * this.weights.layout.length;
  }

  private gradientOf(name: string): DeviceTensor {
    let tensor = this.gradients.get(name);
    if (!tensor) {
      const { offset, shape } = slotOf(this.weights.layout, name);
      if (!this.sum) throw new TypeError('there is no gradient yet');
      this.gradients.set(name, (tensor = this.sum.part(shape, offset)));
    }
    return tensor;
  }

  /** Gradients add to what is there, which is zero before the first pass of a step. */
  private prepareGradient(): void {
    if (this.filled) return;
    if (!this.sum) this.refuseIfTooLarge();
    this.sum ??= this.buffer();
    this.sum.zero();
  }

  /** A gradient and both moments are needed before the first step is done: better refused than begun. */
  private refuseIfTooLarge(): void {
    const { device } = this.weights;
    const needed = (this.moments ? 1 : 3) * this.bufferBytes;
    const { free, byBound } = device.memory();
    const room = free + device.ledger.idle;
    if (needed > room) throw outOfMemory(needed, { free: room, byBound });
  }

  private prepareMoments(): { readonly mean: DeviceTensor; readonly square: DeviceTensor } {
    if (!this.moments) {
      this.moments = { mean: this.buffer(), square: this.buffer() };
      this.moments.mean.zero();
      this.moments.square.zero();
    }
    return this.moments;
  }

  private buffer(): DeviceTensor {
    return DeviceTensor.create(this.weights.device, 'float32', [this.weights.layout.length], 'training');
  }

  private clearGradient(): void {
    this.filled = false;
    if (this.mark) this.mark.set = false;
  }
}

function passOptions({ entropy = false, temperature = 1, signal }: ForwardOptions): {
  entropy: boolean;
  temperature: number;
  signal: AbortSignal | undefined;
} {
  return { entropy, temperature, signal };
}
