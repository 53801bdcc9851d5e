/**
 * An agent as it is shipped, written with the Vercel AI SDK, and the few lines that let Agoge evaluate and train its model.
 * Try: agoge eval ./examples/own-agent.ts --split test --policy expert --policy base
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { defineAgent, type Random } from 'agoge';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';

// ---- The agent: nothing in here knows of Agoge. ----

interface Provider {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  readonly signal: AbortSignal;
}

/** Answers a question about boxes by looking into them. */
async function librarian(question: string, boxes: ReadonlyMap<string, string>, provider: Provider): Promise<string> {
  const { baseURL, apiKey, model, signal } = provider;
  const { text } = await generateText({
    model: createOpenAICompatible({ name: 'any', baseURL, apiKey })(model),
    system: 'Look into the box and say the word that you find.',
    prompt: question,
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

const colours = ['red', 'green', 'blue', 'yellow', 'grey', 'purple'];
const words = ['apple', 'stone', 'river', 'lamp', 'paper', 'cloud', 'iron', 'wool'];

function question(random: Random): { readonly asked: string; readonly box: string; readonly boxes: Map<string, string> } {
  const boxes = new Map(
    random
      .shuffle(colours)
      .slice(0, 3)
      .map((colour) => [colour, random.pick(words)]),
  );
  const box = random.pick([...boxes.keys()]);
  return { asked: `What is in the ${box} box?`, box, boxes };
}

export default defineAgent({
  name: 'librarian',
  splits: { train: Infinity, validation: 60, test: 100 },
  run: async (_task, provider, random) => {
    const { asked, box, boxes } = question(random);
    const answer = await librarian(asked, boxes, provider);
    return answer.trim() === boxes.get(box) ? 1 : 0;
  },
  solve: (_task, shown, turn, random) =>
    turn === 0 ? JSON.stringify({ name: 'look', arguments: { box: question(random).box } }) : shown,
});
