/**
 * The learning half of the engine: scores of a batch, gradients of any loss on them, AdamW. A batch is packed (train/packing.ts);
 * the loss sees all scores at once, between the forward and the backward passes. Packs whose activations do not fit the budget
 * are run forward once more before their backward pass; how many these are changes neither scores nor the order of sums.
 */
import { AgogeError } from '../../../core/error.ts';
import type { AdamParams, Datum, ForwardOptions, Loss, LossReport, OptimReport, TokenScores } from '../../engine.ts';
import type { ModelConfig } from '../network/config.ts';
import type { WeightLayout } from '../network/layout.ts';
import { AdamW, type AdamState } from './adamw.ts';
import { checkAdam, checkBatch, checkForwardOptions, checkLoss, checkScores } from './check.ts';
import { activationBytes, refuseIfTooLarge } from '../memory.ts';
import { Network, type Pass } from './network.ts';
import { pack, type Pack } from './packing.ts';

export interface LearnerOptions {
  /** Rows that go through the network together. */
  readonly packRows?: number | undefined;
  /** Bytes of activations to keep between forward and backward. */
  readonly activationBudget?: number | undefined;
}

export interface LearnerStatistics {
  readonly arenaBytes: number;
  readonly sessions: number;
}

export class Learner implements Disposable {
  private readonly network: Network;
  private readonly packRows: number;
  private readonly activationBudget: number;
  private adam: AdamW | undefined;
  private moments: AdamState | undefined;

  constructor(
    private readonly config: ModelConfig,
    private readonly layout: WeightLayout,
    private readonly weights: Float32Array,
    options: LearnerOptions = {},
  ) {
    this.network = new Network(config, layout, weights);
    this.packRows = options.packRows ?? 4096;
    this.activationBudget = options.activationBudget ?? Math.min(4 * 2 ** 30, process.availableMemory() / 2);
  }

  async forward(batch: readonly Datum[], options: ForwardOptions = {}): Promise<TokenScores[]> {
    checkBatch(batch, this.config);
    checkForwardOptions(options, this.config);
    const scores = emptyScores(batch, options.entropy === true);
    for (const next of pack(batch, this.packRows)) {
      const pass = await this.network.forward(next, this.passOptions(options, false));
      collect(scores, pass);
    }
    checkScores(scores);
    return scores;
  }

  async forwardBackward(batch: readonly Datum[], loss: Loss, options: ForwardOptions = {}): Promise<LossReport> {
    checkBatch(batch, this.config);
    checkForwardOptions(options, this.config);
    const packs = pack(batch, this.packRows);
    this.refuseIfTooLarge(packs);
    const scores = emptyScores(batch, options.entropy === true);
    const passes: Pass[] = [];
    try {
      await this.forwardAll(packs, options, scores, passes);
      checkScores(scores);
      const result = loss(scores);
      checkLoss(result, scores);
      await this.backwardAll(packs, passes, result, options);
      return {
        loss: result.loss,
        scores,
        metrics: result.metrics ?? {},
        computedTokens: packs.reduce((sum, { rows }) => sum + rows, 0),
        tokens: batch.reduce((sum, { tokens }) => sum + tokens.length, 0),
      };
    } finally {
      for (const pass of passes.reverse()) this.network.release(pass);
    }
  }

  async optimStep(adam: AdamParams): Promise<OptimReport> {
    checkAdam(adam);
    const { gradient } = this.network;
    if (!gradient || !this.network.hasGradient) {
      throw new AgogeError('ENGINE_NO_GRADIENT', 'there is no gradient to step along: call forwardBackward before optimStep');
    }
    const { learningRate, beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8, weightDecay = 0, clipNorm = 0, embeddingRate = 1 } = adam;
    this.adam ??= new AdamW(this.layout, this.weights, gradient, this.adamState());
    const gradientNorm = await this.adam.gradientNorm();
    if (!Number.isFinite(gradientNorm)) {
      this.network.clearGradient();
      throw new AgogeError(
        'ENGINE_NONFINITE_GRADIENT',
        'the gradient is not finite and was thrown away, the weights are unchanged: lower the learning rate or go back to an earlier checkpoint',
      );
    }
    const scale = clipNorm > 0 && gradientNorm > clipNorm ? clipNorm / gradientNorm : 1;
    await this.adam.apply({ learningRate, beta1, beta2, epsilon, weightDecay, embeddingRate }, scale);
    this.network.clearGradient();
    return { gradientNorm, step: this.adam.state.step };
  }

  /** Moments and step count of AdamW, to be saved, or to be filled by a load. */
  adamState(): AdamState {
    this.moments ??= { mean: floats(this.layout.length), square: floats(this.layout.length), step: 0 };
    return this.moments;
  }

