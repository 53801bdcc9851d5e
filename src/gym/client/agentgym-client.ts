/**
 * An Environment behind one of AgentGym's own servers (or ours, through its dialect): what a team already runs can be
 * trained against. One row of wire per environment says how it is spoken to. A step is never sent twice.
 */
import { AgogeError } from '../../core/error.ts';
import { formatTask, type TaskRef } from '../../core/task.ts';
import type { Environment, Episode, Expert, Instructions, OpenOptions, Step, TaskInfo, TaskSet } from '../../envs/environment.ts';
import type { Caller } from './call.ts';
import type { Json, WireFacts } from '../../envs/agentgym/wire.ts';
import { wireFacts } from '../../envs/lookup.ts';
import { officialId } from '../../envs/stand-in.ts';

/** What the wire does not tell: the tasks and the instructions, from the environment of the same name where we have it. */
export interface KnownTasks {
  readonly version: string;
  readonly splits: readonly string[];
  tasks(split: string): TaskSet;
  readonly instructions: Instructions;
  /** Our own solver of these tasks. */
  expert?(task: TaskRef): Expert;
  taskOfItem?(item: number): TaskRef;
  taskOfName?(itemId: string): TaskRef;
  close?(): Promise<void>;
}

/** Checks that this environment answers here; throws GYM_WRONG_ENVIRONMENT. What is `known` of it may depend on its wire. */
export async function connectAgentGym(
  caller: Caller,
  name: string,
  known: KnownTasks,
  options: OpenOptions = {},
): Promise<Environment> {
  const wire = await wireFacts(name);
  const path = wire.greeting === undefined ? '/observation' : '/';
  const answer = await caller.call('GET', path, { safe: true, signal: options.signal });
  const greeting = typeof answer.value === 'string' ? answer.value : answer.text;
  if (wire.greeting !== undefined && greeting !== wire.greeting) {
    const start = greeting.slice(0, 100);
    throw new AgogeError(
      'GYM_WRONG_ENVIRONMENT',
      `${caller.url} says "${start}", not "${wire.greeting}": is ${name} on another port?`,
    );
  }
  return new AgentGymEnvironment(caller, name, wire, known);
}

/** The split of tasks that are asked for by their number alone. It is not listed: how many there are, only the server knows. */
const byNumber = 'items';

function itemInfo(name: string, index: number): TaskInfo {
  return { category: name, itemId: `${name}_${index}` };
}

/** Under a number the server plays its own task, whatever files are here: what is known of a stand-in is not said of it. */
function ofServer(info: TaskInfo): TaskInfo {
  const itemId = officialId(info.itemId);
  return itemId === info.itemId ? info : { category: info.category, itemId };
}

class AgentGymEnvironment implements Environment {
  readonly version: string;
  readonly splits: readonly string[];
  readonly instructions: Instructions;
  /** Where the server's own files decide which tasks there are: whatever it knows by this number. */
  readonly taskOfItem?: (item: number) => TaskRef;
  readonly taskOfName?: (itemId: string) => TaskRef;
  readonly expert?: (task: TaskRef) => Expert;

  constructor(
    private readonly caller: Caller,
    readonly name: string,
    private readonly wire: WireFacts,
    private readonly known: KnownTasks,
  ) {
    this.version = `agentgym:${known.version}`;
    this.splits = known.splits.filter((split) => known.tasks(split).size === 0 || this.itemOf(split, 0) !== undefined);
    this.instructions = known.instructions;
    if (wire.filesDecide === true) this.taskOfItem = (index) => ({ env: name, split: byNumber, index });
    const named = known.taskOfName?.bind(known);
    if (named) this.taskOfName = named;
    const solver = known.expert?.bind(known);
    const here = (task: TaskRef): TaskRef => (task.split === byNumber ? known.taskOfItem?.(task.index) : undefined) ?? task;
    if (solver) this.expert = (task) => solver(here(task));
  }

  tasks(split: string): TaskSet {
    if (split === byNumber) return { size: Infinity, info: (index) => itemInfo(this.name, index) };
    const known = this.known.tasks(split);
    return { size: known.size, info: (index) => ofServer(known.info(index)) };
  }

  async open(task: TaskRef, options: OpenOptions = {}): Promise<Episode> {
    const item = this.itemOf(task.split, task.index);
    if (item === undefined) {
      const message = `${formatTask(task)} has no AgentGym number, so ${this.caller.url} cannot play it: choose a split of ${this.splits.join(', ')}`;
      throw new AgogeError('ENV_UNKNOWN_TASK', message);
    }
    const { wire, caller } = this;
    const { signal } = options;
    const created = await post(caller, '/create', wire.create, { signal });
    const id = idOf(created, wire);
    if (id === undefined)
      throw new AgogeError(
        'GYM_BAD_ANSWER',
        `${caller.url}/create answered ${JSON.stringify(created)}: is this really ${this.name}?`,
      );
    const episode = new AgentGymEpisode(caller, wire, id, signal);
    try {
      await episode.reset(item);
    } catch (thrown) {
      await episode[Symbol.asyncDispose]();
      throw thrown;
    }
    return episode;
  }

