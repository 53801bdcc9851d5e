/** Clients of npm that run their loop of tools over an errand, with the parts of the package that they are given: what was answered. */
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type * as AiSdk from 'ai';
import type { OpenAI } from 'openai';
import type { Errand } from './errand.ts';

/** Runs a tool by its name, and notes that it was called. */
export type Use = (tool: string, given: unknown) => string;
export type Client = (errand: Errand, use: Use) => Promise<string>;

/** `client.chat.completions.runTools`, whole or streamed. */
export function openAiTools(Sdk: typeof OpenAI, baseURL: string, model: string, stream: boolean): Client {
  const client = new Sdk({ baseURL, apiKey: 'any', maxRetries: 0 });
  return async ({ system, question, tools }, use) => {
    const body = {
      model,
      stream,
      temperature: 0,
      max_tokens: 40,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: question },
      ],
      tools: tools.map((one) => ({
        type: 'function',
        function: { ...one, parse: JSON.parse, function: (given: unknown) => use(one.name, given) },
      })),
    };
    const runner = client.chat.completions.runTools(body as never, { maxChatCompletions: 5 });
    return (await runner.finalContent()) ?? '';
  };
}

/** `generateText` or `streamText`, with the same code for version 5 and 6. */
export function aiSdk(
  sdk: typeof AiSdk,
  open: typeof createOpenAICompatible,
  baseURL: string,
  name: string,
  stream: boolean,
): Client {
  const { generateText, streamText, stepCountIs, tool, jsonSchema } = sdk;
  const model = open({ name: 'any', baseURL })(name);
  return async ({ system, question, tools }, use) => {
    const offered = tools.map((one) => [
      one.name,
      tool({
        description: one.description,
        inputSchema: jsonSchema(one.parameters as never),
        execute: (given: unknown) => use(one.name, given),
      }),
    ]);
    const settings = {
      model,
      system,
      prompt: question,
      tools: Object.fromEntries(offered) as AiSdk.ToolSet,
      stopWhen: stepCountIs(5),
      temperature: 0,
      maxOutputTokens: 40,
      maxRetries: 0,
    };
    return stream ? streamText(settings).text : (await generateText(settings)).text;
  };
}

/** The parts of LangChain.js that the loop takes. Its types lie with its packages, which only peer tests install. */
export interface LangChain {
  readonly ChatOpenAI: new (settings: object) => object;
  readonly createAgent: (settings: object) => LangChainAgent;
  readonly tool: (run: (given: unknown) => string, facts: object) => object;
}

interface LangChainAgent {
  invoke(asked: object, settings: object): Promise<{ readonly messages: readonly { readonly text: string }[] }>;
}

/** `createAgent` of LangChain.js, whole or with the model's tokens streamed below it. */
export function langChain({ ChatOpenAI, createAgent, tool }: LangChain, baseURL: string, name: string): Client {
  const settings = { model: name, apiKey: 'any', configuration: { baseURL }, maxRetries: 0 };
  const model = new ChatOpenAI({ ...settings, temperature: 0, maxTokens: 40 });
  return async ({ system, question, tools }, use) => {
    const offered = tools.map(({ name, description, parameters }) =>
      tool((given) => use(name, given), { name, description, schema: parameters }),
    );
    const agent = createAgent({ model, systemPrompt: system, tools: offered });
    const asked = { messages: [{ role: 'user', content: question }] };
    const { messages } = await agent.invoke(asked, { recursionLimit: 12 });
    return messages.at(-1)?.text ?? '';
  };
}
