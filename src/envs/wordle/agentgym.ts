/**
 * Wordle as AgentGym's LMRL-Gym server speaks it; there its routes stand under `/wordle`. A game can be played without `/reset`: its
 * seed is then drawn, as in the original. Beyond the original: `/close` frees an instance.
 */
import type { AgentGym } from '../agentgym/agentgym.ts';
import { afterAction } from '../agentgym/reading.ts';
import { idFamily } from '../agentgym/wire.ts';
import { AgogeError } from '../../core/error.ts';
import { WordleEpisode, opening, type Wordle } from './wordle.ts';
import { integer, text } from '../agentgym/fields.ts';
import { begin, Dialect, type Play, type Session } from '../agentgym/dialect.ts';

interface WordlePlay extends Play {
  episode: WordleEpisode;
  seed?: number;
  observation?: string;
  reward: number;
  done: boolean;
}

function playing({ id, play }: Session<WordlePlay>): WordleEpisode {
  if (play.done) throw new AgogeError('GYM_FINISHED', `The task with environment ${id} has finished.`);
  return play.episode;
}

const dialect = new Dialect<Wordle, WordlePlay>({
  env: 'wordle',
  greeting: 'This is environment LMRL-Gym.',
  key: 'id',
  errors: 'answer',
  ids: 'counter',
  cors: false,
})
  .on('POST', '/create', null, async ({ sessions }) => {
    const start = (): WordlePlay => ({ episode: new WordleEpisode(Math.floor(Math.random() * 2 ** 32)), reward: 0, done: false });
    return { id: (await sessions.open(start)).id };
  })
  .onSession('POST', '/reset', { seed: integer() }, async ({ input, session: { id, play } }) => {
    await begin(play, new WordleEpisode(input.seed));
    Object.assign(play, { seed: input.seed, observation: opening, reward: 0, done: false });
    return { id, observation: opening };
  })
  .onSession('POST', '/step', { action: text() }, ({ input, session }) => {
    const { play } = session;
    const { observation, reward, done } = playing(session).step(input.action);
    Object.assign(play, { observation, reward: play.reward + reward, done });
    return { observation, reward, done };
  })
  .onSession('GET', '/filtered_vocab', {}, ({ session }) => playing(session).game.left)
  .onSession('GET', '/observation', {}, ({ session: { play, id } }) => {
    playing({ play, id });
    if (play.observation === undefined) throw new AgogeError('GYM_NOT_RESET', "'observation'");
    return play.observation;
  })
  .onSession('GET', '/detail', {}, ({ session: { play, id } }) => {
    playing({ play, id });
    const { seed, observation, reward, done } = play;
    if (observation === undefined) return { done, reward, deleted: false };
    return { done, reward, deleted: false, observation, seed };
  })
  .on('POST', '/close', { id: integer() }, ({ input, sessions }) => sessions.close(input.id));

/** Wordle towards AgentGym. Any seed is a game; AgentGym's ids go up to 1450. */
export const agentGym: AgentGym = {
  dialect,
  wire: { ...idFamily, greeting: undefined, items: 1451, reset: (item) => ({ seed: item }) },
  reader: afterAction,
};
