/**
 * BabyAI as AgentGym serves it. `/create` only takes an id; the game is built by `/reset`. A finished game answers with
 * an error until it is reset. `/render` gives our own drawing as an SVG data URL where the original gives a PNG.
 */
import * as z from 'zod';
import { answerParts } from '../agentgym/answers.ts';
import type { AgentGym } from '../agentgym/agentgym.ts';
import { afterAction, oneAction } from '../agentgym/reading.ts';
import { idFamily } from '../agentgym/wire.ts';
import type { BabyAI, BabyAIEpisode } from './babyai.ts';
import { renderSvg } from './render.ts';
import { integer, text } from '../agentgym/fields.ts';
import { begin, Dialect, type Play, type Session } from '../agentgym/dialect.ts';

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

const { done, id, failure, observation, reward } = answerParts;
const gameStep = z.object({ observation, reward, score: z.number(), done });

const dialect = new Dialect<BabyAI, BabyAIPlay>({
  env: 'babyai',
  greeting: 'This is environment BabyAI.',
  key: 'id',
  errors: 'answer',
  ids: 'counter',
  cors: true,
  answers: {
    '/create': z.object({ id }),
    '/reset': z.union([gameStep.extend({ deleted: z.boolean() }), failure]),
    '/step': z.union([gameStep, failure]),
    '/observation': z.union([gameStep.extend({ deleted: z.boolean() }), failure]),
    '/render': z.union([z.string(), failure]),
    '/close': z.boolean(),
  },
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

/** `Available actions: ["turn left", "go to red ball 1"]`, at the end of the text. */
function listed(observation: string): readonly string[] | undefined {
  const list = /\nAvailable actions: \[(.*)\]\s*$/.exec(observation)?.[1];
  return list === undefined ? undefined : Array.from(list.matchAll(/"([^"]*)"/g), ([, action = '']) => action);
}

/** BabyAI towards AgentGym. */
export const agentGym: AgentGym = {
  dialect,
  wire: { ...idFamily, greeting: 'This is environment BabyAI.', success: (reward) => reward > 0, listed },
  reader: { '2024': afterAction, '2025': oneAction },
};
