/**
 * ALFWorld as AgentGym serves it. `/create` only takes an id; `/reset` opens a game by its number. The episode ends when it is won
 * or after 50 steps, and answers with an error until it is reset. Beyond the original: `/close` frees an instance, and an error says
 * what to do.
 */
import * as z from 'zod';
import { answerParts } from '../agentgym/answers.ts';
import type { AgentGym } from '../agentgym/agentgym.ts';
import { lastAction } from '../agentgym/reading.ts';
import { idFamily, textIn, type Json } from '../agentgym/wire.ts';
import { AgogeError } from '../../core/error.ts';
import type { AlfWorld } from './alfworld.ts';
import type { AlfWorldEpisode } from './episode.ts';
import { integer, text } from '../agentgym/fields.ts';
import { begin, Dialect, type Play, type Session } from '../agentgym/dialect.ts';

interface AlfWorldPlay extends Play {
  episode?: AlfWorldEpisode | undefined;
  game?: { readonly number: number; readonly worldType: string };
  observation?: string;
  reward: number;
  steps: number;
  done: boolean;
}

const LIMIT = 50;
const worldTypes = ['Text', 'Embody', 'Hybrid'];

/** The game of a session that has one and has not finished it. */
function playing({ id, play }: Session<AlfWorldPlay>, missing: string): AlfWorldEpisode {
  if (play.done) throw new AgogeError('GYM_FINISHED', `The task with environment ${id} has finished.`);
  if (!play.episode) throw new AgogeError('GYM_NOT_RESET', missing);
  return play.episode;
}

const { actions, done, failure, id, observation, reward } = answerParts;

const dialect = new Dialect<AlfWorld, AlfWorldPlay>({
  env: 'alfworld',
  greeting: 'This is environment AlfWorld.',
  key: 'id',
  errors: 'answer',
  ids: 'counter',
  cors: false,
  answers: {
    '/create': z.object({ id }),
    '/reset': z.union([z.object({ id, observation, available_actions: actions, task_type: z.string() }), failure]),
    '/step': z.union([z.object({ observation, reward, available_actions: actions, done }), failure]),
    '/observation': z.union([observation, failure]),
    '/available_actions': z.union([actions, failure]),
    '/detail': z.union([z.looseObject({ done, reward, deleted: z.boolean() }), failure]),
    '/close': z.boolean(),
  },
})
  .on('POST', '/create', null, async ({ sessions }) => {
    const { id } = await sessions.open(() => ({ reward: 0, steps: 0, done: false }));
    return { id };
  })
  .onSession('POST', '/reset', { game: integer(), world_type: text() }, async ({ input, session, environment }) => {
    if (!worldTypes.includes(input.world_type)) {
      throw new AgogeError('GYM_BAD_FIELD', 'world_type must be one of "Text", "Embody" and "Hybrid"');
    }
    const { play, id } = session;
    const { name, episode } = environment.openItem(input.game);
    await begin(play, episode);
    play.game = { number: input.game, worldType: input.world_type };
    play.observation = episode.opening;
    play.reward = 0;
    play.steps = 0;
    play.done = false;
    return { id, observation: play.observation, available_actions: episode.actions, task_type: name };
  })
  .onSession('POST', '/step', { action: text() }, ({ input, session }) => {
    const { play } = session;
    // The original's KeyError prints just the id.
    const episode = playing(session, String(session.id));
    play.observation = episode.play(input.action);
    play.steps++;
    play.reward = episode.won ? 1 : 0;
    play.done = episode.won || play.steps >= LIMIT;
    return { observation: play.observation, reward: play.reward, available_actions: episode.actions, done: play.done };
  })
  .onSession('GET', '/observation', {}, ({ session }) => {
    playing(session, "'observation'");
    return session.play.observation;
  })
  .onSession('GET', '/available_actions', {}, ({ session }) => playing(session, "'available_actions'").actions)
  .onSession('GET', '/detail', {}, ({ session }) => {
    const { game, observation, reward, done } = session.play;
    if (!game) return { done: false, reward: 0, deleted: false };
    const episode = playing(session, String(session.id));
    const { number, worldType } = game;
    return { world_type: worldType, game: number, observation, available_actions: episode.actions, done, reward, deleted: false };
  })
  .on('POST', '/close', { id: integer() }, ({ input, sessions }) => sessions.close(input.id));

/** ALFWorld towards AgentGym. */
export const agentGym: AgentGym = {
  dialect,
  wire: {
    ...idFamily,
    greeting: 'This is environment AlfWorld.',
    items: 2620,
    reset: (item) => ({ game: item, world_type: 'Text' }),
    first: (answer) => {
      const actions = (answer as Json)['available_actions'];
      return `${textIn(answer, 'observation')}\nAVAILABLE ACTIONS: ${Array.isArray(actions) ? actions.join(',') : ''}`;
    },
  },
  reader: lastAction,
};
