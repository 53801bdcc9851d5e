/**
 * An agent as it is shipped, written with the Vercel AI SDK, and the few lines that let Agoge evaluate and train its model.
 * Try: agoge eval ./examples/own-agent.ts --split test --policy expert --policy base
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { defineAgent } from 'agoge';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { question, solve, splits, worth } from './boxes.ts';

// ---- The agent: nothing in here knows of Agoge. ----

interface Provider {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  readonly signal: AbortSignal;
}

/** Answers a question about boxes by looking into them. */
export async function librarian(asked: string, boxes: ReadonlyMap<string, string>, provider: Provider): Promise<string> {
  const { baseURL, apiKey, model, signal } = provider;
  const { text } = await generateText({
    model: createOpenAICompatible({ name: 'any', baseURL, apiKey })(model),
    system: 'Look into the box and say the word that you find.',
    prompt: asked,
    tools: {
      look: tool({
        description: 'Look into a box.',
        inputSchema: z.object({ box: z.string() }),
        execute: ({ box }) => boxes.get(box) ?? 'no such box',
      }),
    },
    stopWhen: stepCountIs(3),
    maxRetries: 0,
    abortSignal: signal,
  });
  return text;
}

// ---- What Agoge needs to know: the tasks, and what an answer is worth. ----

export default defineAgent({
  name: 'librarian',
  splits,
  solve,
  run: async (_task, provider, random) => {
    const asked = question(random);
    return worth(await librarian(asked.asked, asked.boxes, provider), asked);
  },
});
