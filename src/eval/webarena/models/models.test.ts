/** Each way to a model, against a server that writes down what it is asked. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readInstruction } from '../../../envs/webarena/prompts/instruction.ts';
import { openModel, type ModelChoice } from './open-model.ts';
import { servedCutter } from './served-tokens.ts';

const instruction = readInstruction(
  JSON.stringify({
    intro: 'You browse.',
    examples: [['seen', 'done']],
    template: '{observation}|{url}|{objective}|{previous_action}',
    meta_data: { keywords: [], prompt_constructor: 'DirectPromptConstructor', action_splitter: '```' },
  }),
  'p.json',
);
const limits = { maxTokens: 9, temperature: 0.5, topP: 0.9, seed: 7, signal: new AbortController().signal };
const completionPrompt =
  'You browse.\n\nHere are a few examples:\nObservation\n:seen\n\nAction: done\n\nNow make prediction given the observation\n\nObservation\n:now\n\nAction:';

describe('the models of WebArena’s flags', () => {
  const asked: { readonly path: string; readonly body: Record<string, unknown> }[] = [];
  const answers: Readonly<Record<string, (body: Record<string, unknown>) => unknown>> = {
    '/v1/completions': () => ({ choices: [{ text: ' so ```stop [a]```' }] }),
    '/v1/chat/completions': () => ({ choices: [{ message: { role: 'assistant', content: 'chat' }, finish_reason: 'stop' }] }),
    '/generate-here': () => [{ generated_text: 'generated' }],
    '/tokenize': ({ prompt }) => ({ tokens: [...String(prompt)].map((letter) => letter.charCodeAt(0)) }),
    '/detokenize': ({ tokens }) => ({ prompt: String.fromCharCode(...(tokens as number[])) }),
  };
  let server: Server;
  let origin = '';
  let mute = '';
  const choice: ModelChoice = { provider: 'openai', model: 'm', endpoint: '', mode: 'chat', counts: false };

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.method === 'GET') {
        response.writeHead(404).end();
        return;
      }
      let text = '';
      request.on('data', (chunk: Buffer) => (text += String(chunk)));
      request.on('end', () => {
        const body = JSON.parse(text) as Record<string, unknown>;
        asked.push({ path: request.url ?? '', body });
        const answer = answers[request.url ?? '']?.(body);
        response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer ?? { message: 'no' }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    mute = `${origin}/mute/v1`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('completion models go on from the original’s text', async () => {
    await using model = await openModel({ ...choice, endpoint: `${origin}/v1`, mode: 'completion' });
    expect(await model.ask(instruction, 'now', { ...limits, stopStrings: ['\n\n'] })).toBe(' so ```stop [a]```');
    expect(asked.at(-1)).toEqual({
      path: '/v1/completions',
      body: { model: 'm', prompt: completionPrompt, max_tokens: 9, temperature: 0.5, top_p: 0.9, stop: ['\n\n'], seed: 7 },
    });
  });

  it('a text-generation server is asked at its own address, Llama 2 in its own form', async () => {
    const llama: ModelChoice = { ...choice, provider: 'huggingface', model: 'meta/Llama-2-7b', endpoint: `${origin}/generate-here` };
    await using model = await openModel(llama);
    expect(await model.ask(instruction, 'now', limits)).toBe('generated');
    expect(asked.at(-1)).toMatchObject({
      path: '/generate-here',
      body: {
        inputs: '<s>[INST] <<SYS>>\nYou browse.\n<</SYS>>\n\nseen [/INST] done </s><s>[INST] now [/INST] ',
        parameters: { max_new_tokens: 9, temperature: 0.5, top_p: 0.9, return_full_text: false },
      },
    });
    await using base = await openModel({ ...llama, model: 'models/base', mode: 'completion', counts: true });
    await base.ask(instruction, 'now', limits);
    expect(asked.at(-1)?.body['inputs']).toBe(completionPrompt);
    expect(await base.cutter?.('[1] link, [2] link', 3)).not.toContain('[2]');
  });

  it('huggingface is a model on this machine: nothing is asked over the network', async () => {
    const before = asked.length;
    await using model = await openModel({ ...choice, provider: 'huggingface', model: 'models/base', mode: 'completion', counts: true });
    expect(model.id).toBe('hf:models/base');
    expect(typeof (await model.ask(instruction, 'now', limits))).toBe('string');
    const page = 'one two three four five six seven';
    const cut = await model.cutter?.(page, 3);
    expect(page.startsWith(cut ?? '?') && cut !== page).toBe(true);
    await expect(openModel({ ...choice, provider: 'huggingface', model: '/nowhere/model' })).rejects.toMatchObject({ code: expect.stringMatching(/^MODEL_/) as string });
    expect(asked.length).toBe(before);
  });

  it('pages are counted by the server that has the model', async () => {
    await using model = await openModel({ ...choice, endpoint: `${origin}/v1`, counts: true });
    expect(await model.cutter?.('abcdef', 4)).toBe('abcd');
    expect(await model.cutter?.('abc', 4)).toBe('abc');
    expect(await model.ask(instruction, 'now', limits)).toBe('chat');
  });

  it('where nobody can count that is said before anything is played', async () => {
    await expect(openModel({ ...choice, endpoint: mute, counts: true })).rejects.toMatchObject({
      code: 'CONFIG_WEBARENA',
      message: expect.stringContaining('--tokenizer') as string,
    });
    await using named = await openModel({ ...choice, endpoint: mute, counts: true, tokenizer: 'models/base' });
    expect(named.cutter).toBeDefined();
    await expect(openModel({ ...choice, policy: 'expert' })).rejects.toMatchObject({ code: 'CONFIG_WEBARENA' });
  });

  it('OpenAI’s own encodings are used where js-tiktoken is installed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agoge-tiktoken-'));
    const module = join(folder, 'node_modules/js-tiktoken');
    await mkdir(join(module, 'ranks'), { recursive: true });
    await writeFile(join(module, 'package.json'), '{"name": "js-tiktoken", "type": "module", "exports": {"./*": "./*.js"}}');
    // Words as tokens: which encoding was asked for is in the first of them.
    await writeFile(join(module, 'ranks/cl100k_base.js'), 'export default "cl100k"');
    await writeFile(
      join(module, 'lite.js'),
      'export class Tiktoken { constructor(ranks) { this.ranks = ranks } encode(text) { return [this.ranks, ...text.split(" ")] } decode(ids) { return ids.join(" ") } }',
    );
    const cut = await servedCutter({ model: 'gpt-3.5-turbo-16k-0613', baseUrl: 'https://api.openai.com/v1' }, folder);
    expect(await cut('a b c', 3)).toBe('cl100k a b');
    await rm(folder, { recursive: true });
    await expect(servedCutter({ model: 'gpt-9', baseUrl: 'https://api.openai.com/v1' }, tmpdir())).rejects.toThrow('--tokenizer');
  });
});
