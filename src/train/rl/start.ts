/** From an RL recipe to a run: settles how the agent talks, opens engines and environments, trains, and closes everything in the end. */
import { basename } from 'node:path';
import { checkpointNote, pinnedPolicy } from '../../agent/policy-files.ts';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import type { Engine } from '../../engine/engine.ts';
import type { RunDirectory } from '../../run/run-directory.ts';
import { policyGaps, settleRlAgent } from '../run/agent-setup.ts';
import type { TrainResult } from '../run/events.ts';
import { openEngine, openEnvironments, openSampler, deckParts, templateFor } from '../run/open-parts.ts';
import { createRun, noted, recordBits, whileOpening, withNote, type StartOptions, type Stoppable } from '../run/opening.ts';
import { enginesOf } from './engines.ts';
import { trainRl } from './trainer.ts';

/** Takes an RL run from its recipe to its last checkpoint; throws RUN_EXISTS. */
export async function startRl(given: RlRecipe, asked: StartOptions = {}): Promise<TrainResult> {
  const options = withNote(asked, await checkpointNote(given.policy));
  const recipe = { ...given, policy: await pinnedPolicy(given.policy), agent: await settleRlAgent(given) };
  const formats = await policyGaps(recipe.policy, recipe.agent.format);
  const title = [recipe.algorithm.name, recipe.tasks.map(taskTitle).join('+'), recipe.policy].join(' · ');
  return runRl(recipe, await createRun(recipe, { kind: 'rl', title, formats }, options), 0, options);
}

export async function runRl(
  recipe: RlRecipe,
  directory: RunDirectory,
  from: number,
  options: Stoppable<StartOptions>,
): Promise<TrainResult> {
  return whileOpening(directory, options, from, async () => {
    const { signal, events } = options;
    const onNotice = noted(directory, events);
    await using environments = await openEnvironments(recipe, signal, onNotice);
    const open = {
      config: recipe.engine,
      seed: recipe.seed,
      // Batches that are played ahead have their own.
      concurrency: recipe.rollout.concurrency * (1 + recipe.rollout.staleness),
      optimizer: recipe.optimizer,
      onNotice,
      ...(await templateFor(recipe)),
    };
    const roles = enginesOf(recipe);
    events?.onDoing?.(`loading ${recipe.policy}`);
    await using engine = await openEngine(recipe.policy, open);
    // The starting weights once more; beside adapters they cost nothing.
    const again = async (): Promise<Engine> => engine.reference?.() ?? (await openEngine(recipe.policy, open));
    await using reference = roles.has('reference') ? await again() : undefined;
    await using critic = roles.has('critic') ? await openEngine(recipe.policy, { ...open, head: 'value' }) : undefined;
    await using average = roles.has('average') ? await again() : undefined;
    await recordBits(engine, directory);
    await using sampler = await openSampler(engine, open);
    const parts = { engine, sampler, reference, critic, average, ...deckParts(environments) };
    return await trainRl(recipe, parts, directory, { signal, from, ...(events ? { events } : {}) });
  });
}

function taskTitle(entry: RlRecipe['tasks'][number]): string {
  if (!('file' in entry)) return entry.env;
  const files = [entry.file].flat();
  return files.map((file) => basename(file)).join('+');
}
