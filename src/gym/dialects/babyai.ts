/**
 * BabyAI as AgentGym serves it. `/create` only takes an id; the game is built by `/reset`. A finished game answers with
 * an error until it is reset. `/render` gives our own drawing as an SVG data URL where the original gives a PNG.
 */
import type { BabyAI, BabyAIEpisode } from '../../envs/babyai/babyai.ts';
import { renderSvg } from '../../envs/babyai/render.ts';
import { integer, text } from '../server/fields.ts';
import { begin, Dialect, type Play, type Session } from './dialect.ts';

interface BabyAIPlay extends Play {
  episode?: BabyAIEpisode | undefined;
}

/** The game of a session that has one and has not finished it. */
function playing({ id, play }: Session<BabyAIPlay>): BabyAIEpisode {
  if (!play.episode) throw new Error(String(id)); // the original's KeyError prints just the id
  if (play.episode.game.done) throw new Error(`The task with environment ${id} has finished.`);
  return play.episode;
}

const results = ({ game: { reward, score, done } }: BabyAIEpisode) => ({ reward, score, done });

export const dialect = new Dialect<BabyAI, BabyAIPlay>({
  env: 'babyai',
  greeting: 'This is environment BabyAI.',
  key: 'id',
  errors: 'answer',
  ids: 'counter',
  cors: true,
})
  .on('POST', '/create', null, async ({ sessions }) => ({ id: (await sessions.open(() => ({}))).id }))
  .onSession('POST', '/reset', { data_idx: integer() }, async ({ input, session, environment }) => {
    const episode = await begin(session.play, environment.openItem(input.data_idx));
    const { reward, score, done } = results(episode);
    return { observation: episode.observation, reward, score, deleted: false, done };
  })
  .onSession('POST', '/step', { action: text() }, ({ input, session }) => {
    const episode = playing(session);
    const { observation } = episode.step(input.action);
    return { observation, ...results(episode) };
  })
  .onSession('GET', '/observation', {}, ({ session }) => {
    if (!session.play.episode) {
      return { observation: 'Environment not initialized', reward: 0, score: 0, done: false, deleted: false };
    }
    const episode = playing(session);
    return { observation: episode.withGoal(), ...results(episode), deleted: false };
  })
  .onSession('POST', '/render', {}, ({ session }) => {
    const svg = renderSvg(playing(session).state);
    return `data:image/svg+xml;base64,${btoa(svg)}`;
  })
  .on('POST', '/close', { id: integer() }, ({ input, sessions }) => sessions.close(input.id));
