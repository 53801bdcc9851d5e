/**
 * An agent that already exists, as an environment: the program runs as it is, its model calls come to us, and each call is a turn of the
 * policy. What the program returns is the reward. So an agent written with any SDK is evaluated and trained without being changed;
 * tokens and log-probabilities are kept where they always are, in the policy's conversation.
 */
import { linked, type Limit } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import { formatTask, type TaskRef } from '../../core/task.ts';
import type { Environment, Episode, OpenOptions, Step } from '../../envs/environment.ts';
import { expertBy, tasksAlone, type Solve } from '../../envs/tasks-alone.ts';
import { addedTo, answerTo, openingOf, type ChatCall, type Said } from './chat.ts';
import { openLine, type Line } from './endpoint.ts';

/** What the agent is given in place of its model: settings that every SDK for OpenAI-compatible endpoints takes. */
export interface AgentModel {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  /** Aborted when the episode is closed: pass it on where the SDK takes one. */
  readonly signal: AbortSignal;
}

/** What `defineAgent` takes: how the agent is run on a task, and what that was worth. */
export interface AgentDefinition {
  readonly name: string;
  /** Change it whenever the agent's prompts, tools or rewards change. */
  readonly version?: string;
  /** Tasks of each split; Infinity where they are made up from their number. */
  readonly splits: Readonly<Record<string, number>>;
  /**
   * Runs the agent on a task and says what that was worth, once it has ended. Everything that is random comes from `random`. What it
   * throws is a failure of the harness: an agent that breaks on a bad reply of the policy should be worth 0 instead.
   */
  run(
    task: TaskRef,
    model: AgentModel,
    random: Random,
  ): Promise<number | { readonly reward: number; readonly success?: boolean }>;
  /** What an expert replies at a turn, given what it was shown; null where it gives up. */
  readonly solve?: Solve;
  /** What results are broken down by. */
  readonly category?: (task: TaskRef) => string;
}

/**
 * Makes an environment of an agent, for `export default` in a file of your own.
 *
 * @example
 * const agent = defineAgent({
 *   name: 'parrot',
 *   splits: { test: 3 },
 *   run: async (_task, { baseURL, model }) => {
 *     const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say yes.' }] });
 *     const answer = await fetch(`${baseURL}/chat/completions`, { method: 'POST', body });
 *     const { choices } = (await answer.json()) as { choices: { message: { content: string } }[] };
 *     return choices[0]?.message.content === 'yes' ? 1 : 0;
 *   },
 *   solve: () => 'yes',
 * });
 */
export function defineAgent(definition: AgentDefinition): Environment {
  const { name, splits, version = '1', category, solve } = definition;
  const randomOf = (task: TaskRef): Random => Random.of(0, name, task.split, task.index);
  const tasks = tasksAlone({ name, version, splits, ...(category ? { category } : {}) });
  return {
    ...tasks,
    async open(task, options) {
      await tasks.open(task);
      return AgentEpisode.start(definition, task, randomOf(task), options);
    },
    ...expertBy(solve, randomOf),
  };
}

interface Asked {
  readonly call: ChatCall;
  answer(choice: Record<string, unknown>): void;
  refuse(reason: Error): void;
}

type Event = { readonly asked: Asked } | { readonly ended: Omit<Step, 'observation' | 'done'> } | { readonly broke: unknown };

class AgentEpisode implements Episode {
  prompt: readonly Said[] = [];
  observation = '';
  private pending: Asked | undefined;
  private before: ChatCall | undefined;
  private last: Step | undefined;
  private turns = 0;
  private readonly waiting: Event[] = [];
  private wake: (() => void) | undefined;
  private line: Line | undefined;

  private constructor(
    private readonly task: TaskRef,
    private readonly limit: Limit,
  ) {}

  static async start(definition: AgentDefinition, task: TaskRef, random: Random, options?: OpenOptions): Promise<AgentEpisode> {
    const episode = new AgentEpisode(task, linked(options?.signal));
    try {
      await episode.begin(definition, random);
      return episode;
    } catch (thrown) {
      await episode[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  async step(action: string): Promise<Step> {
    if (this.last) return this.last;
    const { pending } = this;
    if (!pending) throw new AgogeError('ENV_AGENT_FAILED', 'this agent has asked for nothing: open another episode');
    this.pending = undefined;
    pending.answer(answerTo(pending.call, action, ++this.turns));
    return this.next();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.line?.[Symbol.dispose]();
    const over = new AgogeError('ENV_AGENT_FAILED', `${formatTask(this.task)} is over: open another episode`);
    this.limit.abort(over);
    for (const event of this.waiting.splice(0)) if ('asked' in event) event.asked.refuse(over);
    this.pending?.refuse(over);
    this.pending = undefined;
    this.limit[Symbol.dispose]();
    return Promise.resolve();
  }

  private async begin(definition: AgentDefinition, random: Random): Promise<void> {
    this.line = await openLine((call) => this.ask(call));
    const { signal } = this.limit;
    const model: AgentModel = { baseURL: this.line.baseURL, apiKey: 'agoge', model: 'policy', signal };
    // Whatever it does, it says so by one last event; nobody waits for the promise itself.
    void Promise.resolve()
      .then(() => definition.run(this.task, model, random))
      .then(
        (worth) => this.tell({ ended: typeof worth === 'number' ? { reward: worth } : worth }),
        (broke: unknown) => this.tell({ broke }),
      );
    const { done } = await this.next();
    if (done)
      throw new AgogeError(
        'ENV_AGENT_FAILED',
        `${definition.name} ended without asking its model: give it the baseURL of run's second argument`,
      );
  }

  private ask(call: ChatCall): Promise<Record<string, unknown>> {
    return new Promise((answer, refuse) => this.tell({ asked: { call, answer, refuse } }));
  }

  private tell(event: Event): void {
    this.waiting.push(event);
    this.wake?.();
  }

  private async next(): Promise<Step> {
    const { signal } = this.limit;
    for (;;) {
      signal.throwIfAborted();
      const event = this.waiting.shift();
      if (event) return this.take(event);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  private take(event: Event): Step {
    if ('broke' in event) {
      throw AgogeError.from(
        event.broke,
        'ENV_AGENT_FAILED',
        `the agent failed at ${formatTask(this.task)} (let run return 0 where the policy is to blame)`,
      );
    }
    if ('ended' in event) {
      this.last = { observation: this.observation, reward: 0, done: true };
      return { ...event.ended, observation: this.observation, done: true };
    }
    const { asked } = event;
    const added = this.before && addedTo(this.before, asked.call);
    const shown = added ?? openingOf(asked.call);
    if (!this.before) this.prompt = shown;
    this.observation = shown
      .filter(({ role }) => role !== 'assistant')
      .map(({ text }) => text)
      .join('\n');
    this.before = asked.call;
    this.pending = asked;
    return { observation: this.observation, reward: 0, done: false };
  }
}
