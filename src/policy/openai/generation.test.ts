/** One choice of a completion, on an engine that says what a test tells it to. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Engine, Sample, SampleRequest } from '../../engine/engine.ts';
import { chatChunk, chatResponse, completionChunk, completionResponse, usageOf, withTokenIds } from './answers.ts';
import { generate, type Choice, type ScoredToken } from './generation.ts';

const END = 0;

/** Says these pieces, one token each, and ends as it is told to. Token n+1 is piece n; 0 ends a turn. */
function engine(pieces: readonly string[], stop: Sample['stop'], seen: SampleRequest[] = []): Engine {
  const bytes = pieces.map((piece) => Buffer.from(piece, 'latin1'));
  const decode = (ids: ArrayLike<number>): string =>
    Buffer.concat(Array.from(ids).flatMap((id) => (id === END ? [] : [bytes[id - 1] ?? Buffer.alloc(0)]))).toString('utf8');
  const model = { context: 50, tokenizer: { decode, encode: () => [], size: 100, endOfTurn: [END] } };
  const sample = async (request: SampleRequest): Promise<Sample> => {
    seen.push(request);
    const tokens = [...pieces.map((_, at) => at + 1), ...(stop === 'token' ? [END] : [])];
    tokens.forEach((token) => request.onToken?.(token, -1, -2));
    const scores = new Float32Array(tokens.length);
    return { tokens: Int32Array.from(tokens), logprobs: scores, rawLogprobs: scores, stop, version: 1 };
  };
  return { model, sample } as unknown as Engine;
}

const request = (stopStrings: readonly string[] = [], prompt: readonly number[] = [1]) => ({
  prompt,
  maxTokens: 20,
  temperature: 1,
  stopStrings,
  stopTokens: [],
  seed: 1,
  signal: new AbortController().signal,
});

async function streamed(pieces: readonly string[], stop: Sample['stop'], stopStrings: readonly string[] = []) {
  const parts: string[] = [];
  const tokens: ScoredToken[] = [];
  const choice = await generate(engine(pieces, stop), request(stopStrings), (text, scored) => {
    parts.push(text);
    tokens.push(...scored);
  });
  return { choice, parts, tokens };
}

describe('the text', () => {
  it.each([
    ['all of it', ['Hel', 'lo'], 'length', [], 'Hello', 'length'],
    ['without the token that ends it', ['Hi'], 'token', [], 'Hi', 'stop'],
    ['up to a stop string', ['a END', ' b'], 'string', ['END'], 'a ', 'stop'],
    ['up to the first of several', ['one, two. three'], 'string', ['.', ','], 'one', 'stop'],
    ['nothing', [], 'token', [], '', 'stop'],
    ['a full context', ['x'], 'context', [], 'x', 'length'],
  ] as const)('%s', async (_, pieces, stop, stops, text, finish) => {
    const choice = await generate(engine(pieces, stop), request(stops));
    expect([choice.text, choice.finish]).toEqual([text, finish]);
    expect(choice.outputTokens).toBe(pieces.length + (stop === 'token' ? 1 : 0));
  });
  it('is cut to what fits the context, and a prompt without room is refused', async () => {
    const seen: SampleRequest[] = [];
    await generate(
      engine(['x'], 'length', seen),
      request(
        [],
        Array.from({ length: 45 }, () => 1),
      ),
    );
    expect(seen[0]?.maxTokens).toBe(5);
    await expect(
      generate(
        engine([], 'length'),
        request(
          [],
          Array.from({ length: 50 }, () => 1),
        ),
      ),
    ).rejects.toMatchObject({
      code: 'ENGINE_PROMPT_TOO_LONG',
    });
  });
  it('ends at the model’s own tokens and those that were asked for, each once', async () => {
    const seen: SampleRequest[] = [];
    await generate(engine(['x'], 'length', seen), { ...request(), stopTokens: [7, END, 7] });
    expect(seen[0]?.stopTokens).toEqual([END, 7]);
  });
});

