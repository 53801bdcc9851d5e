/** The head on the scored rows of a pack, forward and backward, in chunks whose logits fit beside everything else. */
import type { ModelConfig } from '../../network/config.ts';
import type { DeviceTensor } from '../../runtime/device-tensor.ts';
import type { Pack } from '../packing.ts';
import type { DeviceArena } from './arena.ts';
import { rowSums, sumRows, uploadRowSums } from './row-sums.ts';
import type { DeviceSessions, DeviceTensors } from './sessions.ts';

export interface DeviceHeadParts {
  readonly config: ModelConfig;
  readonly sessions: DeviceSessions;
  readonly arena: DeviceArena;
  /** Logits that exist at once. */
  readonly logits: number;
}

export interface DeviceHeadPass {
  readonly pack: Pack;
  /** Output of the last block. */
  readonly x: DeviceTensor;
  /** norm and output, or norm, score and bias; for `headBackward` with their gradients. */
  readonly weights: DeviceTensors;
  readonly temperature: number;
  readonly signal?: AbortSignal | undefined;
}

/** Scores of all scored tokens, and entropies where they are asked for. */
export async function headForward(
  parts: DeviceHeadParts,
  pass: DeviceHeadPass,
  withEntropy: boolean,
): Promise<{ readonly scores: Float32Array; readonly entropy: Float32Array | undefined }> {
  const { arena, sessions, config } = parts;
  const mark = arena.mark();
  const count = pass.pack.scored.rows.length;
  const scores = arena.take('float32', [count, 1]);
  const entropy = withEntropy ? arena.take('float32', [count, 1]) : undefined;
  for (const chunk of chunksOf(parts, count)) {
    const inner = arena.mark();
    const column = (tensor: DeviceTensor): DeviceTensor => tensor.part([chunk.count, 1], chunk.first);
    using scoresHere = column(scores);
    using entropyHere = entropy && column(entropy);
    const tensors = { ...chunkTensors(parts, pass, chunk), scores: scoresHere, ...(entropyHere && { entropy: entropyHere }) };
    if (config.head === 'value') await sessions.values('forward', tensors, pass.signal);
    else await sessions.head(withEntropy ? 'forwardEntropy' : 'forward', tensors, pass.signal);
    arena.rewind(inner);
  }
  const result = {
    scores: await scores.download(new Float32Array(count)),
    entropy: entropy && (await entropy.download(new Float32Array(count))),
  };
  arena.rewind(mark);
  return result;
}

/** Writes dx, the gradient of the last block's output; those of the head's weights add to what is there. */
export async function headBackward(
  parts: DeviceHeadParts,
  pass: DeviceHeadPass,
  {
    dx,
    scoreWeights,
    entropyWeights,
  }: { dx: DeviceTensor; scoreWeights: Float32Array; entropyWeights: Float32Array | undefined },
): Promise<void> {
  const { arena, sessions, config } = parts;
  const { rows } = pass.pack.scored;
  const mark = arena.mark();
  const scored = arena.take('float32', [rows.length + 1, config.hidden]);
  using zeros = scored.part([1, config.hidden], rows.length * config.hidden);
  zeros.zero();
  const sums = uploadRowSums(rowSums(rows, pass.pack.rows), arena);
  for (const chunk of chunksOf(parts, rows.length)) {
    const inner = arena.mark();
    const column = (values: Float32Array): DeviceTensor => {
      const tensor = arena.take('float32', [chunk.count, 1]);
      tensor.upload(values.subarray(chunk.first, chunk.first + chunk.count));
      return tensor;
    };
    using here = scored.part([chunk.count, config.hidden], chunk.first * config.hidden);
    const tensors = { ...chunkTensors(parts, pass, chunk), dx: here, weight: column(scoreWeights) };
    if (config.head === 'value') await sessions.values('backward', tensors, pass.signal);
    else if (entropyWeights)
      await sessions.head('backwardEntropy', { ...tensors, entropyWeight: column(entropyWeights) }, pass.signal);
    else await sessions.head('backward', tensors, pass.signal);
    arena.rewind(inner);
  }
  await sumRows(sessions, arena, sums, scored, dx);
  arena.rewind(mark);
}

interface Chunk {
  readonly first: number;
  readonly count: number;
}

function chunksOf({ config, logits }: DeviceHeadParts, scored: number): Chunk[] {
  const most = config.head === 'value' ? 1 << 20 : Math.max(32, Math.floor(logits / config.vocabulary));
  return Array.from({ length: Math.ceil(scored / most) }, (_, i) => ({
    first: i * most,
    count: Math.min(most, scored - i * most),
  }));
}

function chunkTensors(
  { arena, config }: DeviceHeadParts,
  { pack, x, weights, temperature }: DeviceHeadPass,
  { first, count }: Chunk,
): DeviceTensors {
  const targets = pack.scored.targets.slice(first, first + count);
  const rows = arena.take('int32', [count]);
  rows.upload(pack.scored.rows.slice(first, first + count));
  if (config.head === 'value') {
    const ones = arena.take('float32', [count, 1]);
    ones.upload(new Float32Array(count).fill(1));
    return { ...weights, x, rows, ones };
  }
  const places = arena.take('int64', [count, 2]);
  places.upload(BigInt64Array.from({ length: 2 * count }, (_, i) => BigInt(i % 2 === 0 ? i / 2 : (targets[i >> 1] as number))));
  const target = arena.take('int32', [count, 1]);
  target.upload(targets);
  const inverseTemperature = arena.take('float32', []);
  inverseTemperature.upload(Float32Array.of(1 / temperature));
  return { ...weights, x, rows, places, targets: target, inverseTemperature };
}