  /** Bytes of activations that the arena holds, and compiled graphs: both stop growing once every kind of batch was seen. */
  get statistics(): LearnerStatistics {
    return { arenaBytes: this.network.arena.bytes, sessions: this.network.sessionCount };
  }

  /** Whether a step was taken, so that there are moments worth saving. */
  get hasMoments(): boolean {
    return this.moments !== undefined;
  }

  /** Starts AdamW afresh, and drops gradients that belong to other weights. */
  forget(): void {
    this.network.clearGradient();
    this.moments?.mean.fill(0);
    this.moments?.square.fill(0);
    if (this.moments) this.moments.step = 0;
  }

  /** The accumulated gradient, laid out like the weights; undefined when there is none. */
  get gradient(): Float32Array | undefined {
    return this.network.hasGradient ? this.network.gradient : undefined;
  }

  [Symbol.dispose](): void {
    this.adam?.[Symbol.dispose]();
    this.network[Symbol.dispose]();
  }

  /** Passes are pushed for as many of the last packs as fit the budget; the rest only give their scores. */
  private async forwardAll(
    packs: readonly Pack[],
    options: ForwardOptions,
    scores: TokenScores[],
    passes: Pass[],
  ): Promise<void> {
    const sizes = packs.map((each) => activationBytes(this.config, each));
    let firstKept = packs.length - 1;
    let left = this.activationBudget - (sizes[firstKept] ?? 0);
    while (firstKept > 0 && (left -= sizes[firstKept - 1] ?? 0) >= 0) firstKept--;
    for (const [i, next] of packs.entries()) {
      const pass = await this.network.forward(next, this.passOptions(options, true));
      collect(scores, pass);
      if (i >= firstKept) passes.push(pass);
      else this.network.release(pass);
    }
  }

  private async backwardAll(
    packs: readonly Pack[],
    passes: Pass[],
    result: ReturnType<Loss>,
    options: ForwardOptions,
  ): Promise<void> {
    const weightsFor = (pass: Pass): [Float32Array, Float32Array | undefined] => [
      spread(pass.pack, result.gradient),
      result.entropyGradient && options.entropy ? spread(pass.pack, result.entropyGradient) : undefined,
    ];
    const remaining = packs.slice(0, packs.length - passes.length).reverse();
    try {
      for (let pass = passes.at(-1); pass; pass = passes.at(-1)) {
        await this.network.backward(pass, ...weightsFor(pass));
        passes.pop();
        this.network.release(pass);
      }
      for (const next of remaining) {
        const pass = await this.network.forward(next, this.passOptions(options, true));
        passes.push(pass);
        await this.network.backward(pass, ...weightsFor(pass));
        passes.pop();
        this.network.release(pass);
      }
    } catch (thrown) {
      // Half a gradient is worse than none.
      this.network.clearGradient();
      throw thrown;
    }
  }

  /** At least one pack has to keep its activations; the arena has some of their memory already. */
  private refuseIfTooLarge(packs: readonly Pack[]): void {
    const largest = Math.max(0, ...packs.map((each) => activationBytes(this.config, each)));
    const rows = Math.max(0, ...packs.map((each) => each.rows));
    refuseIfTooLarge(largest - this.network.arena.bytes, `training on ${rows} tokens at once`);
  }

  private passOptions(options: ForwardOptions, keep: boolean): Parameters<Network['forward']>[1] {
    const { entropy = false, temperature = 1, signal } = options;
    return { keep, entropy, temperature, signal };
  }
}

function emptyScores(batch: readonly Datum[], entropy: boolean): TokenScores[] {
  return batch.map(({ mask }) => {
    let scored = 0;
    for (const flag of mask) scored += flag;
    return { scores: new Float32Array(scored), ...(entropy && { entropy: new Float32Array(scored) }) };
  });
}

function collect(scores: readonly TokenScores[], { pack: { scored }, scores: values, entropy }: Pass): void {
  for (let i = 0; i < values.length; i++) {
    const target = scores[scored.datums[i] as number];
    const place = scored.places[i] as number;
    if (!target) continue;
    target.scores[place] = values[i] as number;
    if (entropy && target.entropy) target.entropy[place] = entropy[i] as number;
  }
}

/** Gradients per datum as one array in the pack's order. */
function spread({ scored }: Pack, gradients: readonly Float32Array[]): Float32Array {
  const result = new Float32Array(new ArrayBuffer(4 * scored.rows.length));
  for (let i = 0; i < result.length; i++) result[i] = gradients[scored.datums[i] as number]?.[scored.places[i] as number] ?? 0;
  return result;
}

function floats(length: number): Float32Array {
  return new Float32Array(new ArrayBuffer(4 * length));
}
