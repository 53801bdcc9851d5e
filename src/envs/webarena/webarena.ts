/**
 * WebArena as an Environment: tasks on web sites, played in a browser. Without settings it plays the sites that ship, in the fast backend;
 * with the addresses of the official sites it plays the official tasks in Chromium.
 */
import { AgogeError } from '../../core/error.ts';
import type { Random } from '../../core/random/random.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Expert, OpenOptions, TaskInfo, TaskSet } from '../environment.ts';
import { readSettings, type Settings } from '../settings.ts';
import { unknownSplit, unknownTask } from '../unknown.ts';
import { WebArenaEpisode } from './episode.ts';
import type { Viewport } from './observation/nodes.ts';
import type { WebArenaSetup } from './setup.ts';
import { instructions } from './prompt.ts';
import { practicePlay, type Practice } from './sites/tasks/practice.ts';
import { teacher, type TaskList, type Teacher } from './tasks/book.ts';
import { settings, type WebArenaSettings } from './settings.ts';
import { isPlain, shippedSetup } from './shipped.ts';
import { officialAddresses, type SiteAddresses, type Variables } from './tasks/sites.ts';
import { startUrls, type WebTask } from './tasks/task.ts';

export type { WebArenaSetup };

const VIEWPORT: Viewport = { width: 1280, height: 720 };

export async function webArena(given: Settings = {}): Promise<WebArena> {
  return openWebArena(readSettings('webarena', settings, given));
}

export async function openWebArena(given: WebArenaSettings): Promise<WebArena> {
  const { process } = globalThis as { readonly process?: { readonly env?: Variables } };
  const official = officialAddresses(given, process?.env ?? {});
  if (!official && isPlain(given)) return new WebArena(shippedSetup(given));
  // Asked for by name when it is needed: it starts browsers and servers, and a page that cannot does not carry it.
  const { openSetup } = (await import(/* @vite-ignore */ beside('./open'))) as typeof import('./open.ts');
  return new WebArena(await openSetup(given, official));
}

function beside(module: string): string {
  return `${module}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`;
}

export class WebArena implements Environment {
  readonly name = 'webarena';
  readonly version: string;
  readonly splits: readonly string[];
  readonly instructions = instructions;

  constructor(private readonly setup: WebArenaSetup) {
    this.version = ['1', setup.book.source, setup.variant].join('-');
    this.splits = [...setup.book.splits.keys()];
  }

  get addresses(): SiteAddresses {
    return this.setup.addresses;
  }

  tasks(split: string): TaskSet {
    const list = this.list(split);
    return { size: list.size, info: (index) => this.info(this.task({ env: this.name, split, index })) };
  }

  open(ref: TaskRef, { signal }: OpenOptions = {}): Promise<WebArenaEpisode> {
    return this.openTask(this.task(ref), signal);
  }

  /** Plays a task of one's own, of this book or not. */
  async openTask(task: WebTask, signal?: AbortSignal, { trace = false } = {}): Promise<WebArenaEpisode> {
    const { backend, addresses, judge, short, viewport = VIEWPORT } = this.setup;
    const storageState = await this.setup.storageState?.(task, signal);
    const start = {
      urls: startUrls(task),
      viewport,
      login: task.require_login === true ? task.sites : [],
      storageState,
      geolocation: task.geolocation ?? undefined,
      trace,
    };
    const player = await backend.open(start, signal);
    return WebArenaEpisode.begin({ task, player, addresses, judge, short, own: this.setup.storageState === undefined });
  }

  /** A play of the split for training made easier, with its expert (see practice.ts). Throws ENV_NO_EXPERT for tasks of one's own. */
  async practice(random: Random, difficulty: number): Promise<Practice> {
    const index = random.below(this.tasks(this.splits[0] ?? '').size);
    const ref = { env: this.name, split: this.splits[0] ?? '', index };
    const { otherLines = 0 } = this.setup;
    return practicePlay(await this.open(ref), this.expert(ref), { share: difficulty, otherLines, random });
  }

  taskOfItem(item: number): TaskRef {
    const found = this.setup.book.find(item);
    if (!found)
      throw new AgogeError(
        'ENV_UNKNOWN_TASK',
        `webarena has no task ${item}: choose one of split "${this.splits[0] ?? 'all'}", or set webarena.tasks to the file that has it (test.raw.json of WebArena)`,
      );
    return { env: this.name, ...found };
  }

  /** Tasks by their numbers, the last excluded, in rising order. */
  tasksBetween(first: number, end: number): readonly WebTask[] {
    return this.everyTask().filter(({ task_id }) => task_id >= first && task_id < end);
  }

  /** Which numbers there are, for people. */
  get numbers(): string {
    const ids = this.everyTask().map(({ task_id }) => task_id);
    return ids.length === 0 ? 'there are no tasks' : `there are tasks ${Math.min(...ids)} to ${Math.max(...ids)}`;
  }

  /** The solver of the shipped sites, which looks at pages; of other tasks their reference actions. */
  expert(ref: TaskRef): Expert {
    const task = this.task(ref);
    const expert = this.setup.book.expert?.(task) ?? this.teacher(task);
    if (!('actionSet' in expert) || expert.actionSet !== 'playwright') return expert;
    throw new AgogeError(
      'ENV_NO_EXPERT',
      `the reference actions of task ${task.task_id} are Playwright’s, which no prompt here tells of: agoge webarena run --agent-type teacher_forcing plays them`,
    );
  }

  /** Teacher forcing: the task's reference actions as they are written; where it has none, whoever else can solve it. */
  teacher(task: WebTask): Teacher {
    const written = teacher(task);
    if (written) return written;
    const expert = this.setup.book.expert?.(task);
    if (expert) return { actionSet: 'id_accessibility_tree', next: (observation) => expert.next(observation) };
    throw new AgogeError('ENV_NO_EXPERT', `nobody has written down how task ${task.task_id} is solved: use another policy`);
  }

  /** The task behind a reference; throws ENV_UNKNOWN_TASK. */
  task(ref: TaskRef): WebTask {
    const list = this.list(ref.split);
    const task = list.task(ref.index);
    if (task) return task;
    throw unknownTask(this.name, ref, list.size);
  }

  async close(): Promise<void> {
    await this.setup.backend[Symbol.asyncDispose]();
    await this.setup.close?.();
  }

  private everyTask(): readonly WebTask[] {
    const byId = new Map<number, WebTask>();
    for (const list of this.setup.book.splits.values()) {
      for (let index = 0; index < list.size; index++) {
        const found = list.task(index);
        if (found) byId.set(found.task_id, found);
      }
    }
    return [...byId.values()].sort((a, b) => a.task_id - b.task_id);
  }

  private list(split: string): TaskList {
    const list = this.setup.book.splits.get(split);
    if (list) return list;
    throw unknownSplit(this.name, split, this.splits);
  }

  private info(task: WebTask): TaskInfo {
    return { category: task.sites.join('+'), itemId: `webarena_${task.task_id}`, title: task.intent };
  }
}
