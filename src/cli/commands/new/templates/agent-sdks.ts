/** The same small agent, which looks into boxes, in the words of three SDKs and of none. */

interface AgentOfSdk {
  /** `written with …`, for its README. */
  readonly title: string;
  readonly agent: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** What every one of them is given in place of its model. */
const provider = `/** Where the model is: an OpenAI-compatible endpoint. */
export interface Provider {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  readonly signal?: AbortSignal;
}
`;

const vercel = `/** Answers questions about boxes by looking into them. Written with the Vercel AI SDK. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';

${provider}
export async function answer(asked: string, boxes: ReadonlyMap<string, string>, provider: Provider): Promise<string> {
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
    ...(signal ? { abortSignal: signal } : {}),
  });
  return text;
}
`;

const openai = `/** Answers questions about boxes by looking into them. Written with OpenAI's SDK and its tool loop. */
import OpenAI, { APIError, OpenAIError } from 'openai';

${provider}
export async function answer(asked: string, boxes: ReadonlyMap<string, string>, provider: Provider): Promise<string> {
  const { baseURL, apiKey, model, signal } = provider;
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  const loop = client.chat.completions.runTools(
    {
      model,
      messages: [
        { role: 'system', content: 'Look into the box and say the word that you find.' },
        { role: 'user', content: asked },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'look',
            description: 'Look into a box.',
            parameters: { type: 'object', properties: { box: { type: 'string' } }, required: ['box'], additionalProperties: false },
            parse: (text: string) => JSON.parse(text) as { box: string },
            function: ({ box }: { box: string }) => boxes.get(box) ?? 'no such box',
          },
        },
      ],
    },
    { ...(signal ? { signal } : {}), maxChatCompletions: 3 },
  );
  try {
    return (await loop.finalContent()) ?? '';
  } catch (thrown) {
    // It asked and asked, and the loop ended without an answer: that is the policy's doing. An endpoint that fails is not.
    if (thrown instanceof OpenAIError && !(thrown instanceof APIError)) return '';
    throw thrown;
  }
}
`;

const langchain = `/** Answers questions about boxes by looking into them. Written with LangChain.js. */
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';

${provider}
export async function answer(asked: string, boxes: ReadonlyMap<string, string>, provider: Provider): Promise<string> {
  const { baseURL, apiKey, model, signal } = provider;
  const agent = createAgent({
    model: new ChatOpenAI({ model, apiKey, configuration: { baseURL }, maxRetries: 0 }),
    systemPrompt: 'Look into the box and say the word that you find.',
    tools: [
      tool(({ box }: { box: string }) => boxes.get(box) ?? 'no such box', {
        name: 'look',
        description: 'Look into a box.',
        schema: z.object({ box: z.string() }),
      }),
    ],
  });
  try {
    const asking = { messages: [{ role: 'user' as const, content: asked }] };
    const { messages } = await agent.invoke(asking, { recursionLimit: 8, ...(signal ? { signal } : {}) });
    return messages.at(-1)?.text ?? '';
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'GraphRecursionError') return ''; // It asked and asked: that is the policy's doing.
    throw thrown;
  }
}
`;

const plain = `/** Answers questions about boxes by looking into them. A loop over fetch, without an SDK. */

${provider}
interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

const parameters = { type: 'object', properties: { box: { type: 'string' } }, required: ['box'], additionalProperties: false };
const tools = [{ type: 'function', function: { name: 'look', description: 'Look into a box.', parameters } }];

export async function answer(asked: string, boxes: ReadonlyMap<string, string>, provider: Provider): Promise<string> {
  const messages: Message[] = [
    { role: 'system', content: 'Look into the box and say the word that you find.' },
    { role: 'user', content: asked },
  ];
  for (let turn = 0; turn < 3; turn++) {
    const said = await complete(messages, provider);
    messages.push(said);
    if (said.tool_calls === undefined) return said.content ?? '';
    for (const { id, function: called } of said.tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, content: look(called.arguments, boxes) });
  }
  return '';
}

function look(given: string, boxes: ReadonlyMap<string, string>): string {
  const { box } = JSON.parse(given) as { box?: unknown };
  return (typeof box === 'string' ? boxes.get(box) : undefined) ?? 'no such box';
}

async function complete(messages: readonly Message[], { baseURL, apiKey, model, signal }: Provider): Promise<Message> {
  const response = await fetch(\`\${baseURL}/chat/completions\`, {
    method: 'POST',
    headers: { authorization: \`Bearer \${apiKey}\`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, tools }),
    ...(signal ? { signal } : {}),
  });
  if (!response.ok) throw new Error(\`the endpoint answers \${response.status}: \${await response.text()}\`);
  const { choices } = (await response.json()) as { choices: { message: Message }[] };
  const said = choices[0]?.message;
  if (!said) throw new Error('the endpoint gave no choice');
  return said;
}
`;

export const sdks = {
  'ai-sdk': {
    title: 'written with the Vercel AI SDK',
    agent: vercel,
    dependencies: { ai: '^5.0.277', '@ai-sdk/openai-compatible': '^1.0.61', zod: '^4.6.7' },
  },
  openai: { title: "written with OpenAI's SDK", agent: openai, dependencies: { openai: '^7.10.0' } },
  langchain: {
    title: 'written with LangChain.js',
    agent: langchain,
    dependencies: {
      langchain: '1.5.14',
      '@langchain/core': '1.2.13',
      '@langchain/langgraph': '1.4.13',
      '@langchain/openai': '1.6.0',
      zod: '4.6.7',
    },
  },
  plain: { title: 'written as a plain loop', agent: plain, dependencies: {} },
} as const satisfies Readonly<Record<string, AgentOfSdk>>;

export type Sdk = keyof typeof sdks;
