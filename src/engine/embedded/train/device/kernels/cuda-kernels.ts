/** The kernels on a card: how many warps or threads each is started with, and its values in the order of its parameters. */
import type { CudaDevice } from '../../../runtime/cuda.ts';
import type { KernelArgument, KernelLaunch, Program } from '../../../runtime/cuda/program.ts';
import type { DeviceTensor } from '../../../runtime/device-tensor.ts';
import { partialRows, type Kernels, type MatrixProduct } from './kernels.ts';
import { trainingSource } from './source.ts';

type Argument = DeviceTensor | undefined | number;
type Of<Name extends keyof Kernels> = Parameters<Kernels[Name]>;

export class CudaKernels implements Kernels {
  private constructor(
    private readonly device: CudaDevice,
    private readonly program: Program,
    private readonly tf32: boolean,
  ) {}

  /** Undefined where kernels cannot be compiled here. */
  static open(device: CudaDevice, numbers: 'float32' | 'bfloat16', headSize: number, tf32: boolean): CudaKernels | undefined {
    const program = device.program(trainingSource, { HEAD: headSize, ...(numbers === 'bfloat16' && { SHORT: 1 }) });
    return program && new CudaKernels(device, program, tf32);
  }

  multiply({ a, b, target, add = false, ...rest }: MatrixProduct): void {
    const types = { type: a.type as 'float32', targetType: target.type as 'float32' };
    this.device.blas.multiply({ ...rest, ...types, a: a.place, b: b.place, target: target.place, keep: add ? 1 : 0 }, this.tf32);
  }

  addNorm({ x, delta, weight, sum, h, inverse, count, width, epsilon }: Of<'addNorm'>[0]): void {
    this.launch('addNorm', warps(count), x, delta, weight, sum, h, inverse, count, width, epsilon);
  }

  normBackward({ dh, x, inverse, weight, dy, dx, dxShort, partial, count, width }: Of<'normBackward'>[0]): void {
    // Each warp sums the weight's gradient in shared memory, of which a block has 48 KiB.
    const perBlock = Math.max(1, Math.min(4, Math.floor(49152 / (4 * width))));
    const size = { blocks: partialRows, threads: 32 * perBlock, shared: 4 * width * perBlock };
    this.launch('normBackward', size, dh, x, inverse, weight, dy, dx, dxShort, partial, count, width);
  }

  partialSums(source: DeviceTensor, partial: DeviceTensor, count: number, width: number): void {
    this.launch('partialSums', { blocks: partialRows, threads: 256 }, source, partial, count, width);
  }

  columnSums(partial: DeviceTensor, target: DeviceTensor, { stride, first, width }: Of<'columnSums'>[2]): void {
    using from = partial.part([1], first);
    this.launch('columnSums', { blocks: Math.ceil(width / 32), threads: 1024 }, from, target, partialRows, stride, width);
  }

  swiglu(gateUp: DeviceTensor, result: DeviceTensor, count: number, width: number): void {
    this.launch('swiglu', fours(count * width), gateUp, result, count, width);
  }

  swigluBackward(dResult: DeviceTensor, gateUp: DeviceTensor, dGateUp: DeviceTensor, count: number, width: number): void {
    this.launch('swigluBackward', fours(count * width), dResult, gateUp, dGateUp, count, width);
  }

  embed(table: DeviceTensor, tokens: DeviceTensor, x: DeviceTensor, count: number, width: number): void {
    this.launch('embed', fours(count * width), table, tokens, x, count, width);
  }

  embedBackward({ dx, tokens, offsets, rows, gradient, distinct, width }: Of<'embedBackward'>[0]): void {
    this.launch('embedBackward', { blocks: distinct, threads: 128 }, dx, tokens, offsets, rows, gradient, width);
  }

  squares(values: DeviceTensor, partial: DeviceTensor, count: number): void {
    this.launch('squares', { blocks: partialRows, threads: 256 }, values, partial, count);
  }

  adamw(
    { weight, gradient, mean, square, narrowed }: Of<'adamw'>[0],
    { from, to }: Of<'adamw'>[1],
    factors: Of<'adamw'>[2],
  ): void {
    const { keepMean, addMean, keepSquare, addSquare, epsilon, decay, rate } = factors;
    const buffers = [weight, gradient, mean, square, narrowed];
    const scalars = [keepMean, addMean, keepSquare, addSquare, epsilon, decay, rate];
    const blocks = Math.min(4224, Math.ceil((to - from) / 256));
    this.launch('adamw', { blocks, threads: 256 }, ...buffers, from, to, ...scalars);
  }

