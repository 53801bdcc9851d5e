/**
 * Low-rank adapters (Hu et al. 2021): beside a frozen matrix W [out, in] two trained ones, A [rank, in] and B [out, rank], and
 * the layer computes with W + (alpha / rank) · B A. Names are PEFT's.
 */
import { AgogeError } from '../../../core/error.ts';
import { Random } from '../../../core/random/random.ts';
import { adapterTargets, keyValueWidth, queryWidth, type AdapterTarget, type LoraConfig, type ModelConfig } from './config.ts';
import { layoutOf, weightOf, type WeightLayout, type WeightSlot } from './layout.ts';

export { adapterTargets, type AdapterTarget, type LoraConfig };

export function loraScale({ rank, alpha, rankStabilised = false }: LoraConfig): number {
  return alpha / (rankStabilised ? Math.sqrt(rank) : rank);
}

/** Targets by the names that recipes and PEFT use, in the order of the block: a list, or `all-linear`. */
export function targetsOf(names: string | readonly string[]): AdapterTarget[] {
  const wanted = [names].flat();
  if (wanted.includes('all-linear')) return [...adapterTargets];
  const unknown = wanted.find((name) => !(adapterTargets as readonly string[]).includes(name));
  if (unknown !== undefined || wanted.length === 0) {
    throw new AgogeError(
      'MODEL_BAD_ADAPTER',
      `adapters cannot be put on "${unknown ?? 'nothing'}": use all-linear, or some of ${adapterTargets.join(', ')}`,
    );
  }
  return adapterTargets.filter((name) => wanted.includes(name));
}

/** The adapters themselves, refused where the network has no room for them. */
export function checkLora(lora: LoraConfig, config: ModelConfig): LoraConfig {
  const { rank, alpha } = lora;
  if (config.family === 'phi3') {
    throw new AgogeError(
      'MODEL_BAD_ADAPTER',
      'Phi-3 keeps q, k and v in one matrix, for which there are no adapters here: train all weights (leave engine.lora out), or take a model of another family',
    );
  }
  const most = Math.min(config.hidden, keyValueWidth(config), queryWidth(config), config.intermediate);
  const remedy = (what: string, wanted: string): never => {
    throw new AgogeError('MODEL_BAD_ADAPTER', `adapters of ${what} do not suit this model: give ${wanted}`);
  };
  if (!Number.isInteger(rank) || rank < 1 || rank > most) remedy(`rank ${rank}`, `a whole number from 1 to ${most}`);
  if (!(alpha > 0 && Number.isFinite(alpha))) remedy(`alpha ${alpha}`, 'a positive number such as twice the rank');
  return lora;
}

/** Where each trained weight lies: all weights of a model, or with frozen weights its adapters, and the score of a value head. */
export function trainedLayout(config: ModelConfig): WeightLayout {
  if (config.frozen === undefined) return layoutOf(config);
  const slots = new Map<string, WeightSlot>();
  let length = 0;
  const add = (name: string, shape: readonly number[]): void => {
    const size = shape.reduce((product, extent) => product * extent, 1);
    slots.set(name, { name, shape, offset: length, length: size });
    length += size;
  };
  const { lora } = config;
  if (lora) {
    for (const { name, shape } of layoutOf(config).slots.values()) {
      const [, module, target] = /^(model\.layers\..*\.(\w+))\.weight$/.exec(name) ?? [];
      const [out, width] = shape;
      if (module === undefined || out === undefined || width === undefined) continue;
      if (!lora.targets.some((each) => each === target)) continue;
      add(`${module}.lora_A.weight`, [lora.rank, width]);
      add(`${module}.lora_B.weight`, [out, lora.rank]);
    }
    if (config.head === 'value') add('score.weight', [1, config.hidden]);
  }
  const decayEnd = length;
  if (lora && config.head === 'value') add('score.bias', [1]);
  return { slots, views: new Map(), length, tableEnd: 0, decayEnd };
}

/** Fresh adapters as PEFT makes them: A uniform within 1/√in, B zero, so that they change nothing yet. */
export function initialiseAdapters(layout: WeightLayout, weights: Float32Array, seed: number): void {
  for (const { name, shape } of layout.slots.values()) {
    const target = weightOf(layout, weights, name).fill(0);
    if (!name.endsWith('.lora_A.weight')) continue;
    const random = Random.of(seed, 'adapters', name);
    const bound = 1 / Math.sqrt(shape[1] ?? 1);
    for (let i = 0; i < target.length; i++) target[i] = bound * (2 * random.float() - 1);
  }
}
