import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { presetConfig } from '../../engine/embedded/network/config.ts';
import { startOpenAi, type OpenAiServer } from '../openai/server.ts';
import { EnginePolicy } from '../engine-policy.ts';
import { EndpointPolicy } from './endpoint.ts';

let engine: EmbeddedEngine;
let server: OpenAiServer;
beforeAll(async () => {
  engine = await EmbeddedEngine.open({ config: presetConfig('xxs', { vocabulary: 300, context: 256 }), seed: 3, threads: 2 });
  server = await startOpenAi({ engine, name: 'tiny', token: 'secret' });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await engine[Symbol.asyncDispose]();
});

const { signal } = new AbortController();
const said = [{ role: 'user', text: 'You are at 0.' }] as const;
const endpoint = (baseUrl: string, apiKey = 'secret'): EndpointPolicy =>
  new EndpointPolicy({ id: 'x', model: 'tiny', baseUrl, apiKey });

test("somebody's reply is as likely through our server as in the engine", async () => {
  const score = await endpoint(server.url).scoreReply(said, 'left', signal);
  if ('missing' in score) throw new Error(score.missing);
  const reply = engine.model.tokenizer.encode('left');
  const { renderer } = new EnginePolicy(engine, { id: 'tiny' });
  const whole = [...renderer.open(said).flatMap((tokens) => [...tokens]), ...reply];
  const mask = new Uint8Array(whole.length).fill(1, whole.length - reply.length);
  const [row] = await engine.forward([{ tokens: Int32Array.from(whole), mask }]);
  expect(score.logprobs).toHaveLength(reply.length);
  for (const [at, value] of score.logprobs.entries()) expect(value).toBeCloseTo(row?.scores[at] ?? NaN, 3);
});

test('an endpoint that does not score says what it lacks', async () => {
  const answers: Record<string, [number, object]> = {
    '/v1/chat/completions': [200, { choices: [{ message: { content: 'hi' } }] }],
  };
  const other = createServer((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [404, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`;
  const asked = (): Promise<unknown> => endpoint(url).scoreReply(said, 'left', signal);
  expect(await asked()).toEqual({ missing: 'it tells no ids of prompts (return_token_ids)' });
  answers['/v1/chat/completions'] = [200, { prompt_token_ids: [1, 2] }];
  expect(await asked()).toEqual({ missing: 'it answers /completions with 404' });
  answers['/v1/completions'] = [200, { choices: [{ prompt_token_ids: [7], text: '' }] }];
  expect(await asked()).toEqual({ missing: 'it does not score prompts (echo with logprobs)' });
  other.close();
  expect(await endpoint(server.url, 'wrong').scoreReply(said, 'left', signal)).toMatchObject({
    missing: expect.any(String) as string,
  });
});
