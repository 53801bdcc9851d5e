/**
 * The networks of an RL run's checkpoint: policy and critic with their optimizers, the networks that follow the policy, and how the
 * agent is asked. With the trainer's state they are all that a resumed run needs to end with the same bits.
 */
import { join } from 'node:path';
import type { Prompting } from '../../agent/prompting.ts';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import { writeAgentRecord } from '../../run/agent-record.ts';
import { layout } from '../../run/layout.ts';
import { agentRecord } from '../run/agent-setup.ts';
import { loadFollowers, saveFollowers } from '../run/followers.ts';
import type { RlParts } from './parts.ts';

export async function saveNetworks(recipe: RlRecipe, parts: RlParts, prompting: Prompting, folder: string): Promise<void> {
  await parts.engine.save(folder, { optimizer: true });
  await parts.critic?.save(join(folder, layout.critic), { optimizer: true });
  const record = agentRecord(recipe.agent, prompting);
  await writeAgentRecord(folder, record);
  await saveFollowers(recipe, parts, folder);
  if (parts.average) await writeAgentRecord(join(folder, layout.average), record);
}

/** Returns what the run's owner should be told. */
export async function loadNetworks(recipe: RlRecipe, parts: RlParts, folder: string): Promise<string | undefined> {
  await parts.engine.load(folder, { optimizer: true });
  await parts.critic?.load(join(folder, layout.critic), { optimizer: true });
  return loadFollowers(recipe, parts, folder);
}
