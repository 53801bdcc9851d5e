/**
 * An environment as an MCP server sees it: one client, at most one task at a time. `start_task` opens a task; the environment's actions are
 * the other tools. Where it lists no forms of actions, `act` takes the text.
 */
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode } from '../../envs/environment.ts';
import { toolSchemas } from '../../policy/tool-schema.ts';
import { actionOf } from '../formats/call.ts';
import { answer, codes, protocolVersions, refusal, type McpTool, type RpcMessage, type ToolResult } from './messages.ts';

const startArguments = z.strictObject({ split: z.string().optional(), index: z.number().int().min(0).optional() });
const toolCall = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });
const functions = z.array(
  z.object({
    function: z.object({ name: z.string(), description: z.string().optional(), parameters: z.record(z.string(), z.unknown()) }),
  }),
);

export class McpSession implements AsyncDisposable {
  private readonly tools: readonly McpTool[];
  private episode: Episode | undefined;
  private over = false;
  private next = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly environment: Environment,
    private readonly split: string,
  ) {
    this.tools = [startTool(environment), ...actionTools(environment)];
  }

  /** The answer to a request; undefined for what needs none. Requests are answered one after another. */
  handle(message: RpcMessage): Promise<object | undefined> {
    const answered = this.last.then(() => this.answer(message));
    this.last = answered.catch(() => undefined);
    return answered;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.last;
    await this.episode?.[Symbol.asyncDispose]();
    this.episode = undefined;
  }

  private async answer(message: RpcMessage): Promise<object | undefined> {
    if (message.id === undefined || message.id === null || message.method === undefined) return undefined;
    switch (message.method) {
      case 'initialize':
        return answer(message, this.hello(message.params?.['protocolVersion']));
      case 'ping':
        return answer(message, {});
      case 'tools/list':
        return answer(message, { tools: this.tools });
      case 'tools/call': {
        const call = toolCall.safeParse(message.params);
        if (!call.success) return refusal(message.id, codes.params, 'tools/call needs a name, and arguments as an object');
        if (!this.tools.some(({ name }) => name === call.data.name))
          return refusal(message.id, codes.params, `there is no tool ${call.data.name}: tools/list names them`);
        return answer(message, await this.call(call.data.name, call.data.arguments));
      }
      default:
        return refusal(message.id, codes.method, `${message.method} is not offered: this server has tools`);
    }
  }

  private hello(asked: unknown): object {
    const protocolVersion = protocolVersions.find((known) => known === asked) ?? protocolVersions[0];
    const { name, version, instructions } = this.environment;
    return {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: `agoge-${name}`, version },
      instructions: `${instructions.task}\nCall start_task first; then act with the other tools until the task is over.`.trim(),
    };
  }

  /** What goes wrong in a call is told to the model, which may do better. */
  private async call(name: string, given: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    try {
      return name === 'start_task' ? await this.start(given) : await this.act(name, given);
    } catch (thrown) {
      return problem(AgogeError.from(thrown, 'ENV_FAILED', 'the environment failed; call start_task again').message);
    }
  }

  private async start(given: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    const asked = startArguments.safeParse(given);
    if (!asked.success) return problem('start_task takes a split and an index, a whole number from 0 on; both may be left out.');
    const { split = this.split, index = this.next } = asked.data;
    const task: TaskRef = { env: this.environment.name, split, index };
    const opened = await this.environment.open(task);
    await this.episode?.[Symbol.asyncDispose]();
    this.episode = opened;
    this.over = false;
    this.next = index + 1 < this.environment.tasks(split).size ? index + 1 : 0;
    const own = opened.prompt?.map(({ text }) => text).join('\n\n');
    const text = own ?? [this.environment.instructions.task, opened.observation].filter((part) => part !== '').join('\n\n');
    return { content: [{ type: 'text', text }], structuredContent: { task: { ...task }, observation: opened.observation } };
  }

  private async act(name: string, given: Readonly<Record<string, unknown>>): Promise<ToolResult> {
    if (!this.episode) return problem('No task is open. Call start_task first.');
    if (this.over) return problem('The task is over. Call start_task for another one.');
    const { actions } = this.environment.instructions;
    const read = actions.length > 0 ? actionOf({ name, arguments: given }, actions) : { action: given['action'] };
    if (typeof read.action !== 'string') return problem('problem' in read ? read.problem : 'act needs an action, a text.');
    const { observation, reward, done, success } = await this.episode.step(read.action);
    this.over = done;
    const end = done ? [`The task is over. Reward: ${reward}.`] : [];
    return {
      content: [{ type: 'text', text: [observation, ...end].join('\n') }],
      structuredContent: { observation, reward, done, ...(success === undefined ? {} : { success }) },
    };
  }
}

function problem(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function startTool({ name, splits }: Environment): McpTool {
  return {
    name: 'start_task',
    description: `Start a task of ${name}. Without arguments, the next one. What was begun before is given up.`,
    inputSchema: {
      type: 'object',
      properties: { split: { type: 'string', enum: [...splits] }, index: { type: 'integer', minimum: 0 } },
      additionalProperties: false,
    },
  };
}

function actionTools({ instructions: { actions } }: Environment): McpTool[] {
  if (actions.length === 0) {
    const action = { type: 'string', description: 'The reply, as the task asks for it.' };
    const inputSchema = { type: 'object', properties: { action }, required: ['action'], additionalProperties: false };
    return [{ name: 'act', description: 'Reply to the task.', inputSchema }];
  }
  return functions.parse(toolSchemas(actions)).map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    inputSchema: parameters,
  }));
}