  async close(): Promise<void> {
    await this.caller.close();
    await this.known.close?.();
  }

  private itemOf(split: string, index: number): number | undefined {
    const { itemId } = this.tasks(split).info(index);
    const match = /^[a-z0-9_]+_(\d+)$/i.exec(itemId);
    return match ? Number(match[1]) : undefined;
  }
}

class AgentGymEpisode implements Episode {
  observation = '';
  actions: readonly string[] | undefined;
  private earned = 0;
  private present = '';
  private ended: Step | undefined;

  constructor(
    private readonly caller: Caller,
    private readonly wire: WireFacts,
    private readonly id: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async reset(item: number): Promise<void> {
    const { wire, signal } = this;
    const body = { [wire.key]: this.id, ...wire.reset(item) };
    const answer = await post(this.caller, '/reset', body, { signal, safe: true });
    this.observation = wire.first(answer);
    this.actions = actionsOf(answer) ?? wire.listed?.(this.observation);
    this.present = this.observation;
  }

  async listActions(): Promise<readonly string[] | undefined> {
    const { wire, signal } = this;
    if (this.actions || !wire.ask) return this.actions;
    const path = `${wire.ask.path}?${wire.key}=${this.id}`;
    const { status, value } = await this.caller.call('GET', path, { safe: true, signal });
    if (status !== 200 || typeof value !== 'object' || value === null) return undefined;
    return wire.ask.read(value as Json, this.present);
  }

  async step(action: string): Promise<Step> {
    if (this.ended) return this.ended;
    const { wire, signal } = this;
    const answer = await post(this.caller, '/step', { [wire.key]: this.id, action: wire.send?.(action) ?? action }, { signal });
    const read = wire.step(answer as Json);
    if (typeof read.observation !== 'string' || typeof read.total !== 'number' || typeof read.done !== 'boolean') {
      throw new AgogeError(
        'GYM_BAD_ANSWER',
        `${this.caller.url}/step answered ${JSON.stringify(answer).slice(0, 200)}: is this the right environment?`,
      );
    }
    const { observation, done } = read;
    const reward = read.running ? read.total - this.earned : read.total;
    this.earned += reward;
    this.actions = actionsOf(answer) ?? wire.listed?.(observation);
    this.present = observation;
    if (!done) return { observation, reward, done };
    const success = wire.success(this.earned);
    this.ended = { observation, reward: 0, done, success };
    return { observation, reward, done, success };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Not every server can free a session; those that cannot answer 404, and nothing more can be done.
    const body = { [this.wire.key]: this.id };
    await this.caller.call('POST', '/close', { body, safe: true, patience: 1000 }).catch(() => undefined);
  }
}

async function post(
  caller: Caller,
  path: string,
  body: unknown,
  options: { signal?: AbortSignal | undefined; safe?: boolean },
): Promise<unknown> {
  const { status, value, text } = await caller.call('POST', path, { ...options, ...(body !== undefined && { body }) });
  if (status === 200) {
    const error = typeof value === 'object' && value !== null && 'error' in value ? value.error : undefined;
    if (typeof error !== 'string') return value;
    if (/^The id -?\d+ is not valid\.$/.test(error)) {
      throw new AgogeError('GYM_SESSION_LOST', `${caller.url} no longer knows this session ("${error}"): open a new one`);
    }
    throw new AgogeError('GYM_REFUSED_CALL', `${caller.url}${path} answered the error "${error}": the server says what is wrong`);
  }
  if (status === 404)
    throw new AgogeError('GYM_WRONG_ENVIRONMENT', `${caller.url} has no ${path}: is another environment on this port?`);
  const code = status === 422 ? 'GYM_WRONG_ENVIRONMENT' : 'GYM_BROKEN';
  throw new AgogeError(code, `${caller.url}${path} answered ${status} "${text.slice(0, 600)}": look at the server's log`);
}

function idOf(created: unknown, { key }: WireFacts): number | undefined {
  const id = typeof created === 'object' && created !== null ? (created as Json)[key] : created;
  return typeof id === 'number' && Number.isInteger(id) ? id : undefined;
}

function actionsOf(answer: unknown): readonly string[] | undefined {
  const actions = typeof answer === 'object' && answer !== null ? (answer as Json)['available_actions'] : undefined;
  return Array.isArray(actions) ? actions.filter((action) => typeof action === 'string') : undefined;
}
