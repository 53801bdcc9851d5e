/**
 * What servers of the same API do differently. Thinking Machines' service, SkyRL on FSDP or Megatron and our own sum token losses;
 * SkyRL on JAX divides each datum by its weights and the call by the number of data, knows no clipping of gradients, and trains and
 * samples in one place. What a server is, is found out by one small forward pass.
 */
import type { TrainingOutput } from '../wire/messages.ts';

export const serverKinds = ['auto', 'sum', 'skyrl-jax'] as const;
export type ServerKind = (typeof serverKinds)[number];

export interface Profile {
  readonly kind: 'sum' | 'skyrl-jax';
  /** Training calls in protobuf; SkyRL's release from PyPI reads JSON only. */
  readonly proto: boolean;
  /** Seeds of up to 53 bits, as ours takes them: the same samples as on the embedded engine. SkyRL has 31. */
  readonly wideSeeds: boolean;
}

/** JAX alone answers a policy loss with the loss of every token. */
export function kindFrom(output: TrainingOutput, skyrl: boolean): Profile['kind'] {
  return skyrl && output.outputs[0]?.['elementwise_loss'] !== undefined ? 'skyrl-jax' : 'sum';
}
