/** How a recipe's optimizer steps at a learning rate. */
import type { OptimizerConfig } from '../../config/recipe/shared-keys.ts';
import type { AdamParams } from '../../engine/engine.ts';

export function adamOf(optimizer: OptimizerConfig, learningRate: number): AdamParams {
  return {
    learningRate,
    beta1: optimizer.betas[0],
    beta2: optimizer.betas[1],
    epsilon: optimizer.epsilon,
    weightDecay: optimizer.weight_decay,
    embeddingRate: optimizer.embedding_rate,
    clipNorm: optimizer.clip_norm,
  };
}
