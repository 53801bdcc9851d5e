/**
 * What is known of an environment of AgentGym whose tasks do not ship here (the tool servers ask about live services): how many items its
 * server has, and the actions that its agents may take. `items` says the number for a server with other data.
 */
import { AgogeError } from '../../core/error.ts';
import type { TaskSet } from '../../envs/environment.ts';
import type { Settings } from '../../envs/registry.ts';
import { unknownTask } from '../../envs/unknown.ts';
import type { KnownTasks } from './agentgym-client.ts';
import { agentGymOf, wireFacts } from '../../envs/lookup.ts';

/** Tasks 0 to `items` − 1 in the split `all`; throws where nobody says how many there are. */
export async function agentGymTasks(name: string, settings: Settings): Promise<KnownTasks> {
  for (const key of Object.keys(settings)) {
    if (key !== 'items')
      throw new AgogeError(
        'ENV_UNKNOWN_SETTING',
        `${name} is on a server of its own and has only the setting "items", not "${key}": give it to the server`,
      );
  }
  const size = await itemsOf(name, settings['items']);
  const task = `You act in ${name}, step by step. Each turn you are given an observation and reply with one action.`;
  return {
    version: `items${size}`,
    splits: ['all'],
    instructions: { task, actions: (await agentGymOf(name))?.actions ?? [] },
    tasks: (split) => tasksOf(name, split, size),
  };
}

async function itemsOf(name: string, given: unknown): Promise<number> {
  const items = given === undefined ? (await wireFacts(name)).items : Number(given);
  if (items !== undefined && Number.isSafeInteger(items) && items > 0) return items;
  throw new AgogeError(
    'GYM_ITEMS_UNKNOWN',
    `how many items the server of ${name} has is not known: say so with --set ${name}.items=200 (in a recipe: settings: { items: 200 })`,
  );
}

function tasksOf(name: string, split: string, size: number): TaskSet {
  if (split !== 'all') throw new AgogeError('ENV_UNKNOWN_SPLIT', `${name} has no split "${split}" here: choose all`);
  return {
    size,
    info: (index) => {
      if (Number.isInteger(index) && index >= 0 && index < size) return { category: name, itemId: `${name}_${index}` };
      throw unknownTask(name, { split, index }, size);
    },
  };
}
