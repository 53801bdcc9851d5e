import { expect, test } from 'vitest';
import { forecast, longestMinutes, slack, successAfter } from './forecast.ts';
import { turnKind } from './turn-kinds.ts';
import { brokenWords } from './words.ts';

const facts = { level: 0.5, pass1: 0, pass8: 0, signal: 0, context: 2048 };
const falling = (power: number, nats = 4) => ({
  turns: 5,
  tokens: 100,
  curve: [
    { seconds: 0, nats: 20 },
    { seconds: 10, nats: nats * 3 ** power },
    { seconds: 30, nats },
  ],
});

test('minutes to a level follow the power of the curve', () => {
  const found = forecast({ ...facts, expert: falling(1) });
  // −ln p must fall to slack · ln 2 / 5.
  const wanted = (30 * (4 / ((slack * Math.LN2) / 5))) / 60;
  expect(found).toEqual({ verdict: 'learns', level: 0.5, minutes: expect.closeTo(wanted, 6) as number });
  expect(successAfter(wanted, 5, falling(1).curve)).toBeCloseTo(0.5, 6);
  expect(successAfter(2 * wanted, 5, falling(1).curve)).toBeGreaterThan(0.5);
});

test('what the probe has learned whole is not called flat', () => {
  const curve = (within: number, after: number) => [
    { seconds: 0, nats: 31 },
    { seconds: 8, nats: within },
    { seconds: 24, nats: after },
  ];
  for (const [within, after] of [
    [1e-7, 0],
    [0, 0],
    [1e-4, 1.5e-4],
  ] as const) {
    const known = { turns: 1, tokens: 40, curve: curve(within, after) };
    expect(forecast({ ...facts, expert: known })).toEqual({ verdict: 'learns', level: 0.5, minutes: 8 / 60 });
    expect(successAfter(5, 1, known.curve)).toBeCloseTo(1, 3);
  }
  // Nothing was imitated: nothing is known.
  expect(forecast({ ...facts, expert: { turns: 1, tokens: 40, curve: curve(1, 1).slice(0, 1) } })).toMatchObject({
    because: 'flat',
  });
});

test('a reason stands where it is not learned from here', () => {
  expect(forecast({ ...facts, pass1: 0.6, expert: falling(0) })).toEqual({ verdict: 'there', success: 0.6 });
  expect(forecast({ ...facts, expert: falling(0) })).toEqual({ verdict: 'no', because: 'flat' });
  expect(forecast({ ...facts, signal: 0.5, expert: falling(0) })).toEqual({ verdict: 'may-learn', because: 'signal' });
  expect(forecast({ ...facts, expert: { ...falling(1), tokens: 4000 } })).toEqual({ verdict: 'no', because: 'context' });
  const slow = forecast({ ...facts, expert: falling(0.2, 10) });
  expect(slow).toMatchObject({ verdict: 'no', because: 'slow' });
  expect('minutes' in slow && slow.minutes).toBeGreaterThan(longestMinutes);
  expect(forecast(facts)).toEqual({ verdict: 'no', because: 'no-signal' });
  expect(forecast({ ...facts, signal: 0.2 })).toEqual({ verdict: 'may-learn', because: 'signal' });
});

test('turns are named by the forms of the instructions, else by their first word', () => {
  const form = (name: string, template: string) => ({ name, template, description: '', parameters: {} });
  const forms = [form('open', 'open {colour} box'), form('click', 'click[item]'), form('ask', 'ask(<who>, *)')];
  expect(turnKind('open red box\n', forms)).toBe('open {colour} box');
  expect(turnKind('click[buy now]', forms)).toBe('click[item]');
  expect(turnKind('ask(anna, *)', forms)).toBe('ask(<who>, *)');
  expect(turnKind('unlock door', forms)).toBe('unlock');
  expect(turnKind('{"name": 1}', forms)).toBe('{"name": 1}');
});

test('words that are broken are counted with their pieces', () => {
  const tokenizer = { encode: (text: string) => Array.from({ length: text.includes('mandolin') ? 4 : 1 }, () => 0) };
  const { mean, broken } = brokenWords(['fetch mandolin from 7', 'mandolin'], tokenizer as never);
  expect(broken).toEqual([{ word: 'mandolin', pieces: 4, times: 2 }]);
  expect(mean).toBe((1 + 4 + 1 + 4) / 4);
  expect(brokenWords([], tokenizer as never)).toEqual({ mean: 1, broken: [] });
});
