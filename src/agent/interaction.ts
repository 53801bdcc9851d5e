/**
 * verl's interaction (start, generate a response, score, finalize) over any Environment and any prompt format. The task is
 * bound explicitly, so that repeated samples play the same one. Every instance is its own session, with its own turn
 * limit, and is closed by `finish` or when its owner closes the interaction.
 */
import { randomUUID } from 'node:crypto';
import { limited } from '../core/deadline.ts';
import { AgogeError } from '../core/error.ts';
import type { TaskRef } from '../core/task.ts';
import type { Environment, Episode } from '../envs/environment.ts';
import type { Message } from '../policy/conversation.ts';
import { actionLines, type PromptFormat } from './format.ts';
import { taskOfItem } from './items.ts';
import { takeTurn, type TakenTurn } from './turn.ts';

/** Which task: a ref, AgentGym's item id, or its number (`session_id` of verl's rows). */
export type TaskBinding = { readonly task: TaskRef } | { readonly itemId: string } | { readonly sessionId: number };

export interface Started {
  readonly instance: string;
  /** Known before the first generation, whatever the row's prompt looks like. */
  readonly observation: string;
}

export interface Response {
  readonly done: boolean;
  readonly text: string;
  /** Reward of this turn. */
  readonly score: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** verl's interaction: start, respond, score, finish. */
export interface Interaction extends AsyncDisposable {
  readonly name: string;
  start(binding: TaskBinding, instance?: string): Promise<Started>;
  respond(instance: string, messages: readonly Message[]): Promise<Response>;
  /** Reward of the whole episode so far. */
  score(instance: string): Promise<number>;
  finish(instance: string): Promise<void>;
}

export interface InteractionOptions {
  readonly name: string;
  readonly environment: Environment;
  readonly format: PromptFormat;
  /** Turns of one instance, unreadable replies included. Default 30. */
  readonly maxTurns?: number;
  /** Milliseconds for one call of the environment. Default 600 000. */
  readonly timeout?: number;
  /** Further tries to open a session. Default 3. */
  readonly maxRetries?: number;
}

interface Instance {
  readonly episode: Episode;
  turns: number;
  reward: number;
  done: boolean;
}

/** verl's interaction over any environment and any format. */
export class EnvironmentInteraction implements Interaction {
  readonly name: string;
  private readonly instances = new Map<string, Instance>();

  constructor(readonly options: InteractionOptions) {
    this.name = options.name;
  }

  /** Sessions held now. */
  get open(): number {
    return this.instances.size;
  }

  async start(binding: TaskBinding, instance: string = randomUUID()): Promise<Started> {
    if (this.instances.has(instance)) {
      throw new AgogeError('AGENT_INSTANCE', `instance "${instance}" of ${this.name} is already started: finish it first`);
    }
    const { environment } = this.options;
    const task =
      'task' in binding ? binding.task : taskOfItem(environment, 'itemId' in binding ? binding.itemId : binding.sessionId);
    const episode = await this.openSession(task);
    this.instances.set(instance, { episode, turns: 0, reward: 0, done: false });
    return { instance, observation: episode.observation };
  }

  async respond(instance: string, messages: readonly Message[]): Promise<Response> {
    const { environment, format, maxTurns = 30 } = this.options;
    const play = this.find(instance);
    if (play.done) return { done: true, text: 'Episode finished.', score: 0, extra: {} };
    const last = messages.at(-1);
    if (last?.role !== 'assistant') return { done: false, text: play.episode.observation, score: 0, extra: { turn: play.turns } };
    if (play.turns >= maxTurns)
      return { done: true, text: `Max rounds (${maxTurns}) reached.`, score: 0, extra: { limit: 'turns' } };
    play.turns++;
    const { turn, success } = await this.call((): TakenTurn | Promise<TakenTurn> =>
      takeTurn(play.episode, last.text, format, environment.instructions),
    );
    play.reward += turn.reward;
    play.done = turn.done;
    const { problem, action, breakdown } = turn;
    const text =
      problem === undefined ? turn.observation : `${problem}\nActions:\n${actionLines(environment.instructions.actions)}`;
    const extra = {
      turn: play.turns,
      action,
      ...(problem === undefined ? {} : { problem }),
      ...(success === undefined ? {} : { success }),
      ...(breakdown === undefined ? {} : { breakdown }),
    };
    return { done: turn.done || play.turns >= maxTurns, text, score: turn.reward, extra };
  }

  async score(instance: string): Promise<number> {
    return Promise.resolve(this.find(instance).reward);
  }

  /** Closes the session. Finishing twice is no mistake. */
  async finish(instance: string): Promise<void> {
    const play = this.instances.get(instance);
    this.instances.delete(instance);
    await play?.episode[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([...this.instances.keys()].map((instance) => this.finish(instance)));
    await this.options.environment.close?.();
  }

  private async openSession(task: TaskRef): Promise<Episode> {
    const { environment, maxRetries = 3 } = this.options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.call((signal) => environment.open(task, { signal }));
      } catch (thrown) {
        const code = thrown instanceof AgogeError ? thrown.code : '';
        if (attempt >= maxRetries || code.startsWith('ENV_UNKNOWN')) throw thrown;
      }
    }
  }

  private async call<T>(work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    return limited(this.options.timeout ?? 600_000, work, 'AGENT_ENVIRONMENT_DEADLINE', `a call of ${this.name}`);
  }

  private find(instance: string): Instance {
    const play = this.instances.get(instance);
    if (!play) throw new AgogeError('AGENT_INSTANCE', `${this.name} has no instance "${instance}": start it first`);
    return play;
  }
}
