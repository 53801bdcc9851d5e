/**
 * The maze as AgentGym's LMRL-Gym server speaks it; there its routes stand under `/maze`, which is where `agoge serve maze wordle` puts
 * them too. `/create` only takes an id, the maze is opened by `/reset`. Beyond the original: `/close` frees an instance.
 */
import type { AgentGym } from '../agentgym/agentgym.ts';
import { afterAction } from '../agentgym/reading.ts';
import { idFamily } from '../agentgym/wire.ts';
import { AgogeError } from '../../core/error.ts';
import type { MazeEnvironment, MazeEpisode } from './maze.ts';
import { moveNames } from './world.ts';
import { integer, text } from '../agentgym/fields.ts';
import { begin, Dialect, type Play, type Session } from '../agentgym/dialect.ts';

interface MazePlay extends Play {
  episode?: MazeEpisode | undefined;
  observation?: string;
  reward: number;
  done: boolean;
}

function playing({ id, play }: Session<MazePlay>, missing: string): MazeEpisode {
  if (play.done) throw new AgogeError('GYM_FINISHED', `The task with environment ${id} has finished.`);
  if (!play.episode) throw new AgogeError('GYM_NOT_RESET', missing);
  return play.episode;
}

const dialect = new Dialect<MazeEnvironment, MazePlay>({
  env: 'maze',
  greeting: 'This is environment LMRL-Gym.',
  key: 'id',
  errors: 'answer',
  ids: 'counter',
  cors: false,
})
  .on('POST', '/create', null, async ({ sessions }) => ({ id: (await sessions.open(() => ({ reward: 0, done: false }))).id }))
  .onSession('POST', '/reset', { game: integer() }, async ({ input, session: { play }, environment }) => {
    const episode = await begin(play, environment.openGame(input.game));
    Object.assign(play, { observation: episode.observation, reward: 0, done: false });
    return { observation: episode.observation };
  })
  .onSession('POST', '/step', { action: text() }, ({ input, session }) => {
    const { play } = session;
    // The original's KeyError prints just the id.
    const { observation, reward, done } = playing(session, String(session.id)).step(input.action);
    Object.assign(play, { observation, reward: play.reward + reward, done });
    return { observation, reward, done };
  })
  .on('GET', '/available_actions', null, () => moveNames)
  .onSession('GET', '/observation', {}, ({ session }) => {
    playing(session, "'observation'");
    return session.play.observation;
  })
  .onSession('GET', '/detail', {}, ({ session }) => {
    playing(session, "'goal_position'");
    const { observation, reward, done } = session.play;
    return { maze_name: 'double_t_maze', observation, done, reward, deleted: false };
  })
  .on('POST', '/close', { id: integer() }, ({ input, sessions }) => sessions.close(input.id));

/** The maze towards AgentGym. The 26th start is its goal, which the server refuses. */
export const agentGym: AgentGym = {
  dialect,
  wire: { ...idFamily, greeting: undefined, items: 25, reset: (item) => ({ game: item }) },
  reader: afterAction,
};
