/**
 * A row with tools: replies that call one are answered by it, the first reply that calls none is the answer and ends the task. As in verl's
 * ToolAgentLoop, so many calls of a reply are run, and what goes wrong with a call is told to the model.
 */
import type { Episode, Step } from '../../environment.ts';
import { callsIn, responseText, shortened } from './hermes.ts';
import type { Tool, ToolCall } from './tool.ts';

export interface ToolSet {
  readonly tools: readonly Tool[];
  /** Calls of one reply that are run (verl: max_parallel_calls). */
  readonly parallel: number;
  /** Characters of one answer (verl: max_tool_response_length). */
  readonly response: number;
}

/** Characters of what a call was given that viewers may draw. */
const mostDrawn = 300;

/** Puts tools before an episode that takes one answer. */
export class ToolEpisode implements Episode {
  readonly observation: string;
  readonly prompt: Episode['prompt'];
  private done = false;
  private readonly made: { name: string; given: string; answer: string }[] = [];

  constructor(
    private readonly answering: Episode,
    private readonly set: ToolSet,
  ) {
    this.observation = answering.observation;
    this.prompt = answering.prompt;
  }

  get state(): unknown {
    return { ...(this.answering.state as object), calls: [...this.made] };
  }

  step(reply: string): Step | Promise<Step> {
    const calls = this.done ? [] : callsIn(reply).slice(0, this.set.parallel);
    if (calls.length > 0) return this.call(calls);
    this.done = true;
    return this.answering.step(reply);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.answering[Symbol.asyncDispose]();
  }

  private async call(calls: readonly ToolCall[]): Promise<Step> {
    const answers = await Promise.all(calls.map((call) => this.answer(call)));
    calls.forEach(({ name, arguments: given }, at) =>
      this.made.push({ name, given: JSON.stringify(given).slice(0, mostDrawn), answer: answers[at] ?? '' }),
    );
    return { observation: responseText(answers), reward: 0, done: false };
  }

  private async answer({ name, arguments: given }: ToolCall): Promise<string> {
    const tool = this.set.tools.find(({ schema }) => schema.function.name === name);
    try {
      if (!tool) throw new Error(`'${name}'`);
      return shortened(await tool.run(given), this.set.response);
    } catch (thrown) {
      // A sandbox or a server that is missing is nothing that a model can answer for.
      if (thrown instanceof Error && 'code' in thrown && isHarness(String(thrown.code))) throw thrown;
      return shortened(
        `Error when executing tool: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        this.set.response,
      );
    }
  }
}

function isHarness(code: string): boolean {
  return /^(SANDBOX_NO_|SANDBOX_BAD_PROGRAM|SANDBOX_CLOSED|SEARCH_|ENV_BAD_SETTING|MODEL_)/.test(code);
}