describe('a stream', () => {
  it('never shows half a character', async () => {
    // The four bytes of 😀, one a token.
    const { parts, choice } = await streamed(['a', '\xf0', '\x9f', '\x98', '\x80', 'b'], 'length');
    expect(choice.text).toBe('a😀b');
    expect(parts.join('')).toBe('a😀b');
    for (const part of parts) expect(part).not.toContain('\ufffd');
  });
  it('never shows the start of a stop string, and shows it after all where none came', async () => {
    expect((await streamed(['yes E', 'N', 'D no'], 'string', ['END'])).parts.join('')).toBe('yes ');
    expect((await streamed(['yes E', 'N', 'T'], 'length', ['END'])).parts.join('')).toBe('yes ENT');
    expect((await streamed(['yes E', 'N'], 'length', ['END'])).parts.join('')).toBe('yes EN');
  });
  it('gives the whole text and every token once, whatever the pieces and stop strings', async () => {
    const piece = fc.constantFrom('a', 'b', 'ab', 'ba', ' ', '\xc3', '\xa9', 'STOP');
    const run = fc.asyncProperty(
      fc.array(piece, { maxLength: 8 }),
      fc.subarray(['ab', 'bb', 'STOP', 'b a']),
      async (pieces, stops) => {
        const { choice, parts, tokens } = await streamed(pieces, 'length', stops);
        expect(parts.join('')).toBe(choice.text);
        expect(tokens).toEqual(choice.tokens);
        for (const stop of stops) expect(choice.text).not.toContain(stop);
      },
    );
    await fc.assert(run, { seed: 1, numRuns: 150 });
  });
  it('tells the log-probabilities of the model’s own distribution', async () => {
    const { tokens } = await streamed(['a', 'b'], 'length');
    expect(tokens).toEqual([
      { text: 'a', logprob: -2 },
      { text: 'b', logprob: -2 },
    ]);
  });
  it('says so where likely alternatives are asked of an engine that has none', async () => {
    await expect(generate(engine(['a'], 'length'), { ...request(), topLogprobs: 2 })).rejects.toMatchObject({
      code: 'ENGINE_NO_TOP_LOGPROBS',
    });
  });
});

describe('answers', () => {
  const made = { id: 'x', created: 5, model: 'm', fingerprint: 'f' };
  const choice: Choice = {
    text: 'é!',
    tokens: [
      { text: 'é', logprob: -1, top: [{ text: 'e', logprob: -0.5 }] },
      { text: '!', logprob: -2 },
    ],
    ids: Int32Array.of(4, 5),
    finish: 'stop',
    outputTokens: 2,
  };
  it('have OpenAI’s shape for completions', () => {
    expect(completionResponse(made, [choice], 3, true)).toEqual({
      id: 'x',
      object: 'text_completion',
      created: 5,
      model: 'm',
      system_fingerprint: 'f',
      choices: [
        {
          index: 0,
          text: 'é!',
          finish_reason: 'stop',
          logprobs: {
            tokens: ['é', '!'],
            token_logprobs: [-1, -2],
            // The sampled token is always among them.
            top_logprobs: [{ e: -0.5, é: -1 }, { '!': -2 }],
            text_offset: [0, 1],
          },
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
  });
  it('have OpenAI’s shape for chats', () => {
    expect(chatResponse(made, [choice], 3, true)).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          message: { role: 'assistant', content: 'é!', refusal: null },
          logprobs: {
            content: [
              { token: 'é', bytes: [195, 169], top_logprobs: [{ token: 'e', bytes: [101] }] },
              { token: '!', top_logprobs: [] },
            ],
          },
        },
      ],
    });
    expect(chatResponse(made, [choice], 3, false)).toMatchObject({ choices: [{ logprobs: null }] });
  });
  it('in pieces have a start, texts and an end', () => {
    const delta = (piece: Parameters<typeof chatChunk>[2]): unknown => chatChunk(made, 1, piece, false);
    expect(delta({ start: true })).toMatchObject({
      choices: [{ index: 1, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    });
    expect(delta({ text: 'a' })).toMatchObject({ choices: [{ delta: { content: 'a' } }] });
    expect(delta({ finish: 'length' })).toMatchObject({ choices: [{ delta: {}, finish_reason: 'length' }] });
    expect(completionChunk(made, 0, { text: 'a' }, false)).toMatchObject({
      object: 'text_completion',
      choices: [{ text: 'a', finish_reason: null }],
    });
  });
  it('carry ids where vLLM has them', () => {
    const promptOf = (index: number): number[] => [10 + index];
    expect(withTokenIds(chatResponse(made, [choice], 1, false), [choice], promptOf)).toMatchObject({
      prompt_token_ids: [10],
      choices: [{ token_ids: [4, 5] }],
    });
    const whole = withTokenIds(completionResponse(made, [choice, choice], 1, false), [choice, choice], promptOf);
    expect(whole).toMatchObject({ choices: [{ prompt_token_ids: [10], token_ids: [4, 5] }, { prompt_token_ids: [11] }] });
    expect(whole).not.toHaveProperty('prompt_token_ids');
  });
  it('count the tokens of all choices', () => {
    expect(usageOf([choice, choice], 7)).toEqual({ prompt_tokens: 7, completion_tokens: 4, total_tokens: 11 });
  });
});
