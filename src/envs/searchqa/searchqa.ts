/**
 * SearchQA as an Environment: questions that are answered by searching. Without files it asks about an encyclopaedia of its own;
 * with them it has AgentGym's item numbers, wiki-18's passages and the retriever of one's choice.
 */
import { AgogeError } from '../../core/error.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Expert, OpenOptions, TaskInfo, TaskSet } from '../environment.ts';
import { badSetting } from '../settings.ts';
import { standInId, type StandIn } from '../stand-in.ts';
import { unknownSplit, unknownTask } from '../unknown.ts';
import { encyclopaediaQuestions, makeEncyclopaedia } from './encyclopaedia/encyclopaedia.ts';
import { SearchQAEpisode, type Shown } from './episode.ts';
import { instructions } from './prompt.ts';
import { dataSetOf, type Question, type Questions } from './questions.ts';
import type { SearchQASettings } from './settings.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import { bm25Retriever } from './information.ts';

/** Passages that a search gives, as in the original. */
const PASSAGES = 3;

export async function openSearchQA({ passages, text, seed, generated, ...given }: SearchQASettings): Promise<SearchQA> {
  const shown = { passages, short: text === 'short' };
  const files = given.test !== undefined || given.train !== undefined;
  const library = given.corpus !== undefined || given.retriever !== undefined;
  if (!files && !library) {
    const world = makeEncyclopaedia(seed);
    const retriever = bm25Retriever(`encyclopaedia-v1-seed${seed}`, world.passages);
    const standIn = { plays: 'questions about an encyclopaedia of our own', remedy: filesRemedy, chosen: generated };
    return new SearchQA(encyclopaediaQuestions(world, seed), retriever, shown, standIn);
  }
  if (!files) throw absent('test', 'a file of questions beside searchqa.corpus or searchqa.retriever (JSON, JSONL or parquet)');
  if (!library) throw absent('corpus', 'a file of passages (wiki-18.jsonl), or set searchqa.retriever to a server');
  // Asked for by name when it is needed: it reads disks and talks to servers, and a page that cannot does not carry it.
  const { openLibrary } = (await import(/* @vite-ignore */ beside('./library'))) as typeof import('./library.ts');
  const { questions, retriever } = await openLibrary(given);
  return new SearchQA(questions, retriever, shown);
}

const filesRemedy =
  'set searchqa.test and searchqa.train to the question files of AgentGym or FlashRAG, and searchqa.corpus to wiki-18.jsonl (or searchqa.retriever to a server of it)';

const absent = (key: string, remedy: string): AgogeError => badSetting('searchqa', key, undefined, remedy);

function beside(module: string): string {
  return `${module}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`;
}

export class SearchQA implements Environment {
  readonly name = 'searchqa';
  readonly version: string;
  readonly splits: readonly string[];
  readonly instructions = instructions;

  constructor(
    private readonly questions: Questions,
    private readonly retriever: Retriever,
    private readonly shown: Shown = { passages: PASSAGES, short: false },
    readonly standIn?: StandIn,
  ) {
    const { passages, short } = shown;
    const settings = [...(passages === PASSAGES ? [] : [`passages${passages}`]), ...(short ? ['short'] : [])];
    this.version = ['1', questions.source, retriever.name, ...settings].join('-');
    this.splits = [...questions.splits.keys()].filter((split) => this.items(split).length > 0);
  }

  tasks(split: string): TaskSet {
    const items = this.items(split);
    return { size: items.length, info: (index) => this.info(this.itemOf({ env: this.name, split, index })) };
  }

  open(task: TaskRef, { signal }: OpenOptions = {}): SearchQAEpisode {
    return this.openItem(this.itemOf(task), signal);
  }

  /** The episode of AgentGym's item number; throws ENV_UNKNOWN_TASK. */
  openItem(item: number, signal?: AbortSignal): SearchQAEpisode {
    return new SearchQAEpisode(this.questions.question(item), this.retriever, this.shown, signal);
  }

  taskOfItem(item: number): TaskRef {
    this.questions.question(item); // throws where there is none
    return { env: this.name, split: 'all', index: this.items('all').indexOf(item) };
  }

  /** Searches for what each hop needs and answers; of a question from a file it knows the answer and no more. */
  expert(task: TaskRef): Expert {
    const { searches = [], answers } = this.question(task);
    const actions = [...searches.map((query) => `<search> ${query} </search>`), `<answer> ${answers[0] ?? ''} </answer>`];
    let next = 0;
    return { next: () => actions[next++] ?? null };
  }

  question(task: TaskRef): Question {
    return this.questions.question(this.itemOf(task));
  }

  async close(): Promise<void> {
    await this.retriever.close?.();
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
    const itemId = this.standIn ? standInId(this.name, item) : `${dataSetOf(item)}_${item}`;
    return { category, itemId, title: text };
  }
}
