/** Agents that call functions play the tool environments: over an OpenAI-compatible endpoint's tool channel, and in the formats that write calls as text. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { playEpisode } from '../../agent/episode.ts';
import { callOf } from '../../agent/formats/call.ts';
import { createFormat } from '../../agent/formats/index.ts';
import { EndpointPolicy } from '../../policy/endpoint/endpoint.ts';
import { ExpertPolicy } from '../../policy/expert.ts';
import type { Policy } from '../../policy/policy.ts';
import { academia } from './academia/academia.ts';
import type { ToolEnvironment } from './core/environment.ts';
import { movie } from './movie/movie.ts';
import { sheet } from './sheet/sheet.ts';
import { todo } from './todo/todo.ts';
import { weather } from './weather/weather.ts';

const environments: readonly ToolEnvironment[] = [weather(), todo(), movie(), academia(), sheet()];

interface Chat {
  readonly messages: readonly { readonly role: string; readonly content: string | null; readonly tool_call_id?: string }[];
  readonly tools: readonly {
    readonly function: { readonly name: string; readonly parameters: { readonly required: string[] } };
  }[];
}

/** An endpoint whose model makes the calls of a plan, one per request, as function calls. */
async function agent(calls: readonly { readonly name: string; readonly arguments: object }[], seen: Chat[]) {
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(404).end();
      return;
    }
    void json(request).then((body) => {
      const chat = body as Chat;
      seen.push(chat);
      const at = chat.messages.filter(({ role }) => role === 'tool').length;
      const { name, arguments: input } = calls[at] ?? { name: 'none', arguments: {} };
      const call = { id: `call_${at}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }] }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { policy: new EndpointPolicy({ id: 'openai:m', model: 'm', baseUrl }), [Symbol.asyncDispose]: close };
}

const play = (environment: ToolEnvironment, index: number, policy: Policy, format: string) =>
  playEpisode({
    environment,
    task: { env: environment.name, split: 'test', index },
    policy,
    format: createFormat(format),
    limits: { turns: 20, tokensPerTurn: 512 },
    seed: 1,
  });

describe.each(environments.map((environment) => [environment.name, environment] as const))(
  '%s by function calls',
  (name, environment) => {
    it('is solved through the tool channel of an OpenAI-compatible endpoint', async () => {
      const forms = environment.instructions.actions;
      for (const index of [0, 7]) {
        const expert = environment.expert({ env: name, split: 'test', index });
        const calls = [];
        for (let action = expert.next(''); action !== null; action = expert.next('')) {
          const call = callOf(action, forms);
          if (!call) throw new Error(`${action} is no call`);
          calls.push(call);
        }
        const seen: Chat[] = [];
        await using endpoint = await agent(calls, seen);
        const { outcome, turns } = await play(environment, index, endpoint.policy, 'tools');
        expect(outcome).toMatchObject({ kind: 'finished', reward: 1, success: true });
        expect(turns.map(({ problem }) => problem)).toEqual(calls.map(() => undefined));
        const offered = seen[0]?.tools ?? [];
        expect(offered.map((tool) => tool.function.name)).toEqual(forms.map((form) => form.name));
        for (const { function: offer } of offered) expect(offer.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(seen.at(-1)?.messages.find(({ role }) => role === 'tool')).toMatchObject({
          tool_call_id: 'call_0',
          content: expect.stringContaining('Observation: ') as string,
        });
      }
    });
    it.each(['function_calling', 'code'])('is solved in the format %s', async (format) => {
      const { outcome } = await play(environment, 3, new ExpertPolicy(), format);
      expect(outcome).toMatchObject({ kind: 'finished', success: true });
    });
  },
);
