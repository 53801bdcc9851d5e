/**
 * An agent as it is shipped, written with OpenAI's Agents SDK for JS, and the few lines that let Agoge evaluate and train its model.
 * Needs: npm install @openai/agents@0.20.0 zod
 * Try: agoge eval ./examples/openai-agent.ts --split test --policy expert --policy base
 */
import { Agent, MaxTurnsExceededError, OpenAIChatCompletionsModel, Runner, tool } from '@openai/agents';
import { defineAgent } from 'agoge';
import OpenAI from 'openai';
import { z } from 'zod';
import { question, solve, splits, worth } from './boxes.ts';

// ---- The agent: nothing in here knows of Agoge. ----

/** Answers a question about boxes by looking into them. */
async function librarian(
  asked: string,
  boxes: ReadonlyMap<string, string>,
  client: OpenAI,
  model: string,
  signal: AbortSignal,
): Promise<string> {
  const agent = new Agent({
    name: 'librarian',
    instructions: 'Look into the box and say the word that you find.',
    model: new OpenAIChatCompletionsModel(client, model),
    tools: [
      tool({
        name: 'look',
        description: 'Look into a box.',
        parameters: z.object({ box: z.string() }),
        execute: ({ box }) => boxes.get(box) ?? 'no such box',
      }),
    ],
  });
  const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, asked, { maxTurns: 3, signal });
  return finalOutput ?? '';
}

// ---- What Agoge needs to know: the tasks, and what an answer is worth. ----

export default defineAgent({
  name: 'openai-librarian',
  splits,
  solve,
  run: async (_task, { baseURL, apiKey, model, signal }, random) => {
    const asked = question(random);
    const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
    try {
      return worth(await librarian(asked.asked, asked.boxes, client, model, signal), asked);
    } catch (thrown) {
      if (thrown instanceof MaxTurnsExceededError) return 0; // It asked and asked: that is the policy's doing.
      throw thrown;
    }
  },
});
