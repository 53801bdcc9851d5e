/**
 * What training on a device computes between products, each in one pass: the contract of the kernels on a card (cuda-kernels.ts) and of the same in
 * TypeScript (reference.ts), to which tests hold the code around them, and the suite for cards the kernels themselves.
 */
import type { DeviceTensor } from '../../../runtime/device-tensor.ts';

/** Tiles of one size, with their rows: -1 is padding. `keys` is a multiple of 16. */
export interface TileSizes {
  readonly tiles: number;
  readonly heads: number;
  readonly keyHeads: number;
  readonly queries: number;
  readonly keys: number;
}

/** How heads are normed and turned; norms and bias where the model has them. */
export interface HeadWeights {
  readonly bias: DeviceTensor | undefined;
  readonly qNorm: DeviceTensor | undefined;
  readonly kNorm: DeviceTensor | undefined;
  readonly cos: DeviceTensor;
  readonly sin: DeviceTensor;
  readonly positions: DeviceTensor;
  readonly epsilon: number;
}

/** A product of matrices: target = scale · op(a) · op(b), added to the target with `add`. */
export interface MatrixProduct {
  readonly a: DeviceTensor;
  readonly b: DeviceTensor;
  readonly target: DeviceTensor;
  readonly rows: number;
  readonly columns: number;
  readonly inner: number;
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  readonly scale?: number;
  readonly add?: boolean;
  /** How many, one after the other. */
  readonly count?: number;
}

/** Partial sums over rows: so many rows of them, added up by `columnSums`. */
export const partialRows = 528;

