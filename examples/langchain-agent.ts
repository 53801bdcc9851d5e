/**
 * An agent as it is shipped, written with LangChain.js, and the few lines that let Agoge evaluate and train its model.
 * Needs: npm install langchain@1.5.14 @langchain/core@1.2.13 @langchain/langgraph@1.4.13 @langchain/openai@1.6.0 zod
 * Try: agoge eval ./examples/langchain-agent.ts --split test --policy expert --policy base
 */
import { ChatOpenAI } from '@langchain/openai';
import { defineAgent } from 'agoge';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { question, solve, splits, worth } from './boxes.ts';

// ---- The agent: nothing in here knows of Agoge. ----

/** Answers a question about boxes by looking into them. */
async function librarian(
  asked: string,
  boxes: ReadonlyMap<string, string>,
  model: ChatOpenAI,
  signal: AbortSignal,
): Promise<string> {
  const agent = createAgent({
    model,
    systemPrompt: 'Look into the box and say the word that you find.',
    tools: [
      tool(({ box }: { box: string }) => boxes.get(box) ?? 'no such box', {
        name: 'look',
        description: 'Look into a box.',
        schema: z.object({ box: z.string() }),
      }),
    ],
  });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: asked }] }, { recursionLimit: 8, signal });
  return messages.at(-1)?.text ?? '';
}

// ---- What Agoge needs to know: the tasks, and what an answer is worth. ----

export default defineAgent({
  name: 'langchain-librarian',
  splits,
  solve,
  run: async (_task, { baseURL, apiKey, model, signal }, random) => {
    const asked = question(random);
    const chat = new ChatOpenAI({ model, apiKey, configuration: { baseURL }, maxRetries: 0 });
    try {
      return worth(await librarian(asked.asked, asked.boxes, chat, signal), asked);
    } catch (thrown) {
      if (thrown instanceof Error && thrown.name === 'GraphRecursionError') return 0; // It asked and asked: that is the policy's doing.
      throw thrown;
    }
  },
});
