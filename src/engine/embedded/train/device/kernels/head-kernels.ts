/** The output layer on the scored rows of a pack by kernels, in chunks whose logits fit: scores and entropies, and the gradient of the last norm's input. */
import { outputWeight } from '../../../network/layout.ts';
import type { DeviceTensor } from '../../../runtime/device-tensor.ts';
import type { Pack } from '../../packing.ts';
import type { DeviceArena } from '../arena.ts';
import { normStep, project, projectBackward, type BlockParts, type BlockTensor, type StreamGradient } from './block-kernels.ts';
import { byTarget } from './tile-plan.ts';

export interface HeadParts extends Pick<BlockParts, 'config' | 'numbers' | 'kernels' | 'scratch' | 'rows'> {
  readonly pack: Pack;
  readonly temperature: number;
  /** Logits that exist at once. */
  readonly logits: number;
}

/** What the head's forward leaves for its backward. `x` is the last block's output, `h` its normed form by scored row. */
export interface HeadKept {
  readonly x: DeviceTensor;
  readonly inverse: DeviceTensor;
  readonly h: DeviceTensor;
  readonly targets: DeviceTensor;
  readonly lse: DeviceTensor;
  readonly entropy: DeviceTensor | undefined;
}

export function headKept(parts: HeadParts, arena: DeviceArena, x: DeviceTensor, entropy: boolean): HeadKept {
  const { config, numbers, rows, pack } = parts;
  const scored = pack.scored.rows.length;
  const targets = arena.take('int32', [scored]);
  targets.upload(pack.scored.targets);
  return {
    x,
    inverse: arena.take('float32', [rows]),
    h: arena.take(numbers, [scored, config.hidden]),
    targets,
    lse: arena.take('float32', [scored]),
    entropy: entropy ? arena.take('float32', [scored]) : undefined,
  };
}

/** From the normed rows: scores of all scored tokens, and entropies where there is room for them. */
export async function headForward(
  parts: HeadParts,
  weight: BlockTensor,
  kept: HeadKept,
  normed: DeviceTensor,
): Promise<{ readonly scores: Float32Array; readonly entropy: Float32Array | undefined }> {
  const { config, kernels, scratch, pack } = parts;
  const scored = pack.scored.rows.length;
  const mark = scratch.mark();
  const { offsets, items } = sent(scratch, {
    offsets: Int32Array.from({ length: scored + 1 }, (_, i) => i),
    items: pack.scored.rows,
  });
  kernels.gatherSum({ source: normed, offsets, items, target: kept.h, count: scored, width: config.hidden });
  const scores = scratch.take('float32', [scored]);
  for (const chunk of chunksOf(parts)) {
    const inner = scratch.mark();
    const logits = logitsOf(parts, weight, kept, chunk);
    const part = (tensor: DeviceTensor): DeviceTensor => scratch.within(tensor, [chunk.count], chunk.first);
    kernels.crossEntropy({
      ...{ logits, targets: part(kept.targets), scores: part(scores), lse: part(kept.lse) },
      ...{ entropy: kept.entropy && part(kept.entropy), count: chunk.count, vocabulary: config.vocabulary },
      inverseTemperature: 1 / parts.temperature,
    });
    scratch.rewind(inner);
  }
  const result = {
    scores: await scores.download(new Float32Array(scored)),
    entropy: kept.entropy && (await kept.entropy.download(new Float32Array(scored))),
  };
  scratch.rewind(mark);
  return result;
}

/** Writes the stream's gradient at the last block's output, and adds those of the head's weights. */
export function headBackward(
  parts: HeadParts,
  weight: BlockTensor,
  gradient: BlockTensor,
  kept: HeadKept,
  slopes: { readonly scores: Float32Array; readonly entropy: Float32Array | undefined },
  stream: StreamGradient,
): void {
  const { config, numbers, kernels, scratch, pack, rows } = parts;
  const { hidden, vocabulary } = config;
  const mark = scratch.mark();
  const scored = pack.scored.rows.length;
  const column = (values: Float32Array): DeviceTensor => {
    const tensor = scratch.take('float32', [scored]);
    tensor.upload(values);
    return tensor;
  };
  const [scoreSlopes, entropySlopes] = [column(slopes.scores), slopes.entropy && column(slopes.entropy)];
  const dh = scratch.take(numbers, [scored, hidden]);
  for (const chunk of chunksOf(parts)) {
    const inner = scratch.mark();
    const part = (tensor: DeviceTensor): DeviceTensor => scratch.within(tensor, [chunk.count], chunk.first);
    const rowsOf = (tensor: DeviceTensor): DeviceTensor => scratch.within(tensor, [chunk.count, hidden], chunk.first * hidden);
    const logits = logitsOf(parts, weight, kept, chunk);
    kernels.crossEntropyBackward({
      ...{ logits, targets: part(kept.targets), weight: part(scoreSlopes), entropyWeight: entropySlopes && part(entropySlopes) },
      ...{ lse: part(kept.lse), entropy: kept.entropy && part(kept.entropy), count: chunk.count, vocabulary },
      inverseTemperature: 1 / parts.temperature,
    });
    const output = outputWeight(config);
    const of = { weight: weight(output), gradient: gradient(output), dy: logits, x: rowsOf(kept.h), dx: rowsOf(dh) };
    projectBackward(kernels, of, chunk.count, hidden, vocabulary);
    scratch.rewind(inner);
  }
  const byRow = scratch.take(numbers, [rows, hidden]);
  const { offsets, items } = sent(scratch, byTarget(pack.scored.rows, rows));
  kernels.gatherSum({ source: dh, offsets, items, target: byRow, count: rows, width: hidden });
  const name = 'model.norm.weight';
  const norm = { weight: weight(name), gradient: gradient(name), dh: byRow, x: kept.x, inverse: kept.inverse };
  normStep(parts, norm, stream, false);
  scratch.rewind(mark);
}

interface Chunk {
  readonly first: number;
  readonly count: number;
}

function chunksOf({ config, logits, pack }: HeadParts): Chunk[] {
  const scored = pack.scored.rows.length;
  const most = Math.max(32, Math.floor(logits / config.vocabulary));
  // Chunks of one size: the last one would be computed at half the card's speed if it were small.
  const count = Math.ceil(scored / most);
  const size = count > 0 ? 8 * Math.ceil(scored / count / 8) : 0;
  return Array.from({ length: count }, (_, i) => ({ first: i * size, count: Math.min(size, scored - i * size) })).filter(
    (chunk) => chunk.count > 0,
  );
}

function logitsOf(
  { config, numbers, kernels, scratch }: HeadParts,
  weight: BlockTensor,
  { h }: HeadKept,
  { first, count }: Chunk,
): DeviceTensor {
  const { hidden, vocabulary } = config;
  const logits = scratch.take(numbers, [count, vocabulary]);
  project(
    kernels,
    scratch.within(h, [count, hidden], first * hidden),
    weight(outputWeight(config)),
    logits,
    count,
    hidden,
    vocabulary,
  );
  return logits;
}

function sent<Names extends string>(scratch: DeviceArena, arrays: Record<Names, Int32Array>): Record<Names, DeviceTensor> {
  const send = (values: Int32Array): DeviceTensor => {
    const tensor = scratch.take('int32', [values.length]);
    tensor.upload(values);
    return tensor;
  };
  return Object.fromEntries(Object.entries<Int32Array>(arrays).map(([name, values]) => [name, send(values)])) as Record<
    Names,
    DeviceTensor
  >;
}
