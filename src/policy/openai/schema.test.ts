import { describe, expect, it } from 'vitest';
import { classifyRequest, classifyResponse, embeddingResponse } from './classify.ts';
import { chatRequest, completionRequest } from './schema.ts';

const chat = (more: object) => chatRequest.safeParse({ messages: [{ role: 'user', content: 'hi' }], ...more });
const completion = (more: object) => completionRequest.safeParse({ prompt: 'hi', ...more });

describe('what is taken', () => {
  it.each<[string, object]>([
    ['nothing more', {}],
    ['null for what is left out', { temperature: null, top_p: null, n: null, stop: null, seed: null, stream: null }],
    ['greedy', { temperature: 0 }],
    ['no limit, in two ways', { top_k: -1 }],
    ['stop strings', { stop: ['a', 'b'] }],
    [
      'what is done anyway',
      { frequency_penalty: 0, repetition_penalty: 1, min_tokens: 0, ignore_eos: false, best_of: 1, logit_bias: {} },
    ],
    ['bookkeeping', { user: 'me', metadata: { a: 1 }, store: true, service_tier: 'auto' }],
    ['several', { n: 128 }],
  ])('%s', (_, more) => {
    expect(chat(more).success).toBe(true);
    expect(completion(more).success).toBe(true);
  });
  it('0 and -1 are no limit on the likeliest tokens', () => {
    expect([-1, 0, 5].map((top_k) => completion({ top_k }).data?.top_k)).toEqual([0, 0, 5]);
  });
  it('parts of a message are one text', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    expect(chat({ messages: [{ role: 'user', content: parts }] }).data?.messages[0]?.content).toBe('ab');
  });
  it.each<[object]>([[{ prompt: 'a' }], [{ prompt: ['a', 'b'] }], [{ prompt: [1, 2] }], [{ prompt: [[1], [2, 3]] }]])(
    'the prompt %j',
    (more) => {
      expect(completion(more).success).toBe(true);
    },
  );
});

describe('what is refused, since answering as if it had not been said would be wrong', () => {
  it.each<[string, object, RegExp]>([
    ['a misspelt field', { temprature: 1 }, /temprature/],
    ['a penalty', { frequency_penalty: 0.5 }, /penalties are not applied here/],
    ['a bias that is too large', { logit_bias: { 5: -101 } }, /logit_bias/],
    ['a bias of no token', { logit_bias: { the: 1 } }, /named by their ids/],
    ['a least length', { min_tokens: 5 }, /leave it out or send 0/],
    ['a beam', { use_beam_search: true }, /sampled here/],
    ['a grammar', { guided_regex: 'a+' }, /JSON schemas and choices/],
    ['a temperature below 0', { temperature: -0.1 }, /temperature/],
    ['a share of 0', { top_p: 0 }, /top_p/],
    ['a share above 1', { top_p: 1.1 }, /top_p/],
    ['no choice', { n: 0 }, /n/],
    ['too many choices', { n: 129 }, /n/],
    ['half a token', { max_tokens: 1.5 }, /max_tokens/],
    ['too many stop strings', { stop: Array.from({ length: 17 }, () => 'a') }, /stop/],
    ['a seed that is no whole number', { seed: 0.5 }, /seed/],
    ['scores of the prompt', { prompt_logprobs: 1 }, /not scored here/],
  ])('%s', (_, more, why) => {
    for (const parsed of [chat(more), completion(more)]) {
      expect(parsed.success).toBe(false);
      expect(JSON.stringify(parsed.error?.issues)).toMatch(why);
    }
  });
  it.each<[string, object, RegExp]>([
    ['no message', { messages: [] }, /messages/],
    ['no token', { max_tokens: 0 }, /max_tokens/],
    ['an unknown role', { messages: [{ role: 'judge', content: 'x' }] }, /role/],
    ['an image', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'x' }] }] }, /content/],
    ['a tool without a function', { tools: [{ type: 'function' }] }, /tools/],
    ['functions of old', { functions: [{ name: 'get' }] }, /send tools/],
    ['an echo', { echo: true }, /not repeated/],
    ['a form that nobody knows', { response_format: { type: 'xml' } }, /response_format/],
    ['likely tokens without log-probabilities', { top_logprobs: 3 }, /send \\"logprobs\\": true as well/],
    ['too many likely tokens', { logprobs: true, top_logprobs: 21 }, /top_logprobs/],
    ['effort', { reasoning_effort: 'high' }, /cannot be set here/],
  ])('in a chat: %s', (_, more, why) => expect(JSON.stringify(chat(more).error?.issues)).toMatch(why));
  it.each<[string, object, RegExp]>([
    ['no prompt', { prompt: undefined }, /prompt/],
    ['a negative id', { prompt: [-1] }, /prompt/],
    ['a suffix', { suffix: 'x' }, /suffix/],
    ['too many likely tokens', { logprobs: 6 }, /logprobs/],
  ])('in a completion: %s', (_, more, why) => expect(JSON.stringify(completion(more).error?.issues)).toMatch(why));
});

describe('scores of whole texts', () => {
  it.each<[object, boolean]>([
    [{ input: 'a' }, true],
    [{ input: ['a', 'b'] }, true],
    [{ input: [1, 2] }, true],
    [{ input: [[1], [2]] }, true],
    [{ messages: [{ role: 'user', content: 'a' }] }, true],
    [{ input: 'a', messages: [{ role: 'user', content: 'a' }] }, false],
    [{}, false],
    [{ input: [] }, false],
    [{ input: [[]] }, false],
    [{ input: [-1] }, false],
    [{ input: 'a', something: 'else' }, true],
  ])('%j: %s', (body, taken) => expect(classifyRequest.safeParse(body).success).toBe(taken));
  it('are probabilities unless they are asked for as they are, in the old spelling too', () => {
    const scored = { scores: [0, Math.log(3)], tokens: 5 };
    const probs = (more: object): number[] => {
      const { data } = classifyResponse('m', classifyRequest.parse({ input: 'a', ...more }), scored) as {
        data: { probs: number[] }[];
      };
      return data.flatMap((one) => one.probs);
    };
    const close = (values: number[], wanted: number[]): void =>
      values.forEach((value, at) => expect(value).toBeCloseTo(wanted[at] ?? NaN, 12));
    close(probs({}), [0.5, 0.75]);
    close(probs({ use_activation: false }), scored.scores);
    close(probs({ activation: false }), scored.scores);
    close(probs({ use_activation: true, activation: false }), [0.5, 0.75]);
  });
  it('are lists in the order of the texts', () => {
    expect(embeddingResponse('m', { scores: [1, 2], tokens: 5 })).toMatchObject({
      object: 'list',
      model: 'm',
      data: [
        { index: 0, embedding: [1] },
        { index: 1, embedding: [2] },
      ],
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
  });
});
