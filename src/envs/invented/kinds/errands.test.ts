/** Errands: what counts as having everything, what is refused and why, and that nothing is paid before the end. */
import { describe, expect, it } from 'vitest';
import type { Call } from '../calls.ts';
import { draw, NONSENSE, seeds, solve, type Drawn } from '../drawn.fixture.ts';
import type { KindName } from '../kinds.ts';

const ids = ({ world }: Drawn): string[] => world.tools.map(({ id }) => id);
/** Seeds whose world has these tools. */
const having = (kind: KindName, tools: readonly string[], level = 1): number[] =>
  seeds(80).filter((seed) => ids(draw(kind, seed, level)).join() === tools.join());
const call = (id: string, ...values: string[]): Call => ({ id, values });

describe('fetch', () => {
  it('comes with the list of places, or with a tool that tells them: one of the two', () => {
    const counts = { listed: 0, asked: 0 };
    for (const seed of seeds(60)) {
      const drawn = draw('fetch', seed, 1);
      const asks = ids(drawn).includes('ask');
      counts[asks ? 'asked' : 'listed']++;
      const places = drawn.tables[0]?.rows.map(([, place = '']) => place) ?? [];
      const inOpening = places.every((place) => drawn.world.opening.includes(place));
      expect(inOpening, drawn.world.opening).toBe(!asks);
    }
    expect(counts.asked).toBeGreaterThan(15);
    expect(counts.listed).toBeGreaterThan(15);
  });

  it('what is asked for is told: the place of that thing', () => {
    for (const seed of having('fetch', ['ask', 'take', 'end']).slice(0, 12)) {
      const { world, tables } = draw('fetch', seed, 1);
      for (const [thing = '', place = ''] of tables[0]?.rows ?? [])
        expect(world.answer(call('ask', thing)).text).toContain(place);
      expect(world.answer(call('ask', NONSENSE)).text).toMatch(/^(There is no zyx\w+\.|Unknown\.)$/);
    }
  });

  it('a thing is taken only from its own place', () => {
    let refused = 0;
    for (const seed of having('fetch', ['take', 'end'])) {
      const { world, tables } = draw('fetch', seed, 1);
      const rows = tables[0]?.rows ?? [];
      const due = world.next();
      const elsewhere = rows.map(([, place = '']) => place).find((place) => place !== due?.values[1]);
      if (due?.values.length !== 2 || elsewhere === undefined) continue;
      refused++;
      expect(world.answer(call('take', due.values[0] ?? '', elsewhere)).text).toMatch(/( is not in .+\.|^Not there\.)$/);
      expect(world.next()).toEqual(due);
    }
    expect(refused).toBeGreaterThan(3);
  });

  it('is not ended before everything is there, and goes on then', () => {
    for (const seed of having('fetch', ['take', 'end']).slice(0, 12)) {
      const { world } = draw('fetch', seed, 1);
      expect(world.answer(call('end'))).toEqual({
        text: expect.stringMatching(/^(Something is missing|Not complete)\.$/) as string,
      });
      const { answers } = solve(world);
      expect(answers.at(-1)).toEqual({ text: 'Done.', solved: true });
    }
  });

  it('without a tool to end it, it is solved by the last thing that was wanted', () => {
    for (const seed of having('fetch', ['take']).slice(0, 12))
      expect(solve(draw('fetch', seed, 1).world).answers.at(-1)).toEqual({ text: 'You have everything.', solved: true });
  });

  it('things that nobody ordered may be taken as well, and do not count', () => {
    let tried = 0;
    for (const seed of having('fetch', ['take', 'end'])) {
      const ordered = solve(draw('fetch', seed, 1).world).calls.map(({ values: [name] }) => name);
      const { world, tables } = draw('fetch', seed, 1);
      const spare = tables[0]?.rows.find(([name, place]) => !ordered.includes(name) && !ordered.includes(place));
      if (!spare) continue;
      tried++;
      const taking = world.next()?.values.length === 2 ? call('take', ...spare) : call('take', spare[1] ?? '');
      expect(world.answer(taking).solved).toBeUndefined();
      expect(world.answer(call('end')).solved).toBeUndefined();
      expect(solve(world).answers.at(-1)?.solved).toBe(true);
    }
    expect(tried).toBeGreaterThan(3);
  });
});

