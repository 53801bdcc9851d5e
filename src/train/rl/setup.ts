/** What an RL run plays with, opened from its recipe: how the agent is asked, what is paid for, tasks, panels, curriculum and anchor. */
import { openPrompting, type Prompting } from '../../agent/prompting.ts';
import type { RlRecipe } from '../../config/recipe/rl-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import { rulesOf } from '../../envs/load-file.ts';
import type { EnginePolicy } from '../../policy/engine-policy.ts';
import { openReward, type OpenReward } from '../../rewards/open.ts';
import { needsAdvice } from './update/advice.ts';
import { refuseUnreadablePrompts } from './readable.ts';
import { Anchor } from './update/anchor.ts';
import { openPanels } from '../run/open-panels.ts';
import type { RlParts } from './parts.ts';
import { TaskLevels } from '../tasks/levels.ts';
import { openDeck, stepsOver, type TaskDeck } from '../tasks/deck.ts';
import { TaskPreference } from '../tasks/preference.ts';
import { TaskSource } from '../tasks/source.ts';

export interface RlSetup {
  readonly prompting: Prompting;
  /** Undefined: what the environments pay. */
  readonly reward: OpenReward | undefined;
  readonly panels: readonly TaskDeck[];
  readonly source: TaskSource;
  readonly levels: TaskLevels | undefined;
  readonly anchor: Anchor | undefined;
  /** Steps of the whole run: what the recipe says, or what its epochs come to. */
  readonly steps: number;
  /** Names of the environments that are played, with their versions. */
  readonly environments: Readonly<Record<string, string>>;
  /** What the run's owner should be told. */
  readonly notes: readonly string[];
}

export async function openSetup(
  recipe: RlRecipe,
  parts: RlParts,
  { renderer, context }: Pick<EnginePolicy, 'renderer' | 'context'>,
): Promise<RlSetup> {
  const { seed, curriculum, anchor: config } = recipe;
  const prompting = await openPrompting({ ...recipe.agent, format: recipe.agent.format ?? 'direct' });
  const reward = await openReward(recipe.reward);
  refusePartialGroups(recipe, reward);
  const trained = await Promise.all(
    recipe.tasks.map(async (entry) => ({ ...(await openDeck(entry, parts)), level: entry.level })),
  );
  const { panels, decks, notes } = await openPanels(recipe.evaluate, trained, parts);
  if (recipe.agent.prompt === 'row') for (const deck of trained) refuseUnreadablePrompts(deck, prompting, renderer);
  const played = decks.flatMap((deck) => deck.environments);
  if (recipe.algorithm.advice > 0) played.forEach(needsAdvice);
  const { prefer } = recipe.rollout;
  const source = new TaskSource(decks, seed, prefer === false ? undefined : new TaskPreference(prefer, seed));
  return {
    prompting,
    reward,
    panels,
    source,
    levels: curriculum === false ? undefined : new TaskLevels(curriculum, decks, source),
    anchor:
      config === false ? undefined : await Anchor.open({ config, format: prompting.format, renderer, context, seed }, parts),
    steps: stepsOver(recipe, decks),
    environments: Object.fromEntries(played.map((one) => [one.name, rulesOf(one)])),
    notes: [...trained.flatMap(({ note }) => note ?? []), ...notes],
  };
}

/** Throws CONFIG_INVALID where samples that are to be compared would be scored in two parts, each with ranks of its own. */
export function refusePartialGroups(
  { rollout }: Pick<RlRecipe, 'rollout'>,
  reward: Pick<OpenReward, 'grouped'> | undefined,
): void {
  const key = rollout.probe !== null ? 'rollout.probe' : rollout.branch > 0 ? 'rollout.branch' : undefined;
  if (reward?.grouped !== true || key === undefined) return;
  throw new AgogeError(
    'CONFIG_INVALID',
    `the reward compares the samples of a task, and ${key} has some of them scored apart from the others: leave ${key} out, or use a reward that scores each episode alone`,
  );
}
