/**
 * Plays of one question. In the original's form one statement is the whole play. With turns, the agent may look at the schema and
 * try statements before it answers.
 */
import type { SqlResult } from '../../sandbox/sqlite/sqlite.ts';
import type { Episode, Step } from '../environment.ts';
import { resultText, statementOf, type Judge } from './judge.ts';
import type { Question } from './questions.ts';
import { valueText } from './repr.ts';
import type { Schema } from './schema.ts';

/** What viewers may draw: the schema, the last statement and what it gave. */
export interface SqlGymState {
  readonly database: string;
  readonly question: string;
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  /** Pairs of `table.column`. */
  readonly links: readonly (readonly [string, string])[];
  readonly sql?: string;
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly string[])[];
  readonly count?: number;
  readonly error?: string;
  readonly solved?: boolean;
}

const DRAWN_ROWS = 10;
const DRAWN_TEXT = 80;

/** One statement, judged. */
export class StatementEpisode implements Episode {
  readonly observation: string;
  state: SqlGymState;
  private ended: Step | undefined;

  constructor(
    private readonly question: Question,
    private readonly judge: Judge,
    private readonly signal?: AbortSignal,
  ) {
    this.observation = `${question.description}\n\n${question.text}`;
    this.state = opening(question);
  }

  async step(action: string): Promise<Step> {
    if (this.ended) return this.ended;
    const sql = statementOf(action);
    const { result, reward } = await this.judge.judge(this.question, sql, this.signal);
    const step = { observation: resultText(result), reward, done: true, success: reward === 1 };
    this.state = { ...this.state, ...drawn(sql, result), solved: step.success };
    this.ended = { ...step, reward: 0 };
    return step;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}

/** Characters of a result that an agent with turns is shown. */
const SHOWN_TEXT = 1000;

const turnsHelp = 'Say "schema", "schema <table>", "query <SQL>" or "answer <SQL>".';

/** Look, try, answer: at most `turns` actions that do something. */
export class TurnsEpisode implements Episode {
  readonly observation: string;
  state: SqlGymState;
  private ended: Step | undefined;
  private left: number;

  constructor(
    private readonly question: Question,
    private readonly judge: Judge,
    turns: number,
    private readonly signal?: AbortSignal,
  ) {
    this.left = turns;
    this.observation = `Database ${question.schema.db_id}, ${turns} turns.\n\n${question.text}`;
    this.state = opening(question);
  }

  async step(action: string): Promise<Step> {
    if (this.ended) return this.ended;
    const [, verb = '', rest = ''] = /^\s*(schema|query|answer)\b\s*([\s\S]*)$/i.exec(action) ?? [];
    switch (verb.toLowerCase()) {
      case 'schema':
        return this.spend(await this.look(rest.trim()));
      case 'query': {
        const sql = statementOf(rest);
        const result = await this.judge.run(this.question, sql, this.signal);
        this.state = { ...opening(this.question), ...drawn(sql, result) };
        return this.spend(resultText(result, SHOWN_TEXT));
      }
      case 'answer': {
        const sql = statementOf(rest);
        const { result, reward } = await this.judge.judge(this.question, sql, this.signal);
        this.state = { ...opening(this.question), ...drawn(sql, result), solved: reward === 1 };
        return this.end(resultText(result, SHOWN_TEXT), reward);
      }
      default:
        return { observation: turnsHelp, reward: 0, done: false };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }

  private async look(table: string): Promise<string> {
    const { schema } = this.question;
    if (table === '') return `Tables: ${schema.table_names.join(', ')}.`;
    const number = schema.table_names.findIndex((name) => name.toLowerCase() === table.toLowerCase());
    if (number < 0) return `There is no table ${JSON.stringify(table.slice(0, 100))}. Tables: ${schema.table_names.join(', ')}.`;
    const name = schema.table_names[number] ?? '';
    const links = linksOf(schema).filter(([from]) => from.startsWith(`${name}.`));
    const columns = columnsOf(schema, number);
    return [`${name}(${columns.join(', ')})`, ...links.map(([from, to]) => `${from} -> ${to}`)].join('\n');
  }

  private spend(observation: string): Step {
    if (--this.left > 0) return { observation, reward: 0, done: false };
    return this.end(`${observation}\nNo turns are left.`, 0);
  }

  private end(observation: string, reward: 0 | 1): Step {
    const step = { observation, reward, done: true, success: reward === 1 };
    this.ended = { ...step, reward: 0 };
    return step;
  }
}

function columnsOf({ column_names }: Schema, table: number): string[] {
  return column_names.flatMap(([owner, name]) => (owner === table ? [name] : []));
}

function linksOf({ foreign_keys, column_names, table_names }: Schema): (readonly [string, string])[] {
  const place = (number: number): string => {
    const [table, name] = column_names[number] ?? [-1, ''];
    return `${table_names[table] ?? ''}.${name}`;
  };
  return foreign_keys.map(([from, to]) => [place(from), place(to)] as const);
}

function opening({ schema, text }: Question): SqlGymState {
  return {
    database: schema.db_id,
    question: text,
    tables: schema.table_names.map((name, number) => ({ name, columns: columnsOf(schema, number) })),
    links: linksOf(schema),
  };
}

function drawn(sql: string, result: SqlResult): Partial<SqlGymState> {
  if (result.kind === 'error') return { sql, error: result.message };
  const cell = (text: string): string => (text.length > DRAWN_TEXT ? `${text.slice(0, DRAWN_TEXT)}…` : text);
  const rows = result.rows.slice(0, DRAWN_ROWS).map((row) => row.map((value) => cell(valueText(value))));
  return { sql, columns: result.columns, rows, count: result.count };
}
