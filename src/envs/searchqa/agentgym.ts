/**
 * SearchQA as AgentGym serves it: a wrong answer may be corrected, and an instance goes on after its end. Beyond the original: a
 * reset without id starts the present question again.
 */
import type { AgentGym } from '../agentgym/agentgym.ts';
import { indexFamily } from '../agentgym/wire.ts';
import type { Environment } from '../environment.ts';
import type { SearchQA } from './searchqa.ts';
import { integer, optional, text } from '../agentgym/fields.ts';
import { begin, Dialect, type Play } from '../agentgym/dialect.ts';

/** What the dialect needs of SearchQA beyond the contract. */
export type AskingEnvironment = Environment & Pick<SearchQA, 'openItem'>;

interface SearchQAPlay extends Play {
  item: number;
  episode: ReturnType<AskingEnvironment['openItem']>;
}

const dialect = new Dialect<AskingEnvironment, SearchQAPlay>({
  env: 'searchqa',
  greeting: 'ok',
  key: 'env_idx',
  errors: 'status',
  ids: 'counter',
  cors: true,
})
  .on('POST', '/create', { id: integer() }, async ({ input, sessions, environment }) => {
    const session = await sessions.open(() => ({ item: input.id, episode: environment.openItem(input.id) }));
    return session.id;
  })
  .onSession('POST', '/reset', { id: optional(integer(), null) }, async ({ input, session: { play }, environment }) => {
    play.item = input.id ?? play.item;
    return (await begin(play, environment.openItem(play.item))).observation;
  })
  .onSession('POST', '/step', { action: text() }, async ({ input, session: { play } }) => {
    const { observation, reward, done } = await play.episode.play(input.action);
    return { observation, reward, done, info: null };
  })
  .onSession('GET', '/observation', {}, ({ session: { play } }) => play.episode.observation)
  .on('POST', '/close', { env_idx: integer() }, ({ input, sessions }) => sessions.close(input.env_idx));

/** SearchQA towards AgentGym. */
export const agentGym: AgentGym = {
  dialect,
  wire: { ...indexFamily, filesDecide: true, items: 221_328, create: { id: 0 }, reset: (item) => ({ id: item }) },
};
