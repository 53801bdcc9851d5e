/**
 * A checkpoint of an RL run: policy and critic with their optimizers, the networks that follow the policy, how the agent is asked, and the
 * trainer's state. What is saved here is all that a resumed run needs to end with the same bits.
 */
import { join } from 'node:path';
import type { Prompting } from '../../agent/prompting.ts';
import type { RlRecipe } from '../../config/rl-recipe.ts';
import { writeAgentRecord } from '../../run/agent-record.ts';
import { layout } from '../../run/layout.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import { agentRecord } from '../run/agent-setup.ts';
import { loadFollowers, saveFollowers } from '../run/following.ts';
import type { RlParts } from './parts.ts';
import { parseRlState, type RlState } from './state.ts';

/** Whose checkpoint it is. */
export interface CheckpointOwner {
  readonly recipe: RlRecipe;
  readonly parts: RlParts;
  readonly directory: RunDirectory;
}

export async function saveCheckpoint(owner: CheckpointOwner, state: RlState, prompting: Prompting): Promise<void> {
  const { recipe, parts, directory } = owner;
  await directory.checkpoints.save(state.step, state, async (folder) => {
    await parts.engine.save(folder, { optimizer: true });
    await parts.critic?.save(join(folder, layout.critic), { optimizer: true });
    const record = agentRecord(recipe.agent, prompting);
    await writeAgentRecord(folder, record);
    await saveFollowers(recipe, parts, folder);
    if (parts.average) await writeAgentRecord(join(folder, layout.average), record);
  });
  await directory.checkpoints.retain(recipe.checkpoint.keep);
}

/** Loads the networks of a checkpoint; returns the state that was saved with them, and what its owner should be told. */
export async function loadCheckpoint(
  { recipe, parts, directory }: CheckpointOwner,
  step: number,
): Promise<{ readonly state: RlState; readonly note: string | undefined }> {
  const folder = directory.checkpoints.path(step);
  const state = parseRlState(await directory.checkpoints.state(step), step);
  await parts.engine.load(folder, { optimizer: true });
  await parts.critic?.load(join(folder, layout.critic), { optimizer: true });
  return { state, note: await loadFollowers(recipe, parts, folder) };
}
