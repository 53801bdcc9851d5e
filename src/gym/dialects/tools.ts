/**
 * The tool environments as AgentGym's five servers speak: `/create` takes a task, the reward is a running value, `/observation` is always the
 * opening, and an instance goes on after its end. Beyond the original: `/close` frees an instance.
 */
import type { ToolEnvironment } from '../../envs/tools/core/environment.ts';
import type { ToolEpisode } from '../../envs/tools/core/episode.ts';
import { integer, optional, text } from '../server/fields.ts';
import { begin, Dialect, type Play } from './dialect.ts';

interface ToolPlay extends Play {
  item: number;
  episode: ToolEpisode;
}

export function toolDialect(env: string): Dialect<ToolEnvironment, ToolPlay> {
  return new Dialect<ToolEnvironment, ToolPlay>({
    env,
    greeting: 'ok',
    key: 'env_idx',
    errors: 'status',
    ids: 'counter',
    cors: false,
  })
    .on('GET', '/list_envs', null, ({ sessions }) => sessions.ids())
    .on('POST', '/create', { id: integer() }, async ({ input, sessions, environment }) => {
      const session = await sessions.open(() => ({ item: input.id, episode: environment.openItem(input.id) }));
      return session.id;
    })
    .onSession('POST', '/reset', { id: optional(integer(), null) }, async ({ input, session: { play }, environment }) => {
      play.item = input.id ?? play.item;
      return (await begin(play, environment.openItem(play.item))).observation;
    })
    .onSession('POST', '/step', { action: text() }, ({ input, session: { play } }) => play.episode.send(input.action))
    .onSession('GET', '/observation', {}, ({ session: { play } }) => play.episode.observation)
    .on('POST', '/close', { env_idx: integer() }, ({ input, sessions }) => sessions.close(input.env_idx));
}
