/**
 * SQLGym as AgentGym serves it: a statement is run as it is given, an instance can be asked again after its end, and the answer
 * carries the gold query. Beyond the original: ids are never shared, and `/close` frees an instance.
 */
import type { AgentGym } from '../agentgym/agentgym.ts';
import type { Read } from '../agentgym/reading.ts';
import { indexFamily } from '../agentgym/wire.ts';
import { AgogeError } from '../../core/error.ts';
import type { Environment } from '../environment.ts';
import { resultText } from './judge.ts';
import type { SqlGym } from './sqlgym.ts';
import { integer, text } from '../agentgym/fields.ts';
import { Dialect, type Play } from '../agentgym/dialect.ts';

/** What the dialect needs of SQLGym beyond the contract. */
export type QuestioningEnvironment = Environment & Pick<SqlGym, 'question' | 'judgeStatement'>;

interface SqlGymPlay extends Play {
  question?: ReturnType<QuestioningEnvironment['question']>;
}

const dialect = new Dialect<QuestioningEnvironment, SqlGymPlay>({
  env: 'sqlgym',
  greeting: 'ok',
  key: 'env_idx',
  errors: 'status',
  ids: { randomBelow: 489_577 },
  cors: false,
})
  .on('GET', '/list_envs', null, ({ sessions }) => sessions.ids())
  .on('POST', '/create', null, async ({ sessions }) => (await sessions.open(() => ({}))).id)
  .onSession('POST', '/reset', { item_id: integer() }, ({ input, session: { play }, environment }) => {
    play.question = environment.question(input.item_id);
    return [opening(play), null];
  })
  .onSession('POST', '/step', { action: text() }, async ({ input, session: { play }, environment }) => {
    const question = asked(play);
    const { result, reward } = await environment.judgeStatement(question, input.action);
    return { state: resultText(result), reward, done: true, info: { ground_truth: question.sql } };
  })
  .onSession('GET', '/observation', {}, ({ session: { play } }) => opening(play))
  .on('POST', '/close', { env_idx: integer() }, ({ input, sessions }) => sessions.close(input.env_idx));

function asked({ question }: SqlGymPlay): NonNullable<SqlGymPlay['question']> {
  if (question) return question;
  throw new AgogeError('GYM_NOT_RESET', 'this instance has no question yet: reset it with an item_id first');
}

function opening(play: SqlGymPlay): string {
  const { description, text } = asked(play);
  return `${description}\n\n${text}`;
}

/** What stands in the last fence of SQL, else the whole reply. */
function inFence(reply: string): Read {
  const fenced = reply.split('```sql').at(-1) ?? '';
  return { action: (fenced.split('```')[0] ?? '').trim() };
}

/** SQLGym towards AgentGym. */
export const agentGym: AgentGym = {
  dialect,
  wire: {
    ...indexFamily,
    filesDecide: true,
    items: 10_962,
    reset: (item) => ({ item_id: item }),
    step: ({ state, reward, done }) => ({ observation: state, total: reward, done }),
  },
  reader: inFence,
};
