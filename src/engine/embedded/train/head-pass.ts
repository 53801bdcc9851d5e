/**
 * The head on the scored rows of a pack, forward and backward, in chunks so that the logits of long batches need not exist all
 * at once. Forward gives the scores; backward takes dL/dscore and adds to dx, the gradient of the last block's output.
 */
import type { ModelConfig } from '../network/config.ts';
import { Tensor } from '../runtime/tensor.ts';
import type { Arena } from './arena.ts';
import type { Pack } from './packing.ts';
import { addRows, subtractOnes } from './rows.ts';
import { runOnce, type NetworkSessions } from './sessions.ts';
import type { Tensors, WeightTensors } from './weight-tensors.ts';

/** Scored tokens [first, first + count) of the pack, whose scores were computed together. */
export interface HeadChunk {
  readonly first: number;
  readonly count: number;
  readonly tensors: Tensors;
}

/** What a head needs of its network. */
export interface HeadParts {
  readonly config: ModelConfig;
  readonly sessions: NetworkSessions;
  readonly weights: WeightTensors;
  readonly arena: Arena;
}

export interface HeadForward {
  readonly pack: Pack;
  /** Output of the last block. */
  readonly x: Tensor;
  /** To be filled, one per scored token. */
  readonly scores: Float32Array;
  readonly entropy: Float32Array | undefined;
  readonly temperature: number;
  /** Chunks stay in the arena for `headBackward`. */
  readonly keep: boolean;
}

export function headForward({ config, sessions, weights, arena }: HeadParts, pass: HeadForward): HeadChunk[] {
  const { vocabulary } = config;
  const { pack, x, scores, entropy, keep } = pass;
  const language = config.head === 'language';
  const chunks: HeadChunk[] = [];
  const session = sessions.head(entropy ? 'forwardEntropy' : 'forward', { norm: false, output: false });
  const inverseTemperature = Tensor.over(Float32Array.of(1 / pass.temperature), []);
  let first = 0;
  for (const count of chunkSizes(config, scores.length)) {
    const mark = arena.mark();
    const column = (data: Float32Array | Int32Array): Tensor => Tensor.over(data, [count, 1]);
    const wide = (): Tensor => Tensor.over(arena.take(count * vocabulary), [count, vocabulary]);
    const tensors: Tensors = {
      ...weights.head(false),
      x,
      inverseTemperature,
      rows: Tensor.over(pack.scored.rows.subarray(first, first + count), [count]),
      targets: column(pack.scored.targets.subarray(first, first + count)),
      scores: column(scores.subarray(first, first + count)),
      ...(language && { p: wide() }),
      ...(entropy && {
        z: wide(),
        negativeLogSum: column(arena.take(count)),
        entropy: column(entropy.subarray(first, first + count)),
      }),
    };
    runOnce(session, tensors);
    chunks.push({ first, count, tensors });
    first += count;
    if (!keep) arena.rewind(mark);
  }
  return chunks;
}

export interface HeadBackward {
  readonly pack: Pack;
  readonly chunks: readonly HeadChunk[];
  readonly dx: Float32Array;
  readonly scoreWeights: Float32Array;
  readonly entropyWeights: Float32Array | undefined;
  /** Whether gradients add to what is there. */
  readonly accumulate: boolean;
}

export function headBackward({ config, sessions, weights, arena }: HeadParts, pass: HeadBackward): void {
  const { pack, chunks, dx, scoreWeights, entropyWeights } = pass;
  const { vocabulary, hidden } = config;
  let { accumulate } = pass;
  if (!accumulate && chunks.length === 0) throw new TypeError('a pack without scored tokens has no gradient');
  for (const chunk of chunks) {
    const { first, count } = chunk;
    const mark = arena.mark();
    const rows = pack.scored.rows.subarray(first, first + count);
    const targets = pack.scored.targets.subarray(first, first + count);
    const weight = arena.take(count).fill(1);
    const given = scoreWeights.subarray(first, first + count);
    const tensors: Tensors = { ...chunk.tensors, ...weights.head(true) };
    if (config.head === 'value') weight.set(given);
    else if (entropyWeights && tensors.p) {
      const made = {
        scoreWeight: Tensor.over(
          given.map((value) => -value),
          [count, 1],
        ),
        entropyWeight: Tensor.over(entropyWeights.slice(first, first + count), [count, 1]),
      };
      const slope = sessions.head('entropySlope', { norm: false, output: false });
      runOnce(slope, { ...tensors, ...made, dz: tensors.p });
      for (const tensor of Object.values(made)) tensor[Symbol.dispose]();
      subtractOnes(tensors.p.data as Float32Array, targets, vocabulary, given, -1);
    } else if (tensors.p) {
      for (let i = 0; i < count; i++) weight[i] = -(given[i] as number);
      subtractOnes(tensors.p.data as Float32Array, targets, vocabulary);
    }
    const made = {
      weight: Tensor.over(weight, [count, 1]),
      dx: Tensor.over(arena.take(count * hidden), [count, hidden]),
    };
    runOnce(sessions.head('backward', { norm: accumulate, output: accumulate }), { ...tensors, ...made });
    addRows(dx, rows, made.dx.data as Float32Array, hidden);
    for (const tensor of Object.values(made)) tensor[Symbol.dispose]();
    arena.rewind(mark);
    accumulate = true;
  }
}

/** Scored rows of each chunk. */
export function chunkSizes(config: ModelConfig, scored: number): number[] {
  const most = chunkRows(config);
  return Array.from({ length: Math.ceil(scored / most) }, (_, i) => Math.min(most, scored - i * most));
}

/** Rows of the head computed together: about 16 million logits; more where every call widens the output matrix first. */
function chunkRows(config: ModelConfig): number {
  return config.head === 'value'
    ? 1 << 20
    : Math.max(32, Math.floor((config.frozen === 'bfloat16' ? 1 << 26 : 1 << 24) / config.vocabulary));
}
