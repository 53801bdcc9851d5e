/**
 * Tasks from rows: the prompt is a row's own messages, the reply is the answer as it stands, the reward is what the row's
 * score says, in verl's numbers. With tools, replies may call some before they answer. Without files the rows are generated, so that everything runs without a download.
 */
import type { TaskRef } from '../../core/task.ts';
import type { Scored } from '../../scores/score.ts';
import { scoreAnswer } from '../../scores/score-answer.ts';
import { routedScore, routeNames, scores, type RouteName } from '../../scores/registry.ts';
import type { Environment, Episode, Expert, Instructions, Step, TaskInfo, TaskSet, Truth } from '../environment.ts';
import { badSetting } from '../settings.ts';
import { unknownSplit, unknownTask } from '../unknown.ts';
import { generatedRows } from './generated/generated.ts';
import { titleOf, type DataRow, type NamedRows } from './row.ts';
import type { DataSettings } from './settings.ts';
import { writtenSolution } from './solution.ts';
import { ToolEpisode, type ToolSet } from './tools/episode.ts';
import { withTools, writeCall } from './tools/hermes.ts';
import { openTools, toolForms } from './tools/open-tools.ts';

const instructions: Instructions = {
  task: 'Answer the question.',
  verbatim: true,
  actions: [{ name: 'answer', template: '{answer}', description: 'Your whole answer.', parameters: { answer: 'the answer' } }],
};

export async function openData(given: DataSettings): Promise<DataEnvironment> {
  const score = scoreOf(given.score);
  const { sandbox } = given;
  const tools = await openTools(given);
  const named = (['file', 'train', 'validation', 'test'] as const).some((key) => given[key] !== undefined);
  if (!named) return new DataEnvironment(generatedRows(given), score, 'generated', { sandbox, tools });
  for (const key of ['kind', 'level', 'seed'] as const)
    if (given[key] !== undefined) throw badSetting('data', key, given[key], 'something only without files');
  // Asked for by name when it is needed: it reads disks, and a page that cannot does not carry it.
  const module = `./open-files${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`;
  const { openFiles } = (await import(/* @vite-ignore */ module)) as typeof import('./open-files.ts');
  const { splits, version } = await openFiles(given);
  return new DataEnvironment(splits, score, version, { sandbox, tools });
}

interface DataOptions {
  readonly sandbox?: string | undefined;
  readonly tools?: ToolSet | undefined;
}

export class DataEnvironment implements Environment {
  readonly name = 'data';
  readonly version: string;
  readonly splits: readonly string[];
  readonly instructions: Instructions;
  private readonly sandbox: string | undefined;
  private readonly tools: ToolSet | undefined;
  /** A guess is often right where answers are small numbers. */
  readonly luck = 0.3;

  constructor(
    private readonly rows: ReadonlyMap<string, NamedRows>,
    private readonly score: RouteName | 'verl',
    source: string,
    { sandbox, tools }: DataOptions = {},
  ) {
    this.sandbox = sandbox;
    this.tools = tools;
    const names = tools ? [tools.tools.map(({ schema }) => schema.function.name).join('+')] : [];
    this.version = ['1', source, score, ...names].join('-');
    this.instructions = tools ? { ...instructions, actions: toolForms(tools.tools) } : instructions;
    this.splits = [...rows.keys()];
  }

  tasks(split: string): TaskSet {
    const { size, name } = this.split(split);
    const info = (index: number): TaskInfo => {
      const row = this.row({ env: this.name, split, index });
      return { category: row.category ?? row.dataSource, itemId: `${name}_${index}`, title: titleOf(row) };
    };
    return { size, info };
  }

  open(task: TaskRef): Episode {
    const row = this.row(task);
    const { sandbox, tools } = this;
    const prompt = tools
      ? withTools(
          row.prompt,
          tools.tools.map(({ schema }) => schema),
        )
      : row.prompt;
    const judge = (answer: string): Scored | Promise<Scored> =>
      scoreAnswer(this.scoreOf(row), answer, row.groundTruth, { sandbox });
    const episode = new AnswerEpisode({ ...row, prompt }, judge);
    return tools ? new ToolEpisode(episode, tools) : episode;
  }

  truth(task: TaskRef): Truth {
    const { dataSource, groundTruth, extraInfo } = this.row(task);
    return { dataSource, groundTruth, extraInfo };
  }

  expert(task: TaskRef): Expert {
    const row = this.row(task);
    const has = (name: string): boolean => this.tools?.tools.some(({ schema }) => schema.function.name === name) === true;
    const replies = (row.calls ?? []).filter(({ name }) => has(name)).map(writeCall);
    let next = 0;
    return {
      next: () => {
        const at = next++;
        return at < replies.length ? (replies[at] ?? null) : at === replies.length ? this.solution(row) : null;
      },
    };
  }

  /** The row's own solution where its score agrees with it, else the ground truth in the form that the score reads. */
  private solution(row: DataRow): string {
    const name = this.scoreOf(row);
    const own = row.solution;
    // Whether a program is right is not asked here: that takes a process.
    if (own !== undefined && (name === 'prime_code' || scores[name](own, row.groundTruth).correct)) return own;
    return writtenSolution(name, row.groundTruth);
  }

  private scoreOf({ dataSource }: DataRow): RouteName {
    return this.score === 'verl' ? routedScore(dataSource) : this.score;
  }

  private row({ split, index }: TaskRef): DataRow {
    const rows = this.split(split);
    if (Number.isSafeInteger(index) && index >= 0 && index < rows.size) return rows.at(index);
    throw unknownTask(this.name, { split, index }, rows.size);
  }

  private split(split: string): NamedRows {
    const rows = this.rows.get(split);
    if (rows) return rows;
    throw unknownSplit(this.name, split, this.splits);
  }
}

const over = 'The answer was given.';

/** What viewers may draw: the question, what tools were asked, and the answer with its worth. */
export interface DataState {
  readonly question: string;
  readonly calls: readonly { readonly name: string; readonly given: string; readonly answer: string }[];
  readonly answer?: string;
  readonly score?: number;
  readonly solved?: boolean;
}

/** Characters of an answer that are drawn: its end, where the result stands. */
const mostDrawn = 1000;

class AnswerEpisode implements Episode {
  readonly observation: string;
  readonly prompt: Episode['prompt'];
  private done = false;
  private drawn: DataState;

  constructor(
    row: DataRow,
    private readonly judge: (answer: string) => Scored | Promise<Scored>,
  ) {
    this.prompt = row.prompt;
    this.observation = row.prompt.map(({ text }) => text).join('\n\n');
    this.drawn = { question: titleOf(row), calls: [] };
  }

  get state(): DataState {
    return this.drawn;
  }

  step(action: string): Step | Promise<Step> {
    if (this.done) return { observation: over, reward: 0, done: true };
    this.done = true;
    const step = ({ score, correct, parts }: Scored): Step => {
      this.drawn = { ...this.drawn, answer: action.slice(-mostDrawn), score, solved: correct };
      return { observation: over, reward: score, done: true, success: correct, ...(parts ? { breakdown: parts } : {}) };
    };
    const judged = this.judge(action);
    return judged instanceof Promise ? judged.then(step) : step(judged);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

function scoreOf(name: string): RouteName | 'verl' {
  if (name === 'verl') return name;
  const found = routeNames.find((one) => one === name);
  if (found) return found;
  throw badSetting('data', 'score', name, `verl or one of ${routeNames.join(', ')}`);
}
