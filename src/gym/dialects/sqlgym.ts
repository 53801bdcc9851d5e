/**
 * SQLGym as AgentGym serves it: a statement is run as it is given, an instance can be asked again after its end, and the answer
 * carries the gold query. Beyond the original: ids are never shared, and `/close` frees an instance.
 */
import { AgogeError } from '../../core/error.ts';
import type { Environment } from '../../envs/environment.ts';
import { resultText } from '../../envs/sqlgym/judge.ts';
import type { SqlGym } from '../../envs/sqlgym/sqlgym.ts';
import { integer, text } from '../server/fields.ts';
import { Dialect, type Play } from './dialect.ts';

/** What the dialect needs of SQLGym beyond the contract. */
export type QuestioningEnvironment = Environment & Pick<SqlGym, 'question' | 'judgeStatement'>;

interface SqlGymPlay extends Play {
  question?: ReturnType<QuestioningEnvironment['question']>;
}

export const dialect = new Dialect<QuestioningEnvironment, SqlGymPlay>({
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
