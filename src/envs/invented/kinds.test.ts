/**
 * The rules of each kind of invented world: its expert needs only what is written, a wrong call fails or is told why, and nothing
 * is paid for it. Worlds are drawn here without their prompt, so that calls are said as data.
 */
import { describe, expect, it } from 'vitest';
import { draw, NONSENSE, solve } from './drawn.fixture.ts';
import { kindNames, type KindName } from './kinds.ts';
import type { World } from './world.ts';

const levels = [0, 0.3, 0.7, 1];
const worldOf = (kind: KindName, seed: number, level?: number): World => draw(kind, seed, level).world;

/** Kinds in which a wrong answer ends the play; in the others the world says what is wrong, and it goes on. */
const unforgiving: readonly KindName[] = [
  'lookup',
  'reverse',
  'counting',
  'extremes',
  'conditions',
  'limits',
  'ordering',
  'translate',
];

describe.each(kindNames)('%s', (kind) => {
  it('is solved by its expert at every level, with its own tools, once', () => {
    for (const level of levels)
      for (let seed = 0; seed < 8; seed++) {
        const world = worldOf(kind, seed, level);
        const { calls, answers } = solve(world);
        expect(answers.at(-1)?.solved, `level ${level}, seed ${seed}`).toBe(true);
        expect(answers.slice(0, -1).every(({ solved }) => solved === undefined)).toBe(true);
        const known = new Map(world.tools.map((tool) => [tool.id, tool.parameters.length]));
        for (const { id, values } of calls) expect(known.get(id), id).toBe(values.length);
      }
  });

  it('is the same world for the same seed, and another for another', () => {
    expect(worldOf(kind, 3).opening).toBe(worldOf(kind, 3).opening);
    expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => worldOf(kind, seed).opening)).size).toBeGreaterThan(1);
  });

  it('writes down everything that its expert says: nothing has to be guessed', () => {
    for (let seed = 0; seed < 12; seed++) {
      const world = worldOf(kind, seed);
      let read = `${world.story}\n${world.opening}\n${world.tools.map((tool) => tool.about).join('\n')}`;
      for (let call = world.next(), turn = 0; call && turn < 60; call = world.next(), turn++) {
        // Counts are the one thing that is worked out.
        if (kind !== 'counting')
          for (const value of call.values)
            for (const word of value.split(/[ ,]+/)) expect(read, `seed ${seed}: ${call.id} ${value}`).toContain(word);
        const answer = world.answer(call);
        read += `\n${answer.text}`;
        if (answer.solved !== undefined) break;
      }
    }
  });

  it('is never solved by words that are not in it', () => {
    for (let seed = 0; seed < 8; seed++) {
      const world = worldOf(kind, seed);
      for (const tool of world.tools) {
        if (tool.parameters.length === 0) continue;
        const fresh = worldOf(kind, seed);
        const answer = fresh.answer({ id: tool.id, values: tool.parameters.map(() => NONSENSE) });
        expect(answer.solved, tool.id).not.toBe(true);
        expect(answer.text).not.toBe('');
      }
    }
  });

  it('is harder at a higher level: more to read on average', () => {
    const length = (level: number): number =>
      Array.from({ length: 40 }, (_, seed) => worldOf(kind, seed, level).opening.length).reduce((a, b) => a + b, 0) / 40;
    const calls = (level: number): number =>
      Array.from({ length: 40 }, (_, seed) => solve(worldOf(kind, seed, level)).calls.length).reduce((a, b) => a + b, 0) / 40;
    expect(length(1) > length(0) || calls(1) > calls(0)).toBe(true);
  });
});

describe.each(unforgiving)('%s', (kind) => {
  it('ends at the first wrong answer, without reward', () => {
    for (let seed = 0; seed < 12; seed++) {
      const world = worldOf(kind, seed);
      const call = world.next();
      if (!call) throw new RangeError('no call');
      const wrong = world.answer({ id: call.id, values: call.values.map(() => NONSENSE) });
      expect(wrong).toMatchObject({ solved: false });
    }
  });

  it('asks for the right answer to the end: a right one and then a wrong one is not solved', () => {
    const long = Array.from({ length: 40 }, (_, seed) => seed).filter((seed) => solve(worldOf(kind, seed, 1)).calls.length > 1);
    expect(long.length).toBeGreaterThan(0);
    for (const seed of long.slice(0, 6)) {
      const world = worldOf(kind, seed, 1);
      const first = world.next();
      expect(first && world.answer(first).solved).toBeUndefined();
      const second = world.next();
      expect(world.answer({ id: second?.id ?? '', values: (second?.values ?? []).map(() => NONSENSE) }).solved).toBe(false);
    }
  });
});

describe('answers of single kinds', () => {
  it('a form is not sent before every field is filled in, and says which is missing', () => {
    for (let seed = 0; seed < 8; seed++) {
      const world = worldOf('form', seed);
      const early = world.answer({ id: 'send', values: [] });
      expect(early.solved).toBeUndefined();
      expect(early.text).toMatch(/^Error: /);
      const missing = world.next();
      expect(early.text).toContain(missing?.values[0] ?? 'nothing');
      expect(world.answer({ id: 'set', values: [NONSENSE, 'a'] }).text).toBe('There is no field zyxwvutsrq.');
    }
  });

  it('a form that was filled in wrongly can be mended', () => {
    const world = worldOf('form', 1);
    const right = world.next();
    world.answer({ id: 'set', values: [right?.values[0] ?? '', NONSENSE] });
    expect(world.answer({ id: 'send', values: [] }).solved).toBeUndefined();
    expect(solve(world).answers.at(-1)?.solved).toBe(true);
  });

  it('limits: the limit itself is not above the limit', () => {
    let met = 0;
    for (let seed = 0; seed < 400; seed++) {
      const world = worldOf('limits', seed, 0);
      const limit = /more than (\d+) it is (.+), else (.+)\.$/.exec(world.story);
      const number = /(\d+)\.?$/.exec(world.opening)?.[1];
      if (!limit || number === undefined) continue;
      const [, most, high, low] = limit;
      expect(world.next()?.values).toEqual([Number(number) > Number(most) ? high : low]);
      if (number === most) met++;
    }
    expect(met).toBeGreaterThan(0);
  });
});