  gatherTiles(of: Of<'gatherTiles'>[0], { tiles, heads, keyHeads, queries, keys }: Of<'gatherTiles'>[1]): void {
    const { qkv, bias, qNorm, kNorm, cos, sin, positions, queryRows, keyRows, q, k, v, epsilon } = of;
    const weights = [qkv, bias, qNorm, kNorm, cos, sin, positions];
    const cells = tiles * heads * queries + 2 * tiles * keyHeads * keys;
    this.launch(
      'gatherTiles',
      warps(cells),
      ...weights,
      queryRows,
      keyRows,
      q,
      k,
      v,
      tiles,
      heads,
      keyHeads,
      queries,
      keys,
      epsilon,
    );
  }

  softmaxTiles(of: Of<'softmaxTiles'>[0], { tiles, heads, queries, keys }: Of<'softmaxTiles'>[1]): void {
    const { scores, weights, queryRows, keyRows, keyEnds } = of;
    const rows = [queryRows, keyRows, keyEnds];
    this.launch('softmaxTiles', warps(tiles * heads * queries), scores, weights, ...rows, tiles, heads, queries, keys);
  }

  softmaxBackward({ weights, dWeights, overlaps, dScores, cells, keys }: Of<'softmaxBackward'>[0]): void {
    this.launch('softmaxBackward', warps(cells), weights, dWeights, overlaps, dScores, cells, keys);
  }

  tilesToRows({ tiles, base, stride, rows, count, heads }: Of<'tilesToRows'>[0]): void {
    this.launch('tilesToRows', fours(rows.elements), tiles, base, stride, rows, count, heads);
  }

  rowsToTiles(of: Of<'rowsToTiles'>[0], { tiles, heads, queries }: Of<'rowsToTiles'>[1]): void {
    const { dRows, rows, queryRows, dTiles, overlaps } = of;
    this.launch('rowsToTiles', warps(tiles * heads * queries), dRows, rows, queryRows, dTiles, overlaps, tiles, heads, queries);
  }

  qkvBackward(of: Of<'qkvBackward'>[0], { heads, keyHeads }: Of<'qkvBackward'>[1]): void {
    const {
      dq,
      base,
      stride,
      dk,
      dv,
      offsets,
      cells,
      strides,
      qkv,
      bias,
      qNorm,
      kNorm,
      cos,
      sin,
      positions,
      dqkv,
      partial,
      count,
    } = of;
    const gradients = [dq, base, stride, dk, dv, offsets, cells, strides];
    const weights = [qkv, bias, qNorm, kNorm, cos, sin, positions];
    const size = partial ? { blocks: partialRows, threads: 128 } : warps(count * (heads + 2 * keyHeads));
    this.launch('qkvBackward', size, ...gradients, ...weights, dqkv, partial, count, heads, keyHeads, of.epsilon);
  }

  crossEntropy(of: Of<'crossEntropy'>[0]): void {
    const { logits, targets, scores, lse, entropy, count, vocabulary, inverseTemperature } = of;
    const size = { blocks: count, threads: 256 };
    this.launch('crossEntropy', size, logits, targets, scores, lse, entropy, vocabulary, inverseTemperature);
  }

  crossEntropyBackward(of: Of<'crossEntropyBackward'>[0]): void {
    const { logits, targets, weight, entropyWeight, lse, entropy, count, vocabulary, inverseTemperature } = of;
    const slopes = [weight, entropyWeight, lse, entropy];
    this.launch(
      'crossEntropyBackward',
      { blocks: count, threads: 256 },
      logits,
      targets,
      ...slopes,
      vocabulary,
      inverseTemperature,
    );
  }

  gatherSum({ source, offsets, items, target, count, width }: Of<'gatherSum'>[0]): void {
    this.launch('gatherSum', warps(count), source, offsets, items, target, count, width);
  }

  private launch(name: string, size: KernelLaunch, ...values: readonly Argument[]): void {
    const given = values.map((value): KernelArgument =>
      value === undefined ? 0n : typeof value === 'number' ? value : value.place,
    );
    this.program.launch(name, size, given);
  }
}

/** A warp for each, four in a block. */
function warps(count: number): KernelLaunch {
  return { blocks: Math.ceil(count / 4), threads: 128 };
}

/** A thread for every four elements. */
function fours(elements: number): KernelLaunch {
  return { blocks: Math.ceil(elements / 1024), threads: 256 };
}
