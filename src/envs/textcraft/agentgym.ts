/**
 * TextCraft as AgentGym serves it. `/create` plays task number id unless a goal (a name or an item id) or commands are
 * given; the original ignores those, we honour them, and a reset with the default data_idx or the goal's own starts that
 * task again. After the goal the world goes on, as in the original.
 */
import * as z from 'zod';
import { answerParts } from '../agentgym/answers.ts';
import type { AgentGym } from '../agentgym/agentgym.ts';
import { oneAction } from '../agentgym/reading.ts';
import { idFamily } from '../agentgym/wire.ts';
import { readTextCraft2024 } from './reading.ts';
import { AgogeError } from '../../core/error.ts';
import type { OpenedWorld, TextCraft } from './textcraft.ts';
import { integer, optional, text } from '../agentgym/fields.ts';
import { Dialect, type Play, type Session } from '../agentgym/dialect.ts';

interface TextCraftPlay extends Play {
  opened: OpenedWorld;
  /** What the client asked for at /create, if anything. */
  custom: { readonly goal: string; readonly commands: string | null } | undefined;
  observation: string;
  reward: number;
  done: boolean;
}

const { done, failure, id, observation, reward } = answerParts;

const dialect = new Dialect<TextCraft, TextCraftPlay>({
  env: 'textcraft',
  greeting: 'This is environment TextCraft.',
  key: 'id',
  errors: 'answer',
  ids: 'counter',
  cors: true,
  answers: {
    '/create': z.union([z.object({ id, observation, done, reward }), failure]),
    '/reset': z.union([z.object({ id, observation, done, reward }), failure]),
    '/step': z.union([z.object({ observation, reward, done }), failure]),
    '/observation': z.union([observation, failure]),
    '/detail': z.union([z.object({ observation, done, reward, deleted: z.boolean() }), failure]),
    '/commands': z.union([z.string(), failure]),
    '/goal': z.union([z.string(), failure]),
    '/close': z.boolean(),
  },
})
  .on(
    'POST',
    '/create',
    { commands: optional(text(), null), goal: optional(text(), null) },
    async ({ input, sessions, environment }) =>
      first(
        await sessions.open((id) => {
          if (input.goal === null && input.commands === null) return start(environment.openDataIndex(id));
          const goal = input.goal === null ? environment.openDataIndex(id).goal : goalOf(environment, input.goal);
          const commands = input.commands === null ? null : input.commands.replace(/^Crafting commands:\n/, '');
          return { ...start(environment.openGoal(goal, commands)), custom: { goal, commands } };
        }),
      ),
  )
  .onSession('POST', '/reset', { data_idx: optional(integer(), 0) }, ({ input, session, environment }) => {
    if (input.data_idx === null) throw new TypeError("unsupported operand type(s) for %: 'NoneType' and 'int'");
    const { custom } = session.play;
    const again =
      custom && (input.data_idx === 0 || environment.goals.at(input.data_idx % environment.goals.length) === custom.goal);
    const opened = again ? environment.openGoal(custom.goal, custom.commands) : environment.openDataIndex(input.data_idx);
    Object.assign(session.play, start(opened), { custom });
    return first(session);
  })
  .onSession('POST', '/step', { action: text() }, ({ input, session: { play } }) => {
    const { observation, reward, done } = play.opened.world.step(input.action);
    play.observation = observation;
    play.reward = reward;
    play.done = done;
    return { observation, reward, done };
  })
  .onSession('GET', '/observation', {}, ({ session }) => session.play.observation)
  .onSession('GET', '/detail', {}, ({ session: { play } }) => ({
    observation: play.observation,
    done: play.done,
    reward: play.reward,
    deleted: false,
  }))
  .onSession('GET', '/commands', {}, ({ session }) => session.play.opened.commands)
  .onSession('GET', '/goal', {}, ({ session }) => session.play.opened.goal.replaceAll('_', ' '))
  .on('POST', '/close', { id: integer() }, ({ input, sessions }) => sessions.close(input.id));

function start(opened: OpenedWorld): TextCraftPlay {
  return { opened, custom: undefined, observation: opened.observation, reward: 0, done: false };
}

function first({ id, play }: Session<TextCraftPlay>) {
  return { id, observation: play.observation, done: false, reward: 0 };
}

/** The item a client names as its goal: `oak planks`, `minecraft:oak_planks`, or the last line of an observation. */
function goalOf({ book }: TextCraft, text: string): string {
  const goal = text
    .trim()
    .replace(/^(?:Goal: )?craft (.*?)\.?$/, '$1')
    .replace(/^minecraft:/, '')
    .replaceAll(' ', '_');
  if (book.items.has(goal) || book.isCraftable(goal)) return goal;
  throw new AgogeError('ENV_UNKNOWN_TASK', `there is no item "${text}": give the goal as a name ("oak planks") or an item id`);
}

/** TextCraft towards AgentGym. */
export const agentGym: AgentGym = {
  dialect,
  wire: { ...idFamily, greeting: 'This is environment TextCraft.', create: {} },
  reader: { '2024': readTextCraft2024, '2025': oneAction },
};
