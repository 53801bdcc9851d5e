/**
 * WebArena as AgentGym serves it: a step takes the model's whole reply, its reward only says that the browser carried the action out,
 * and the evaluators' score comes with `stop`. What goes wrong is answered as text, as there. Beyond the original: /list_envs works.
 */
import type { AgentGym } from '../agentgym/agentgym.ts';
import { indexFamily, textIn } from '../agentgym/wire.ts';
import type { AgogeError } from '../../core/error.ts';
import type { Environment } from '../environment.ts';
import type { WebArenaEpisode } from './episode.ts';
import { extractAction } from './prompts/extract.ts';
import type { WebArena } from './webarena.ts';
import { integer, optional, text } from '../agentgym/fields.ts';
import { begin, Dialect, type Play } from '../agentgym/dialect.ts';

/** What the dialect needs of WebArena beyond the contract. */
export type BrowsingEnvironment = Environment & Pick<WebArena, 'openTask' | 'task' | 'taskOfItem'>;

interface WebArenaPlay extends Play {
  episode?: WebArenaEpisode | undefined;
  observation: string;
}

/** The original answers so whatever a reset failed at; here the reason stands behind it. */
const failedReset = ({ message }: AgogeError): object => ({
  observation: `TimeoutError: ${message}`,
  sites: 'Error',
  object: 'Error',
});
const SPLITTER = '```';

const dialect = new Dialect<BrowsingEnvironment, WebArenaPlay>({
  env: 'webarena',
  failed: (path, error) => (path === '/reset' ? failedReset(error) : undefined),
  greeting: 'ok',
  plainGreeting: true,
  key: 'env_idx',
  errors: 'status',
  ids: 'counter',
  cors: true,
})
  .on('GET', '/list_envs', {}, ({ sessions }) => sessions.ids())
  .on('POST', '/create', null, async ({ sessions }) => ({ env_idx: (await sessions.open(() => ({ observation: '' }))).id }))
  .onSession(
    'POST',
    '/reset',
    { seed: optional(integer(), null), idx: integer() },
    async ({ input, session: { play }, environment }) => {
      const task = environment.task(environment.taskOfItem(input.idx));
      const episode = await begin(play, environment.openTask(task));
      play.observation = episode.observation;
      return { observation: episode.seen.text, sites: task.sites, object: task.intent };
    },
  )
  .onSession('POST', '/step', { action: text() }, async ({ input, session: { play } }) => {
    const { episode } = play;
    try {
      if (!episode) throw new Error('the environment was not reset');
      const extracted = extractAction(input.action, { splitter: SPLITTER });
      if ('error' in extracted) return refused(extracted.error.message);
      const { observation, done, score, executed, failure, error } = await episode.play(extracted.text);
      if (error) return refused(error.message);
      play.observation = observation;
      const info = { page: { url: episode.seen.url, content: '' }, fail_error: failure, observation_metadata: metadata(episode) };
      return { observation, reward: done ? score : Number(executed), terminated: done, truncated: false, info };
    } catch (thrown) {
      return refused(thrown instanceof Error ? thrown.message : String(thrown));
    }
  })
  .onSession('GET', '/observation', {}, ({ session: { play } }) => play.observation)
  .onSession('GET', '/observation_metadata', {}, ({ session: { play } }) => (play.episode ? metadata(play.episode) : {}))
  .on('POST', '/close', { env_idx: integer() }, async ({ input, sessions }) => {
    await sessions.close(input.env_idx);
    return { closed: 'closed' };
  });

function refused(message: string): object {
  return { observation: message, reward: 0, terminated: false, truncated: false, info: null };
}

function metadata({ seen }: WebArenaEpisode): object {
  const nodes = [...seen.nodes].map(([id, { backendNodeId, box, text: line }]) => {
    const bound = box ? [box.x, box.y, box.width, box.height] : null;
    return [id, { backend_id: backendNodeId, union_bound: bound, text: line }] as const;
  });
  return { text: { obs_nodes_info: Object.fromEntries(nodes) }, image: { obs_nodes_info: {} } };
}

const noFence =
  'Cannot parse action from response. Your action should be inside triple backticks (```). Please adjust accordingly.';

/** WebArena towards AgentGym. */
export const agentGym: AgentGym = {
  dialect,
  wire: {
    ...indexFamily,
    filesDecide: true,
    items: 812,
    reset: (item) => ({ seed: 0, idx: item }),
    first: (answer) => `OBSERVATION:\n${textIn(answer, 'observation')}\nOBJECTIVE: ${textIn(answer, 'object')}`,
    send: (action) => (action.includes('```') ? action : `\`\`\`${action}\`\`\``),
    // Until the end the reward only says that the browser carried the action out.
    step: ({ observation, reward, terminated }) => ({ observation, total: terminated === true ? reward : 0, done: terminated }),
  },
  // The server reads the fence itself: the reply goes there whole, provided it has one.
  reader: (reply) => (/```[\s\S]*```/.test(reply) ? { action: reply } : { action: null, problem: noFence }),
};
