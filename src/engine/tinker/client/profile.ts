/**
 * What servers of the same API do differently. Thinking Machines' service, SkyRL on FSDP or Megatron and our own sum token losses;
 * SkyRL on JAX divides each datum by its weights and the call by the number of data, knows no clipping of gradients, and trains and
 * samples in one place. What a server is, is found out by one small forward pass.
 */
import { AgogeError } from '../../../core/error.ts';
import type { AdamParams } from '../../engine.ts';
import type { TrainingOutput } from '../wire/messages.ts';
import { wireDatum } from './data.ts';
import type { Profile, RemoteModel } from './remote-model.ts';

export type ServerKind = 'auto' | 'sum' | 'skyrl-jax';
/** Of the optimizer, what not every server can do. */
export type Limited = Pick<AdamParams, 'clipNorm' | 'embeddingRate'>;

/** One tiny forward pass tells SkyRL's JAX server from the rest. */
export async function probe(remote: RemoteModel): Promise<Profile['kind']> {
  const one = wireDatum(
    { tokens: [1, 2, 3], mask: Uint8Array.of(0, 1, 1) },
    { weights: [1, 1], logprobs: [-1, -1], advantages: [0, 0] },
  );
  const output = await remote.forward({ data: [one], lossFn: 'importance_sampling', config: {}, forwardOnly: true });
  return kindFrom(output, remote.skyrl);
}

/** What a server's optimizer does not have: asked when a run starts, and at every step for those who call the engine themselves. */
export function checkAdam(kind: Profile['kind'], { clipNorm = 0, embeddingRate = 1 }: Limited): void {
  if (embeddingRate !== 1)
    throw new AgogeError(
      'ENGINE_TINKER_OPTIMIZER',
      'a Tinker server has one learning rate for all weights: set optimizer.embedding_rate=1',
    );
  if (kind === 'skyrl-jax' && clipNorm > 0)
    throw new AgogeError(
      'ENGINE_TINKER_OPTIMIZER',
      "SkyRL's JAX server clips no gradients: set optimizer.clip_norm=0, or use another backend",
    );
}

/** JAX alone answers a policy loss with the loss of every token. */
function kindFrom(output: TrainingOutput, skyrl: boolean): Profile['kind'] {
  return skyrl && output.outputs[0]?.['elementwise_loss'] !== undefined ? 'skyrl-jax' : 'sum';
}

/**
 * SkyRL's JAX server keeps Adam's settings in the type of the weights. In bfloat16 0.999 is 1, the second moment is divided by nothing,
 * and the weights are not numbers after the first step. The rate that it tells back shows the type.
 */
export function checkBetas(told: Readonly<Record<string, number>>, rate: number, betas: readonly number[]): void {
  const kept = Object.entries(told).find(([name]) => name.endsWith('learning_rate'))?.[1];
  if (kept === undefined || kept !== bfloat16(rate) || kept === Math.fround(rate)) return;
  const lost = betas.find((beta) => beta < 1 && bfloat16(beta) === 1);
  if (lost !== undefined)
    throw new AgogeError(
      'ENGINE_TINKER_OPTIMIZER',
      `this server computes Adam in bfloat16, where ${lost} is 1 and a step makes weights that are no numbers: set optimizer.betas=[0.9,0.95] and start again`,
    );
}

/** The nearest number with eight significant bits. */
function bfloat16(value: number): number {
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - 7);
  return value === 0 ? 0 : Math.round(value / unit) * unit;
}
