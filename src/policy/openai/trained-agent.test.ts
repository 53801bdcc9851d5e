/** A policy that is served to its agent reads exactly the tokens that it reads as the agent's policy in an episode. */
import { expect, it } from 'vitest';
import { playEpisode } from '../../agent/episode.ts';
import { openFormat } from '../../agent/formats/index.ts';
import type { TokenIds } from '../../core/trajectory.ts';
import { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { defineAgent, type AgentModel } from '../../gym/agents/agent-environment.ts';
import { baseModelFolder } from '../base-model.ts';
import { EnginePolicy } from '../engine-policy.ts';
import { startOpenAi } from './server.ts';

const parameters = { type: 'object', properties: { box: { type: 'string' } }, required: ['box'], additionalProperties: false };
const tools = [{ type: 'function', function: { name: 'look', description: 'Look into a box.', parameters } }];

/** Three turns: a call is answered, whatever else is said gets another question. Clients write arguments anew, as SDKs do. */
async function agent({ baseURL, apiKey, model }: AgentModel): Promise<string[]> {
  const messages: object[] = [
    { role: 'system', content: 'Look into the box.' },
    { role: 'user', content: 'Which word is in the red box?' },
  ];
  const replies: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const body = JSON.stringify({ model, messages, tools, temperature: 0, max_tokens: 24 });
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body,
    });
    const { choices } = (await response.json()) as { choices: { message: Said }[] };
    const said = choices[0]?.message;
    if (!said) throw new Error(`no answer: ${response.status}`);
    replies.push(said.content ?? JSON.stringify(said.tool_calls?.map((call) => call.function)));
    const calls = said.tool_calls?.map((call) => ({
      ...call,
      function: { ...call.function, arguments: JSON.stringify(JSON.parse(call.function.arguments)) },
    }));
    messages.push(calls ? { ...said, tool_calls: calls } : said);
    if (calls) for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: `a spoon, in turn ${turn}` });
    else messages.push({ role: 'user', content: 'Go on.' });
  }
  return replies;
}

interface Said {
  readonly content: string | null;
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
}

it('the same tokens and the same replies, turn by turn, from its own server', async () => {
  await using engine = await EmbeddedEngine.open({ model: baseModelFolder, threads: 2 });
  const prompts: TokenIds[] = [];
  const sampled = engine.sample.bind(engine);
  engine.sample = (request) => {
    prompts.push([...request.prompt]);
    return sampled(request);
  };
  const played: string[][] = [];
  const environment = defineAgent({
    name: 'asker',
    splits: { test: 1 },
    run: async (_task, model) => {
      played.push(await agent(model));
      return 1;
    },
  });
  const format = await openFormat('direct');
  const { outcome } = await playEpisode({
    environment,
    task: { env: 'asker', split: 'test', index: 0 },
    policy: new EnginePolicy(engine, { id: 'base' }),
    format,
    limits: { turns: 5, tokensPerTurn: 24 },
    sampling: { temperature: 0 },
    seed: 1,
  });
  expect(outcome.kind).toBe('finished');
  const inEpisode = prompts.splice(0);
  const instructions = { task: '', actions: [], verbatim: true };
  const trained = { read: (reply: string) => format.read(reply, instructions).action ?? reply };
  await using server = await startOpenAi({ engine, name: 'base', trained });
  played.push(await agent({ baseURL: server.url, apiKey: 'any', model: 'base', signal: new AbortController().signal }));
  expect(played[1]).toEqual(played[0]);
  expect(inEpisode).toHaveLength(3);
  expect(prompts).toEqual(inEpisode);
});
