/**
 * Fresh weights. Each tensor draws from its own stream (seed, name), so a tensor's start does not depend on the others.
 * Matrices are normal with deviation 0.6/√in, those that write into the residual stream divided by √(2 · layers); the
 * embedding 0.02 where it is tied to the output layer, else 0.3; norms multiply by 1; biases and the value head 0.
 */
import { Random } from '../../../core/random/random.ts';
import type { ModelConfig } from './config.ts';
import { weightOf, type WeightLayout } from './layout.ts';

export function initialise(config: ModelConfig, layout: WeightLayout, weights: Float32Array, seed: number): void {
  for (const slot of layout.slots.values()) {
    const target = weightOf(layout, weights, slot.name);
    if (slot.name.endsWith('norm.weight')) target.fill(config.gemma ? 0 : 1);
    else if (slot.name.endsWith('.bias') || slot.name === 'score.weight') target.fill(0);
    else fillNormal(target, deviation(config, slot.name, slot.shape[1] ?? 1), Random.of(seed, 'weights', slot.name));
  }
}

function deviation(config: ModelConfig, name: string, inputs: number): number {
  // A table of its own may start large enough for token identity to survive in the residual stream (copying needs it); a tied
  // one is also the output layer, whose logits must start small.
  if (name.includes('embed_tokens')) return config.tied ? 0.02 : 0.3;
  if (name === 'lm_head.weight') return 0.02;
  const residual = name.includes('o_proj') || name.includes('down_proj');
  return (0.6 / Math.sqrt(inputs)) * (residual ? 1 / Math.sqrt(2 * config.layers) : 1);
}

function fillNormal(target: Float32Array, scale: number, random: Random): void {
  for (let i = 0; i < target.length; i += 2) {
    const radius = scale * Math.sqrt(-2 * Math.log(1 - random.float()));
    const angle = 2 * Math.PI * random.float();
    target[i] = radius * Math.cos(angle);
    if (i + 1 < target.length) target[i + 1] = radius * Math.sin(angle);
  }
}