export interface Kernels {
  multiply(product: MatrixProduct): void;
  /** sum = x + delta, h = sum / rms(sum) · weight, inverse = 1 / rms. Without delta x is the sum. */
  addNorm(of: {
    readonly x: DeviceTensor;
    readonly delta?: DeviceTensor | undefined;
    readonly weight: DeviceTensor;
    readonly sum?: DeviceTensor | undefined;
    readonly h: DeviceTensor;
    readonly inverse: DeviceTensor;
    readonly count: number;
    readonly width: number;
    readonly epsilon: number;
  }): void;
  /** dx = dy + the slope of the norm, also in short form; the weight's gradient as partial sums. */
  normBackward(of: {
    readonly dh: DeviceTensor;
    readonly x: DeviceTensor;
    readonly inverse: DeviceTensor;
    readonly weight: DeviceTensor;
    readonly dy?: DeviceTensor | undefined;
    readonly dx: DeviceTensor;
    readonly dxShort: DeviceTensor | undefined;
    readonly partial: DeviceTensor;
    readonly count: number;
    readonly width: number;
  }): void;
  /** Partial sums over the rows of a matrix. */
  partialSums(source: DeviceTensor, partial: DeviceTensor, count: number, width: number): void;
  /** target += the sum of partial sums, columns `first` to `first + width` of rows of `stride`. */
  columnSums(
    partial: DeviceTensor,
    target: DeviceTensor,
    columns: { readonly stride: number; readonly first: number; readonly width: number },
  ): void;
  /** silu(gate) ∘ up, where gate and up lie side by side. */
  swiglu(gateUp: DeviceTensor, result: DeviceTensor, count: number, width: number): void;
  swigluBackward(dResult: DeviceTensor, gateUp: DeviceTensor, dGateUp: DeviceTensor, count: number, width: number): void;
  embed(table: DeviceTensor, tokens: DeviceTensor, x: DeviceTensor, count: number, width: number): void;
  /** Adds rows[offsets[i] … offsets[i + 1]] of dx to the gradient of tokens[i]. */
  embedBackward(of: {
    readonly dx: DeviceTensor;
    readonly tokens: DeviceTensor;
    readonly offsets: DeviceTensor;
    readonly rows: DeviceTensor;
    readonly gradient: DeviceTensor;
    readonly distinct: number;
    readonly width: number;
  }): void;
  /** Partial sums of squares, `partialRows` of them. */
  squares(values: DeviceTensor, partial: DeviceTensor, count: number): void;
  adamw(
    buffers: {
      readonly weight: DeviceTensor;
      readonly gradient: DeviceTensor;
      readonly mean: DeviceTensor;
      readonly square: DeviceTensor;
      readonly narrowed: DeviceTensor | undefined;
    },
    range: { readonly from: number; readonly to: number },
    factors: AdamFactors,
  ): void;
  /** Rows of [q | k | v] into tiles, normed and turned. */
  gatherTiles(
    of: HeadWeights & {
      readonly qkv: DeviceTensor;
      readonly queryRows: DeviceTensor;
      readonly keyRows: DeviceTensor;
      readonly q: DeviceTensor;
      readonly k: DeviceTensor;
      readonly v: DeviceTensor;
    },
    sizes: TileSizes,
  ): void;
  /** Softmax over what each row sees: keys with keyRow ≤ row ≤ keyEnd. */
  softmaxTiles(
    of: {
      readonly scores: DeviceTensor;
      readonly weights: DeviceTensor;
      readonly queryRows: DeviceTensor;
      readonly keyRows: DeviceTensor;
      readonly keyEnds: DeviceTensor;
    },
    sizes: TileSizes,
  ): void;
  /** dScores = weights ∘ (dWeights − overlap of the row). */
  softmaxBackward(of: {
    readonly weights: DeviceTensor;
    readonly dWeights: DeviceTensor;
    readonly overlaps: DeviceTensor;
    readonly dScores: DeviceTensor;
    readonly cells: number;
    readonly keys: number;
  }): void;
  /** Head h of row r is cell base[r] + h · stride[r] of all tiles. */
  tilesToRows(of: {
    readonly tiles: DeviceTensor;
    readonly base: DeviceTensor;
    readonly stride: DeviceTensor;
    readonly rows: DeviceTensor;
    readonly count: number;
    readonly heads: number;
  }): void;
  /** Gradients of rows into tiles, and Σ dRows ∘ rows of each head. */
  rowsToTiles(
    of: {
      readonly dRows: DeviceTensor;
      readonly rows: DeviceTensor;
      readonly queryRows: DeviceTensor;
      readonly dTiles: DeviceTensor;
      readonly overlaps: DeviceTensor;
    },
    sizes: TileSizes,
  ): void;
  /** Gradients of tiles back to rows of [q | k | v]: keys and values of a row are the sum of its cells. The norms' gradients as partial sums of both. */
  qkvBackward(
    of: HeadWeights & {
      readonly dq: DeviceTensor;
      readonly base: DeviceTensor;
      readonly stride: DeviceTensor;
      readonly dk: DeviceTensor;
      readonly dv: DeviceTensor;
      readonly offsets: DeviceTensor;
      readonly cells: DeviceTensor;
      readonly strides: DeviceTensor;
      readonly qkv: DeviceTensor;
      readonly dqkv: DeviceTensor;
      readonly partial: DeviceTensor | undefined;
      readonly count: number;
    },
    sizes: Pick<TileSizes, 'heads' | 'keyHeads'>,
  ): void;
  /** Log-probabilities of targets, log Σ exp of each row, and entropies where they are asked for. */
  crossEntropy(of: {
    readonly logits: DeviceTensor;
    readonly targets: DeviceTensor;
    readonly scores: DeviceTensor;
    readonly lse: DeviceTensor;
    readonly entropy: DeviceTensor | undefined;
    readonly count: number;
    readonly vocabulary: number;
    readonly inverseTemperature: number;
  }): void;
  /** Writes the slope of Σ weight · score + Σ entropyWeight · entropy over the logits. */
  crossEntropyBackward(of: {
    readonly logits: DeviceTensor;
    readonly targets: DeviceTensor;
    readonly weight: DeviceTensor;
    readonly entropyWeight: DeviceTensor | undefined;
    readonly lse: DeviceTensor;
    readonly entropy: DeviceTensor | undefined;
    readonly count: number;
    readonly vocabulary: number;
    readonly inverseTemperature: number;
  }): void;
  /** Row i is the sum of the source's rows items[offsets[i] … offsets[i + 1]]. */
  gatherSum(of: {
    readonly source: DeviceTensor;
    readonly offsets: DeviceTensor;
    readonly items: DeviceTensor;
    readonly target: DeviceTensor;
    readonly count: number;
    readonly width: number;
  }): void;
}

export interface AdamFactors {
  readonly keepMean: number;
  readonly addMean: number;
  readonly keepSquare: number;
  readonly addSquare: number;
  readonly epsilon: number;
  readonly decay: number;
  readonly rate: number;
}
