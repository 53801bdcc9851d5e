/**
 * An Environment behind another machine's `/v1`: same tasks, same steps, and every retry safe, because a session is opened
 * under a key and a step carries its number. One connection pool serves all of its sessions.
 */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { AgogeError, type ErrorCode } from '../core/error.ts';
import { formatTask, type TaskRef } from '../core/task.ts';
import type { Environment, Episode, OpenOptions, RemoteExpert, Step, TaskInfo, TaskSet } from '../envs/environment.ts';
import type { CallAnswer, Caller } from './call.ts';
import {
  expertAnswer,
  failureAnswer,
  hello,
  openAnswer,
  stepAnswer,
  taskPage,
  type EnvironmentDescription,
  type OpenAnswer,
} from './protocol.ts';

/** How many tasks of an endless split are asked for; beyond them only their number is known here. */
const ahead = 1000;

/** The environment called `name`, if the server speaks `/v1`; undefined when it does not. Throws GYM_WRONG_ENVIRONMENT. */
export async function connectNative(caller: Caller, name: string, options: OpenOptions = {}): Promise<Environment | undefined> {
  const answer = await caller.call('GET', '//v1', { safe: true, signal: options.signal });
  const read = hello.safeParse(answer.value);
  if (!read.success) return undefined;
  const description = read.data.environments.find((environment) => environment.name === name);
  if (!description) {
    const served = read.data.environments.map((environment) => environment.name).join(', ');
    throw new AgogeError(
      'GYM_WRONG_ENVIRONMENT',
      `${caller.url} serves ${served}, not ${name}: name one of those, or another port`,
    );
  }
  const infos = new Map<string, readonly TaskInfo[]>();
  for (const { name: split, size } of description.splits) {
    infos.set(split, await taskInfos(caller, name, split, size ?? ahead, options));
  }
  return new NativeEnvironment(caller, description, infos);
}

class NativeEnvironment implements Environment {
  readonly name: string;
  readonly version: string;
  readonly splits: readonly string[];
  readonly instructions: Environment['instructions'];

  constructor(
    private readonly caller: Caller,
    private readonly description: EnvironmentDescription,
    private readonly infos: ReadonlyMap<string, readonly TaskInfo[]>,
  ) {
    this.name = description.name;
    this.version = description.version;
    this.splits = description.splits.map(({ name }) => name);
    this.instructions = description.instructions as Environment['instructions'];
  }

  tasks(split: string): TaskSet {
    const found = this.description.splits.find(({ name }) => name === split);
    const infos = this.infos.get(split);
    if (!found || !infos) {
      throw new AgogeError('ENV_UNKNOWN_SPLIT', `${this.name} has no split "${split}": choose one of ${this.splits.join(', ')}`);
    }
    const size = found.size ?? Infinity;
    return {
      size,
      info: (index) => {
        const info = infos[index];
        if (info) return info;
        if (size === Infinity && Number.isSafeInteger(index) && index >= 0) {
          return { category: split, itemId: `${this.name}-${split}_${index}` };
        }
        throw new AgogeError(
          'ENV_UNKNOWN_TASK',
          `${this.name}/${split} has tasks 0 to ${size - 1}, not ${index}: pick one of them`,
        );
      },
    };
  }

  async open(task: TaskRef, options: OpenOptions = {}): Promise<Episode> {
    const body = { task, key: randomUUID() };
    const answer = await this.caller.call('POST', '//v1/sessions', { body, safe: true, signal: options.signal });
    return new NativeEpisode(this.caller, read(answer, openAnswer, `opening ${formatTask(task)}`), options.signal);
  }

  remoteExpert(task: TaskRef): RemoteExpert {
    const observations: string[] = [];
    return {
      next: async (observation) => {
        observations.push(observation);
        const answer = await this.caller.call('POST', '//v1/experts', { body: { task, observations }, safe: true });
        return read(answer, expertAnswer, `the expert of ${formatTask(task)}`).action;
      },
    };
  }

  close(): Promise<void> {
    return this.caller.close();
  }
}

class NativeEpisode implements Episode {
  readonly observation: string;
  private readonly path: string;
  private sequence = 0;
  private view: Pick<Episode, 'actions' | 'state'>;

  constructor(
    private readonly caller: Caller,
    opened: OpenAnswer,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.observation = opened.observation;
    this.path = `//v1/sessions/${opened.session}`;
    this.view = opened;
  }

  get actions(): readonly string[] | undefined {
    return this.view.actions;
  }

  get state(): unknown {
    return this.view.state;
  }

  async step(action: string): Promise<Step> {
    const body = { sequence: this.sequence + 1, action };
    const answer = await this.caller.call('POST', `${this.path}/steps`, { body, safe: true, signal: this.signal });
    const step = read(answer, stepAnswer, 'a step');
    this.sequence++;
    this.view = step;
    const { observation, reward, done, success, breakdown } = step;
    return {
      observation,
      reward,
      done,
      ...(success !== undefined && { success }),
      ...(breakdown && { breakdown }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A server that is gone has closed the session, and one that does not hear of it reaps it.
    await this.caller.call('DELETE', this.path, { safe: true, patience: 1000 }).catch(() => undefined);
  }
}

async function taskInfos(caller: Caller, env: string, split: string, size: number, options: OpenOptions): Promise<TaskInfo[]> {
  const infos: TaskInfo[] = [];
  while (infos.length < size) {
    const query = new URLSearchParams({ split, offset: String(infos.length), limit: '1000' });
    const path = `//v1/environments/${encodeURIComponent(env)}/tasks?${query.toString()}`;
    const page = read(
      await caller.call('GET', path, { safe: true, signal: options.signal }),
      taskPage,
      `the tasks of ${env}/${split}`,
    );
    if (page.tasks.length === 0) break;
    for (const { category, itemId, title } of page.tasks) infos.push({ category, itemId, ...(title !== undefined && { title }) });
  }
  return infos;
}

function read<S extends z.ZodType>(answer: CallAnswer, schema: S, what: string): z.infer<S> {
  if (answer.status === 200) {
    const parsed = schema.safeParse(answer.value);
    if (parsed.success) return parsed.data;
  }
  const failure = failureAnswer.safeParse(answer.value);
  if (failure.success) throw new AgogeError(failure.data.error.code as ErrorCode, failure.data.error.message);
  const start = answer.text.slice(0, 200);
  throw new AgogeError(
    'GYM_BAD_ANSWER',
    `${what} was answered ${answer.status} with "${start}": is this address really an Agoge gym?`,
  );
}
