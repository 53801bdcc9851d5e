/**
 * Tasks of one's own over the tools of an MCP server: the policy is asked a question, its calls reach the server, and its answer is worth
 * something. Tools stand in the prompt in the same words as those of agents, so a trained policy is served in the same way.
 */
import { linked, type Limit } from '../../core/deadline.ts';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import type { TaskRef } from '../../core/task.ts';
import { expertBy, tasksAlone, type Solve } from '../../envs/tasks-alone.ts';
import type { Environment, Episode, OpenOptions, Step } from '../../envs/environment.ts';
import type { Message } from '../../policy/conversation.ts';
import { callsIn, withTools, type CalledTool } from '../../policy/tools-as-text.ts';
import { openMcp, type McpClient } from './client.ts';
import type { McpServer } from './transport.ts';

/** What `defineMcp` takes: the server, the questions, and what answers are worth. */
export interface McpDefinition {
  readonly name: string;
  /** Change it whenever questions, tools or scores change. */
  readonly version?: string;
  readonly server: McpServer;
  /** One connection for all episodes: for servers whose tools remember nothing. Default: a server, or a session, for each. */
  readonly shared?: boolean;
  /** Tools that are offered. Default: all. */
  readonly tools?: readonly string[];
  /** Tasks of each split; Infinity where they are made up from their number. */
  readonly splits: Readonly<Record<string, number>>;
  /** What the policy is told before the question, and before the tools. */
  readonly system?: string;
  /** The question of a task. Everything that is random comes from `random`. */
  ask(task: TaskRef, random: Random): string;
  /** What the answer is worth; the random numbers are those of `ask` again. */
  score(answer: string, task: TaskRef, random: Random): number | Promise<number>;
  /** What an expert replies at a turn, given what it was shown; null where it gives up. */
  readonly solve?: Solve;
  /** Seconds for one call. Default: 60. */
  readonly timeout?: number;
}

/**
 * Makes an environment of an MCP server's tools and questions of one's own, for `export default` in a file.
 *
 * @example
 * const environment = defineMcp({
 *   name: 'sums',
 *   server: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
 *   splits: { train: Infinity, test: 50 },
 *   ask: ({ index }) => `How much is ${index} + 2? Use the tool.`,
 *   score: (answer, { index }) => (answer.includes(String(index + 2)) ? 1 : 0),
 * });
 * console.log(environment.tasks('test').size); // 50
 */
export function defineMcp(definition: McpDefinition): Environment {
  const { name, version = '1', splits, server, shared = false, timeout = 60, solve } = definition;
  const randomOf = (task: TaskRef): Random => Random.of(0, name, task.split, task.index);
  const tasks = tasksAlone({ name, version, splits });
  let common: Promise<McpClient> | undefined;
  const connect = async (options?: OpenOptions): Promise<McpClient> => {
    if (!shared) return openMcp(server, timeout * 1000, options?.signal);
    common ??= openMcp(server, timeout * 1000);
    common.catch(() => (common = undefined)); // may go better another time
    return common;
  };
  return {
    ...tasks,
    async open(task, options) {
      await tasks.open(task);
      const client = await connect(options);
      return new McpEpisode(definition, task, client, () => randomOf(task), options);
    },
    ...expertBy(solve, randomOf),
    async close() {
      const client = await common?.catch(() => undefined);
      common = undefined;
      await client?.[Symbol.asyncDispose]();
    },
  };
}

class McpEpisode implements Episode {
  readonly prompt: readonly Pick<Message, 'role' | 'text'>[];
  readonly observation: string;
  private readonly offered: ReadonlySet<string>;
  private readonly limit: Limit;
  private ended: Step | undefined;

  constructor(
    private readonly definition: McpDefinition,
    private readonly task: TaskRef,
    private readonly client: McpClient,
    private readonly random: () => Random,
    options?: OpenOptions,
  ) {
    this.limit = linked(options?.signal);
    const { system, tools: chosen } = definition;
    const tools = client.tools.filter(({ name }) => chosen?.includes(name) ?? true);
    this.offered = new Set(tools.map(({ name }) => name));
    this.observation = definition.ask(task, random());
    const said: Message[] = [
      ...(system === undefined ? [] : [{ role: 'system' as const, text: system }]),
      { role: 'user', text: this.observation },
    ];
    this.prompt = withTools(
      said,
      tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    );
  }

  async step(action: string): Promise<Step> {
    if (this.ended) return this.ended;
    const calls = callsIn(action, this.offered);
    if (calls) {
      const answers: string[] = [];
      for (const call of calls) answers.push(await this.answer(call));
      return { observation: answers.join('\n'), reward: 0, done: false };
    }
    const reward = await this.definition.score(action, this.task, this.random());
    this.ended = { observation: '', reward: 0, done: true };
    return { observation: '', reward, done: true };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.limit.abort(new AgogeError('ENV_MCP', 'the episode is over: open another one'));
    this.limit[Symbol.dispose]();
    if (this.definition.shared !== true) await this.client[Symbol.asyncDispose]();
  }

  /** Arguments that are no object are the policy's doing, and told to it. */
  private async answer({ name, arguments: given }: CalledTool): Promise<string> {
    const parsed = objectIn(given);
    return parsed ? this.client.call(name, parsed, this.limit.signal) : `${name} needs its arguments as a JSON object`;
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
