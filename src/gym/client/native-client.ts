/**
 * An Environment behind another machine's `/v1`: same tasks, same steps, and every retry safe, because a session is opened
 * under a key and a step carries its number. One connection pool serves all of its sessions.
 */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { AgogeError, type ErrorCode } from '../../core/error.ts';
import { formatTask, type TaskRef } from '../../core/task.ts';
import type { Environment, Episode, OpenOptions, RemoteExpert, Step, TaskInfo, TaskSet } from '../../envs/environment.ts';
import { unknownSplit, unknownTask } from '../../envs/unknown.ts';
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
} from '../protocol.ts';

/** How many tasks of an endless split are asked for; beyond them only their number is known here. */
const ahead = 1000;
/** How many of a split that ends, unless the caller says otherwise. */
const usualMost = 250_000;
const pageSize = 1000;
/** Splits of one environment; more are no environment of ours. */
const mostSplits = 1000;

/** The environment called `name`, if the server speaks `/v1`; undefined when it does not. Throws GYM_WRONG_ENVIRONMENT. */
export async function connectNative(
  caller: Caller,
  name: string,
  options: ConnectOptions = {},
): Promise<Environment | undefined> {
  const { root, answer } = await greet(caller, options.signal);
  const greeting = hello.safeParse(answer.value);
  if (!greeting.success) {
    if (speaksAnother(answer)) return undefined;
    throw new AgogeError(
      'GYM_BAD_ANSWER',
      `${caller.url} answered ${answer.status} "${answer.text.slice(0, 200)}" when asked what it serves: look at the server, or write ${name}@agentgym+http://… for one of AgentGym's`,
    );
  }
  const description = greeting.data.environments.find((environment) => environment.name === name);
  if (!description) {
    const served = greeting.data.environments.map((environment) => environment.name).join(', ');
    throw new AgogeError(
      'GYM_WRONG_ENVIRONMENT',
      `${caller.url} serves ${served}, not ${name}: name one of those, or another port`,
    );
  }
  if (description.splits.length > mostSplits) {
    throw new AgogeError(
      'GYM_BAD_ANSWER',
      `${caller.url} says that ${name} has ${description.splits.length} splits: look at the server`,
    );
  }
  const infos = new Map<string, readonly TaskInfo[]>();
  for (const { name: split, size } of description.splits) {
    infos.set(split, await taskInfos(caller, root, { env: name, split, size: size ?? ahead }, options));
  }
  return new NativeEnvironment(caller, root, description, infos);
}

export interface ConnectOptions extends OpenOptions {
  /** Tasks of a split that are asked for at most; of the others only their number is known. */
  readonly maxTasks?: number;
}

class NativeEnvironment implements Environment {
  readonly name: string;
  readonly version: string;
  readonly splits: readonly string[];
  readonly instructions: Environment['instructions'];
  readonly standIn: Environment['standIn'];

  constructor(
    private readonly caller: Caller,
    private readonly root: string,
    private readonly description: EnvironmentDescription,
    private readonly infos: ReadonlyMap<string, readonly TaskInfo[]>,
  ) {
    this.name = description.name;
    this.version = description.version;
    this.splits = description.splits.map(({ name }) => name);
    this.instructions = description.instructions as Environment['instructions'];
    this.standIn = description.standIn;
  }

  tasks(split: string): TaskSet {
    const found = this.description.splits.find(({ name }) => name === split);
    const infos = this.infos.get(split);
    if (!found || !infos) {
      throw unknownSplit(this.name, split, this.splits);
    }
    const size = found.size ?? Infinity;
    return {
      size,
      info: (index) => {
        const info = infos[index];
        if (info) return info;
        if (Number.isSafeInteger(index) && index >= 0 && index < size) {
          return { category: split, itemId: `${this.name}-${split}_${index}` };
        }
        throw unknownTask(this.name, { split, index }, size);
      },
    };
  }

  async open(task: TaskRef, options: OpenOptions = {}): Promise<Episode> {
    const body = { task, key: randomUUID() };
    const answer = await this.caller.call('POST', `${this.root}/sessions`, { body, safe: true, signal: options.signal });
    return new NativeEpisode(this.caller, this.root, read(answer, openAnswer, `opening ${formatTask(task)}`), options.signal);
  }

  remoteExpert(task: TaskRef): RemoteExpert {
    const observations: string[] = [];
    return {
      next: async (observation) => {
        observations.push(observation);
        const answer = await this.caller.call('POST', `${this.root}/experts`, { body: { task, observations }, safe: true });
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
  private view: Pick<Episode, 'actions' | 'state' | 'progress'>;

  constructor(
    private readonly caller: Caller,
    root: string,
    opened: OpenAnswer,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.observation = opened.observation;
    this.path = `${root}/sessions/${opened.session}`;
    this.view = opened;
  }

  get actions(): readonly string[] | undefined {
    return this.view.actions;
  }

  get state(): unknown {
    return this.view.state;
  }

  get progress(): unknown {
    return this.view.progress;
  }

  async step(action: string): Promise<Step> {
    const body = { sequence: this.sequence + 1, action };
    const answer = await this.caller.call('POST', `${this.path}/steps`, { body, safe: true, signal: this.signal });
    const step = read(answer, stepAnswer, 'a step');
    if (step.sequence !== body.sequence) {
      throw new AgogeError(
        'GYM_BAD_ANSWER',
        `step ${body.sequence} was answered with that of step ${step.sequence}: look at what stands between here and the server`,
      );
    }
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

/** Where the server has its /v1, and what it says there: below the path of its address behind a door, else at its root. */
async function greet(caller: Caller, signal: AbortSignal | undefined): Promise<{ root: string; answer: CallAnswer }> {
  const below = await caller.call('GET', '/v1', { safe: true, signal });
  if (caller.atRoot || hello.safeParse(below.value).success) return { root: '/v1', answer: below };
  return { root: '//v1', answer: await caller.call('GET', '//v1', { safe: true, signal }) };
}

async function taskInfos(
  caller: Caller,
  root: string,
  { env, split, size }: { readonly env: string; readonly split: string; readonly size: number },
  options: ConnectOptions,
): Promise<TaskInfo[]> {
  const infos: TaskInfo[] = [];
  const most = Math.min(size, options.maxTasks ?? usualMost);
  while (infos.length < most) {
    const offset = infos.length;
    const whole = Math.min(pageSize, most - offset);
    const query = new URLSearchParams({ split, offset: String(offset), limit: String(whole) });
    const path = `${root}/environments/${encodeURIComponent(env)}/tasks?${query.toString()}`;
    const page = read(
      await caller.call('GET', path, { safe: true, signal: options.signal }),
      taskPage,
      `the tasks of ${env}/${split}`,
    );
    if (page.offset !== offset || page.tasks.length !== whole || page.tasks.some(({ index }, i) => index !== offset + i)) {
      throw new AgogeError(
        'GYM_BAD_ANSWER',
        `${caller.url} was asked for tasks ${offset} to ${offset + whole - 1} of ${env}/${split} and gave others: look at the server`,
      );
    }
    for (const { category, itemId, title } of page.tasks) infos.push({ category, itemId, ...(title !== undefined && { title }) });
  }
  return infos;
}

/** AgentGym's servers know no /v1. A server that breaks, refuses or speaks another version of ours is none of them. */
function speaksAnother({ status, value }: CallAnswer): boolean {
  if (status === 404 || status === 405) return true;
  return status === 200 && !(typeof value === 'object' && value !== null && 'protocol' in value);
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
