/**
 * WebShop as AgentGym serves it. Beyond the original: `/close` frees an instance, `/state` gives its values and not the names
 * of its fields, ids are never handed out twice, a session without number is drawn from the instance's id, and `/reset` may
 * carry `price_upper`, the price bound that a recorded server had drawn. After a purchase the shop stays open, as there.
 */
import * as z from 'zod';
import { answerParts } from '../agentgym/answers.ts';
import type { AgentGym } from '../agentgym/agentgym.ts';
import { lastAction } from '../agentgym/reading.ts';
import { indexFamily, type Json } from '../agentgym/wire.ts';
import { AgogeError } from '../../core/error.ts';
import type { Environment, Episode } from '../environment.ts';
import { integer, optional, text } from '../agentgym/fields.ts';
import { begin, Dialect, type Play } from '../agentgym/dialect.ts';

/** What the dialect needs of WebShop beyond the contract. */
export interface ShoppingEnvironment extends Environment {
  /** The episode of a session_id; throws ENV_UNKNOWN_TASK. */
  openItem(sessionId: number, bound?: number): ShoppingEpisode;
  /** A session_id for a reset that names none. */
  drawItem(name: string): number;
}

export interface ShoppingEpisode extends Episode {
  readonly present: string;
  readonly goal: { readonly instruction: string };
  readonly url: string;
  readonly html: string;
  readonly available: { readonly searchBar: boolean; readonly clickables: readonly string[] };
  play(action: string): { readonly observation: string; readonly reward: number; readonly done: boolean };
}

interface WebShopPlay extends Play {
  episode: ShoppingEpisode;
  resets: number;
}

const { actions, done, id, observation, reward } = answerParts;

const dialect = new Dialect<ShoppingEnvironment, WebShopPlay>({
  env: 'webshop',
  greeting: 'ok',
  key: 'env_idx',
  errors: 'status',
  ids: { randomBelow: 48_950_077 },
  cors: false,
  answers: {
    '/create': id,
    '/list_envs': z.array(id),
    '/reset': z.tuple([observation, z.null()]),
    '/step': z.object({ state: observation, reward, done, info: z.null() }),
    '/observation': observation,
    '/available_actions': z.object({ has_search_bar: z.boolean(), clickables: actions }),
    '/instruction_text': z.string(),
    '/state': z.object({ url: z.string(), html: z.string(), instruction_text: z.string() }),
    '/close': z.boolean(),
  },
})
  .on('GET', '/list_envs', null, ({ sessions }) => sessions.ids())
  .on('POST', '/create', null, async ({ sessions, environment }) => {
    const session = await sessions.open((id) => ({ episode: environment.openItem(environment.drawItem(`${id}`)), resets: 0 }));
    return session.id;
  })
  .onSession(
    'POST',
    '/reset',
    { session_id: optional(integer(), null), price_upper: optional(integer(), null) },
    async ({ input, session: { id, play }, environment }) => {
      const item = input.session_id ?? environment.drawItem(`${id}/${++play.resets}`);
      const episode = await begin(play, environment.openItem(item, input.price_upper ?? undefined));
      return [episode.observation, null];
    },
  )
  .onSession('POST', '/step', { action: text() }, ({ input, session: { play } }) => {
    const { observation, reward, done } = play.episode.play(input.action);
    return { state: observation, reward, done, info: null };
  })
  .onSession('GET', '/observation', {}, ({ session: { play } }) => play.episode.present)
  .onSession('GET', '/available_actions', {}, ({ session: { play } }) => {
    const { searchBar, clickables } = play.episode.available;
    return { has_search_bar: searchBar, clickables };
  })
  .onSession('GET', '/instruction_text', {}, ({ session: { play } }) => instructionText(play.episode))
  .onSession('GET', '/state', {}, ({ session: { play } }) => ({
    url: play.episode.url,
    html: play.episode.html,
    instruction_text: `Instruction: ${play.episode.goal.instruction}`,
  }))
  .on('POST', '/close', { env_idx: integer() }, ({ input, sessions }) => sessions.close(input.env_idx));

/** As it stands on the page: with a blank after the colon only on the first; the page after a purchase has none. */
function instructionText({ present, goal }: ShoppingEpisode): string {
  if (present.startsWith('WebShop')) return `Instruction: ${goal.instruction}`;
  if (present.startsWith('Instruction:')) return `Instruction:${goal.instruction}`;
  throw new AgogeError('GYM_NO_INSTRUCTION', 'the page after a purchase shows no instruction: reset first');
}

/** What can be done on a page, from the answer of /available_actions and the words that the page asks for. */
function actionsIn(answer: Json, observation: string): readonly string[] {
  const { has_search_bar: bar, clickables } = answer;
  const clicks = Array.isArray(clickables) ? clickables.filter((text) => typeof text === 'string') : [];
  const asked = /Instruction:\s*(?:\[SEP\])?\s*(.*?)\s*(?:\[SEP\]|$)/s.exec(observation)?.[1] ?? '';
  const words = asked.replace(/,? and price lower than .*$/, '').replace(/[[\]]/g, ' ');
  return bar === true ? [`search[${words}]`] : clicks.map((text) => `click[${text}]`);
}

/** WebShop towards AgentGym. */
export const agentGym: AgentGym = {
  dialect,
  wire: {
    ...indexFamily,
    filesDecide: true,
    reset: (item) => ({ session_id: item }),
    step: ({ state, reward, done }) => ({ observation: state, total: reward, done }),
    ask: { path: '/available_actions', read: actionsIn },
  },
  reader: lastAction,
};
