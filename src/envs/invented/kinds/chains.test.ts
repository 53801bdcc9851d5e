/** Following pointers: where each move leads, what is refused and in which words, and what a level adds. */
import { describe, expect, it } from 'vitest';
import { draw, NONSENSE, seeds, solve } from '../drawn.fixture.ts';

const told = (pattern: RegExp): string => expect.stringMatching(pattern) as string;

describe('chain', () => {
  /** Where one stands, as the last line says. */
  const standing = (text: string): string | undefined =>
    /(?:You are at (.+?)\. Moves left|Now at (.+?), \d+ to go|At (.+?)\.$)/
      .exec(text.split('\n').at(-1) ?? '')
      ?.slice(1)
      .find(Boolean);

  it('the next move stands beside where one is, on every move to the end', () => {
    for (const seed of seeds(30)) {
      const { world, tables } = draw('chain', seed, 1);
      const next = new Map(tables[0]?.rows.map(([from = '', to = '']) => [from, to]));
      let text = world.opening;
      for (let turn = 0; turn < 6; turn++) {
        const here = standing(text);
        expect(here, text).toBeDefined();
        const answer = world.answer({ id: 'go', values: [next.get(here ?? '') ?? ''] });
        if (answer.solved !== undefined) {
          expect(answer).toEqual({ text: 'You have arrived.', solved: true });
          break;
        }
        text = answer.text;
      }
    }
  });

  it('says how many moves are left, one fewer each time', () => {
    const counted = seeds(80).flatMap((seed) => {
      const { world } = draw('chain', seed, 1);
      const left = (text: string): number => Number(/(?:Moves left: |, )(\d+)/.exec(text.split('\n').at(-1) ?? '')?.[1]);
      const before = left(world.opening);
      const { calls } = solve(world);
      return Number.isNaN(before) ? [] : [[before, calls.length]];
    });
    expect(counted.length).toBeGreaterThan(20);
    for (const [before, calls] of counted) expect(before).toBe(calls);
  });

  it('a step that is not next is refused and moves nobody', () => {
    for (const seed of seeds(20)) {
      const { world } = draw('chain', seed, 1);
      const due = world.next();
      expect(world.answer({ id: 'go', values: [NONSENSE] })).toEqual({
        text: told(/^(There is no way from here to zyx\w+|That is not next)\.$/),
      });
      expect(world.next()).toEqual(due);
    }
  });

  it('is one move at level 0 and up to six at level 1', () => {
    const moves = (level: number): Set<number> =>
      new Set(seeds(80).map((seed) => solve(draw('chain', seed, level).world).calls.length));
    expect([...moves(0)]).toEqual([1]);
    expect([...moves(1)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('hops', () => {
  it('the answer is found by looking one table up with the other', () => {
    for (const seed of seeds(30)) {
      const { world, tables } = draw('hops', seed, 1);
      const question = world.opening.split('\n\n').at(-1) ?? '';
      const starts = (tables[0]?.rows ?? [])
        .map(([key = '']) => key)
        .filter((key) => question.endsWith(` ${key}?`) || question.endsWith(` ${key}.`));
      if (starts.length !== 1) continue;
      const end = tables.reduce((at, { rows }) => rows.find(([key]) => key === at)?.[1] ?? '', starts[0] ?? '');
      expect(world.next()).toEqual({ id: 'answer', values: [end] });
      expect(world.answer({ id: 'answer', values: [end] })).toEqual({ text: 'Right.', solved: true });
    }
  });

  it('the question names the columns from the last to the second', () => {
    for (const seed of seeds(20)) {
      const { world, tables } = draw('hops', seed, 1);
      const path = tables
        .map(({ columns }) => `the ${columns[1] ?? ''} of`)
        .reverse()
        .join(' ');
      expect(world.opening).toContain(path);
    }
  });

  it('a place on the way is not the answer, and ends the play', () => {
    const long = seeds(40).filter((seed) => draw('hops', seed, 1).tables.length > 1);
    expect(long.length).toBeGreaterThan(5);
    for (const seed of long) {
      const { world, tables } = draw('hops', seed, 1);
      const right = world.next()?.values[0] ?? '';
      const between = tables[0]?.rows.map(([, to = '']) => to).find((name) => name !== right) ?? '';
      expect(world.answer({ id: 'answer', values: [between] })).toEqual({ text: 'Wrong.', solved: false });
    }
  });

  it('is one table at level 0 and up to three at level 1', () => {
    const tables = (level: number): Set<number> => new Set(seeds(60).map((seed) => draw('hops', seed, level).tables.length));
    expect([...tables(0)]).toEqual([1]);
    expect([...tables(1)].sort()).toEqual([1, 2, 3]);
  });
});

describe('trail', () => {
  it('every stop but the last names the next, and the last the secret', () => {
    for (const seed of seeds(20)) {
      const { world } = draw('trail', seed, 1);
      const { calls, answers } = solve(world);
      for (let i = 0; i < calls.length - 1; i++) expect(answers[i]?.text).toContain(calls[i + 1]?.values[0]);
      expect(calls.map(({ id }) => id)).toEqual([...calls.slice(1).map(() => 'go'), 'answer']);
      expect(world.opening).toContain(calls[0]?.values[0]);
      expect(answers.at(-1)).toEqual({ text: 'Correct.', solved: true });
    }
  });

  it('nobody jumps ahead, but one may go back', () => {
    const long = seeds(40).filter((seed) => solve(draw('trail', seed, 1).world).calls.length > 3);
    expect(long.length).toBeGreaterThan(5);
    for (const seed of long) {
      const [first, second, third] = solve(draw('trail', seed, 1).world).calls;
      const { world } = draw('trail', seed, 1);
      const go = (call = first): string => world.answer(call ?? { id: 'go', values: [] }).text;
      expect(go(second)).toMatch(/^(There is no .+ called .+\.|Nothing found\.)$/);
      expect(go(first)).toContain(second?.values[0]);
      expect(go(third)).toMatch(/^(There is no .+ called .+\.|Nothing found\.)$/);
      go(second);
      expect(go(first)).toContain(second?.values[0]);
      expect(world.next()).toEqual(second);
    }
  });

  it('a wrong secret ends the play', () => {
    for (const seed of seeds(10))
      expect(draw('trail', seed).world.answer({ id: 'answer', values: [NONSENSE] })).toEqual({ text: 'Wrong.', solved: false });
  });
});

describe('rooms', () => {
  it('the guide names the next room and the exits say which way it lies', () => {
    for (const seed of seeds(20)) {
      const { world, tables } = draw('rooms', seed, 1);
      const guide = tables[0]?.rows ?? [];
      const { calls, answers } = solve(world);
      const seen = [world.opening.split('\n\n').at(-1) ?? '', ...answers.map(({ text }) => text)];
      calls.forEach(({ values: [way = ''] }, i) => {
        const room = guide.find(
          ([from = '']) => (seen[i] ?? '').startsWith(`You are in ${from}. Exits:`) || (seen[i] ?? '').startsWith(`${from}\n`),
        );
        expect(room, seen[i]).toBeDefined();
        expect(seen[i]).toMatch(new RegExp(`${way}(:| to) `));
        expect((seen[i] ?? '').split(new RegExp(`${way}(?::| to) `))[1]?.startsWith(room?.[1] ?? NONSENSE)).toBe(true);
      });
      expect(answers.at(-1)).toEqual({ text: 'You are there.', solved: true });
    }
  });

  it('another exit leads back, and a wall is a wall: neither moves anybody', () => {
    let others = 0;
    for (const seed of seeds(30)) {
      const { world } = draw('rooms', seed, 1);
      const due = world.next();
      for (const way of ['north', 'south', 'east', 'west', 'left', 'right', 'ahead', 'back', 'up', 'down', 'in', 'out']) {
        if (way === due?.values[0]) continue;
        const answer = world.answer({ id: 'go', values: [way] });
        expect(answer).toEqual({
          text: told(/^(You got lost and came back\.|That way is closed\.|No exit \w+\.|There is a wall\.)$/),
        });
        if (/lost|closed/.test(answer.text)) others++;
        expect(world.next()).toEqual(due);
      }
    }
    expect(others).toBeGreaterThan(10);
  });

  it('is one door away at level 0, and up to eight at level 1', () => {
    const doors = (level: number): number[] => seeds(80).map((seed) => solve(draw('rooms', seed, level).world).calls.length);
    expect(Math.max(...doors(0))).toBe(1);
    expect(Math.max(...doors(1))).toBe(8);
  });
});
