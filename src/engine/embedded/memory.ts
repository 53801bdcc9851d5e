/** How much memory a model needs, and the refusal before an allocation that cannot succeed. */
import { AgogeError } from '../../core/error.ts';
import { keyValueWidth, normsAfter, queryWidth, type ModelConfig } from './network/config.ts';
import { layoutOf } from './network/layout.ts';
import { trainedLayout } from './network/lora.ts';
import { accumulatorsOf } from './network/size.ts';
import { laneBytes, laneShape, samplingPlan, scratchBytes } from './sampling/capacity.ts';

/** Bytes, by what they are for. */
export interface MemoryNeed {
  readonly parameters: number;
  readonly weights: number;
  /** The copies of the weights that lanes pack for sampling; tied embeddings are in each twice, as a table and as a matrix. */
  readonly session: number;
  /** Keys and values of all sequences that are sampled at once, when all slots are full. */
  readonly keyValues: number;
  /** Scores of queries and keys while attention is computed. */
  readonly scratch: number;
  readonly sequences: number;
  readonly length: number;
  /** Gradients, the mark of one (`log.agreement`) and two moments of what is trained. */
  readonly optimizer: number;
  /** What training on `packRows` tokens at once keeps between forward and backward. */
  readonly activations: number;
  /** To sample, and to sample and train. */
  readonly sampling: number;
  readonly training: number;
}

/** What a model needs with the engine's own settings on `threads` threads. */
export function memoryNeed(
  config: ModelConfig,
  { threads, packRows = 4096, length = 256 }: { readonly threads: number; readonly packRows?: number; readonly length?: number },
): MemoryNeed {
  const parameters = layoutOf(config).length;
  const frozen = config.frozen !== undefined;
  const stored = config.frozen === 'bfloat16' ? 2 : 4;
  const trained = trainedLayout(config).length;
  const weights = stored * parameters + (frozen ? 4 * trained : 0);
  const table = config.vocabulary * config.hidden;
  const plan = samplingPlan(config, parameters, threads);
  const shape = laneShape(config, plan, 1);
  const keyValues = laneBytes(config, plan, shape) + plan.parked;
  const activations =
    packRows * (rowBytes(config) + config.layers * 4 * config.heads * Math.min(length, config.context)) +
    // The output matrix is the largest one that is widened for a call.
    (config.frozen === 'bfloat16' ? 4 * table : 0);
  const optimizer = (accumulatorsOf(parameters, trained) + 3) * 4 * trained;
  // Beside adapters the merged matrices exist in float32 while a session is built.
  const merged = config.lora ? 4 * (parameters - table) : 0;
  const session = plan.lanes * (4 * parameters + (config.tied ? stored * table : 0) + merged);
  const scratch = scratchBytes(config, plan, shape);
  const sampling = weights + session + keyValues + scratch;
  return {
    parameters,
    weights,
    session,
    keyValues,
    scratch,
    sequences: plan.lanes * shape.slots,
    length: shape.capacity,
    optimizer,
    activations,
    sampling,
    training: sampling + optimizer + activations,
  };
}

/** Activations of so many rows, with so many scores of a query and a key, that are kept for a backward pass. */
export function activationBytes(config: ModelConfig, rows: number, entries: number): number {
  return rows * rowBytes(config) + config.layers * config.heads * 4 * entries;
}

/** Throws when `bytes` more than the machine has free are asked for. */
export function refuseIfTooLarge(bytes: number, what: string): void {
  const available = process.availableMemory();
  if (bytes <= available) return;
  throw new AgogeError(
    'ENGINE_OUT_OF_MEMORY',
    `${what} needs ${amount(bytes)} and ${amount(available)} are free: choose a smaller model or batch, or an engine on another machine`,
  );
}

export function amount(bytes: number): string {
  return bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

function rowBytes(config: ModelConfig): number {
  const { hidden, intermediate, layers } = config;
  // Gemma and OLMo 2 also keep what their further norms take.
  const block = (normsAfter(config) ? 4 : 2) * hidden + 2 * queryWidth(config) + 2 * keyValueWidth(config) + 2 * intermediate;
  return 4 * (layers * block + (config.head === 'value' ? 0 : config.vocabulary));
}