describe('gather', () => {
  /** Kinds of things with how many are wanted, as the opening says. */
  const wanted = (drawn: Drawn): Map<string, number> => {
    const calls = solve(drawn.world).calls.filter(({ id }) => id === 'take');
    const names = [...new Set(calls.map(({ values: [name = ''] }) => name))];
    return new Map(names.map((name) => [name, calls.filter(({ values }) => values[0] === name).length]));
  };

  it('the expert takes as many as the opening asks for, and each answer counts', () => {
    for (const seed of seeds(20)) {
      const need = wanted(draw('gather', seed, 1));
      const { world } = draw('gather', seed, 1);
      for (const [name, many] of need) {
        expect(world.opening).toMatch(new RegExp(`${many} ${name.replace('.', '\\.')}|${name.replace('.', '\\.')}.*${many}`));
        for (let have = 1; have <= many; have++)
          expect([`${have} ${name}`, `You have ${have} ${name}.`, `${name}: ${have}`]).toContain(
            world.answer(call('take', name)).text,
          );
      }
      expect(world.answer(call('end'))).toEqual({ text: 'Good.', solved: true });
    }
  });

  it.each([
    ['one too few', -1],
    ['one too many', 1],
  ])('%s fails at the end', (_, off) => {
    for (const seed of seeds(20)) {
      const need = wanted(draw('gather', seed, 1));
      const { world } = draw('gather', seed, 1);
      [...need].forEach(([name, many], i) => {
        for (let have = 0; have < (i === 0 ? many + off : many); have++) world.answer(call('take', name));
      });
      expect(world.answer(call('end'))).toEqual({ text: 'The numbers are wrong.', solved: false });
    }
  });

  it('something else is not there', () => {
    expect(draw('gather', 1).world.answer(call('take', NONSENSE)).text).toBe(`There is no ${NONSENSE}.`);
  });
});

describe('errors', () => {
  it('an error names what comes first; once that is done, the thing can be done', () => {
    for (const seed of seeds(30)) {
      const { world } = draw('errors', seed, 1);
      const { calls, answers } = solve(world);
      answers.forEach(({ text }, i) => {
        const following = calls[i + 1]?.values[0];
        if (/rror|Failed|Not yet/.test(text)) expect(text).toContain(following);
      });
      expect(world.opening).toContain(calls[0]?.values[0]);
      expect(calls.at(-1)).toEqual(calls[0]);
      expect(answers.at(-1)).toEqual({ text: 'Done.', solved: true });
    }
  });

  it('goes down as far as there are conditions and the same way up: twice the depth but one', () => {
    const turns = (level: number): Set<number> =>
      new Set(seeds(80).map((seed) => solve(draw('errors', seed, level).world).calls.length));
    expect([...turns(0)]).toEqual([1]);
    expect([...turns(1)].sort()).toEqual([1, 3, 5, 7]);
  });

  it('who asks is told what a thing needs, and that the last needs nothing', () => {
    const asking = having('errors', ['do', 'needs']);
    expect(asking.length).toBeGreaterThan(5);
    for (const seed of asking) {
      const { world } = draw('errors', seed, 1);
      const chain = [solve(draw('errors', seed, 1).world).calls[0]?.values[0] ?? ''];
      for (let needed: string | undefined = ''; needed !== 'nothing' && chain.length < 6;) {
        const name = chain.at(-1) ?? '';
        const { text, solved } = world.answer(call('needs', name));
        expect(solved).toBeUndefined();
        expect(text.startsWith(`${name} needs `)).toBe(true);
        needed = text.slice(`${name} needs `.length, -1);
        chain.push(needed);
      }
      expect(chain.at(-1)).toBe('nothing');
    }
  });

  it('something unknown is an error and changes nothing', () => {
    for (const seed of seeds(10)) {
      const { world } = draw('errors', seed, 1);
      const due = world.next();
      expect(world.answer(call('do', NONSENSE)).text).toMatch(/^Error: (zyx\w+ is unknown|not found)\.$/);
      expect(world.next()).toEqual(due);
    }
  });
});
