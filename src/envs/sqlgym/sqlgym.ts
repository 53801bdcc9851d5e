/**
 * SQLGym as an Environment: a question about a database, answered by SQL. BIRD where its folder is given, with AgentGym's item
 * numbers, else twelve databases of our own. Statements run in the sandboxed SQLite, so that none can hang or harm anything.
 */
import type { TaskRef } from '../../core/task.ts';
import { Sqlite } from '../../sandbox/sqlite/sqlite.ts';
import type { Environment, Episode, Expert, Instructions, OpenOptions, TaskInfo, TaskSet } from '../environment.ts';
import { badSetting, readSettings, type Settings } from '../settings.ts';
import { standInId, type StandIn } from '../stand-in.ts';
import { unknownSplit, unknownTask } from '../unknown.ts';
import { StatementEpisode, TurnsEpisode } from './episodes.ts';
import { generateQuestions } from './generated/generated.ts';
import { Judge, type QueryEngine } from './judge.ts';
import { instructions, turnsInstructions } from './prompt.ts';
import type { Question, Questions } from './questions.ts';
import { settings, type SqlGymSettings } from './settings.ts';

export async function sqlGym(given: Settings = {}): Promise<SqlGym> {
  return openSqlGym(readSettings('sqlgym', settings, given));
}

export async function openSqlGym(given: SqlGymSettings): Promise<SqlGym> {
  const { seconds, memory, workers, turns } = given;
  const engine = new Sqlite({ limits: { milliseconds: 1000 * seconds, memory: memory * 2 ** 20 }, workers });
  const standIn = { plays: 'questions about databases of our own', remedy: filesRemedy, chosen: given.generated };
  return new SqlGym(await questionsOf(given), engine, turns, given.bird === undefined ? standIn : undefined);
}

const filesRemedy = 'set sqlgym.bird to BIRD’s folder as train.zip and dev.zip of bird-bench.github.io unpack into it';

async function questionsOf(given: SqlGymSettings): Promise<Questions> {
  const { bird, databases, seed = 0, tables } = given;
  if (bird === undefined) {
    if (databases) throw badSetting('sqlgym', 'databases', databases.join(','), 'names only beside sqlgym.bird');
    return generateQuestions({ seed, tables });
  }
  for (const key of ['seed', 'tables'] as const)
    if (given[key] !== undefined) throw badSetting('sqlgym', key, given[key], 'a number only without sqlgym.bird');
  const { readBird } = await import('./bird.ts');
  return readBird({ path: bird, databases });
}

export class SqlGym implements Environment {
  readonly name = 'sqlgym';
  readonly version: string;
  readonly splits: readonly string[];
  readonly instructions: Instructions;
  private readonly judge: Judge;

  constructor(
    private readonly questions: Questions,
    private readonly engine: QueryEngine & Partial<AsyncDisposable>,
    private readonly turns = 1,
    readonly standIn?: StandIn,
  ) {
    this.version = ['1', questions.source, ...(turns === 1 ? [] : [`turns${turns}`])].join('-');
    this.splits = [...questions.splits.keys()].filter((split) => this.items(split).length > 0);
    this.instructions = turns === 1 ? instructions : turnsInstructions;
    this.judge = new Judge(engine);
  }

  tasks(split: string): TaskSet {
    const items = this.items(split);
    return { size: items.length, info: (index) => this.info(this.itemOf({ env: this.name, split, index })) };
  }

  open(task: TaskRef, { signal }: OpenOptions = {}): Episode {
    const question = this.questions.question(this.itemOf(task));
    if (this.turns > 1) return new TurnsEpisode(question, this.judge, this.turns, signal);
    return new StatementEpisode(question, this.judge, signal);
  }

  taskOfItem(item: number): TaskRef {
    this.questions.question(item); // throws where there is none
    return { env: this.name, split: 'all', index: this.items('all').indexOf(item) };
  }

  /** Answers with the gold query; with turns it looks at the tables that it needs first, and tries it once. */
  expert(task: TaskRef): Expert {
    const { sql, schema } = this.questions.question(this.itemOf(task));
    const needed = schema.table_names.filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(sql));
    const looks = needed.slice(0, Math.max(0, this.turns - 3)).map((name) => `schema ${name}`);
    const actions = this.turns === 1 ? [sql] : [...(this.turns > 3 ? ['schema'] : []), ...looks, `answer ${sql}`];
    let next = 0;
    return { next: () => actions[next++] ?? null };
  }

  /** The question behind an item number, for the dialect; throws ENV_UNKNOWN_TASK. */
  question(item: number): Question {
    return this.questions.question(item);
  }

  /** Plays a statement as AgentGym's server does: as it is given, as often as one likes. */
  judgeStatement(question: Question, sql: string) {
    return this.judge.judge(question, sql);
  }

  async close(): Promise<void> {
    await this.engine[Symbol.asyncDispose]?.();
  }

  private items(split: string): readonly number[] {
    const items = this.questions.splits.get(split);
    if (items) return items;
    throw unknownSplit(this.name, split, this.splits);
  }

  private itemOf({ split, index }: TaskRef): number {
    const items = this.items(split);
    const item = items[index];
    if (item !== undefined) return item;
    throw unknownTask(this.name, { split, index }, items.length);
  }

  private info(item: number): TaskInfo {
    const { category, text } = this.questions.question(item);
    return { category, itemId: this.standIn ? standInId(this.name, item) : `sqlgym_${item}`, title: text };
  }
}
