/** What environments say about themselves, by name or for one that is open: those that ship, and those of the user's own. */
import { AgogeError } from '../core/error.ts';
import type { AgentGym } from './agentgym/agentgym.ts';
import { wholeReply, type Generation, type Reader } from './agentgym/reading.ts';
import type { WireFacts } from './agentgym/wire.ts';
import './builtin.ts';
import type { Environment } from './environment.ts';
import type { EnvironmentFacts } from './facts.ts';
import { environmentEntries, environmentEntry } from './registry.ts';

/** What an open environment says of itself goes before what its registry entry says; of a name that is not registered nothing is known. */
export function factsOf(environment: string | Pick<Environment, 'name' | 'facts'>): EnvironmentFacts {
  if (typeof environment === 'string') return environmentEntry(environment) ?? {};
  const { limits, ...said } = environment.facts ?? {};
  const entry = environmentEntry(environment.name);
  return { ...entry, ...said, limits: { ...entry?.limits, ...limits } };
}

export async function agentGymOf(environment: string | Pick<Environment, 'name' | 'facts'>): Promise<AgentGym | undefined> {
  return factsOf(environment).agentGym?.();
}

/** How a server of AgentGym is spoken to; throws ENV_UNKNOWN for an environment that AgentGym does not have. */
export async function wireFacts(name: string): Promise<WireFacts> {
  const wire = (await agentGymOf(name))?.wire;
  if (wire) return wire;
  const names = environmentEntries().filter((entry) => entry.agentGym);
  throw new AgogeError(
    'ENV_UNKNOWN',
    `AgentGym has no server for "${name}": choose one of ${names.map((entry) => entry.name).join(', ')}, or serve it with agoge`,
  );
}

/** The reader of an environment's AgentGym client in a generation; environments without a rule take the whole reply. */
export async function agentGymReader(env: string, generation: Generation): Promise<Reader> {
  const reader = (await agentGymOf(env))?.reader ?? wholeReply;
  return typeof reader === 'function' ? reader : reader[generation];
}
