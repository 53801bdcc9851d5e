/** Searching, opening and answering; and forms: what a result opens, what is asked for, what a form still wants. */
import { describe, expect, it } from 'vitest';
import type { Call } from '../calls.ts';
import { draw, NONSENSE, seeds, solve, type Drawn } from '../drawn.fixture.ts';

const call = (id: string, ...values: string[]): Call => ({ id, values });
const searches = ({ world }: Drawn): boolean => world.tools.some(({ id }) => id === 'search');
const searching = seeds(60).filter((seed) => searches(draw('pages', seed, 1)));
const listed = seeds(60).filter((seed) => !searches(draw('pages', seed, 1)));

describe('pages', () => {
  it('some begin with a search, others with its results', () => {
    expect(searching.length).toBeGreaterThan(15);
    expect(listed.length).toBeGreaterThan(10);
    const ids = (seed: number): string[] => solve(draw('pages', seed, 1).world).calls.map(({ id }) => id);
    for (const seed of searching) expect(ids(seed)).toEqual(['search', 'open', 'answer']);
    for (const seed of listed) expect(ids(seed)).toEqual(['open', 'answer']);
  });

  it('the search finds names, and nothing else', () => {
    for (const seed of searching.slice(0, 10)) {
      const { world } = draw('pages', seed, 1);
      const [search, open] = solve(draw('pages', seed, 1).world).calls;
      expect(world.answer(call('search', NONSENSE)).text).toBe('No results.');
      expect(world.opening).toContain(search?.values[0]);
      const results = world.answer(search ?? call('search')).text;
      expect(results).toContain(search?.values[0]);
      expect(results).toContain(open?.values[0]);
    }
  });

  it('nothing is opened before it was found', () => {
    for (const seed of searching.slice(0, 10)) {
      const [, open] = solve(draw('pages', seed, 1).world).calls;
      const { world } = draw('pages', seed, 1);
      expect(world.answer(open ?? call('open')).text).toMatch(/^(There is nothing with the number .+\.|Error: unknown id\.)$/);
      expect(world.next()?.id).toBe('search');
    }
  });

  it('the answer stands on the page of the name that was asked for', () => {
    for (const seed of listed.slice(0, 15)) {
      const { world } = draw('pages', seed, 1);
      const { calls, answers } = solve(world);
      for (const part of (calls.at(-1)?.values[0] ?? '').split(', ')) expect(answers.at(-2)?.text).toContain(part);
      expect(answers.at(-1)).toEqual({ text: 'Correct.', solved: true });
    }
  });

  it('two fields are asked for together in hard worlds only, and answered with a comma', () => {
    const double = (level: number): number[] =>
      seeds(60).filter((seed) => / and the /.test(draw('pages', seed, level).world.opening));
    expect(double(0.2)).toEqual([]);
    expect(double(1).length).toBeGreaterThan(5);
    for (const seed of double(1)) {
      const { world } = draw('pages', seed, 1);
      const said = solve(world).calls.at(-1)?.values[0] ?? '';
      expect(said).toContain(', ');
      const [first = ''] = said.split(', ');
      expect(draw('pages', seed, 1).world.answer(call('answer', first)).solved).toBe(false);
    }
  });

  it('the page of another name is another page, and one can go on to the right one', () => {
    let tried = 0;
    for (const seed of listed) {
      const { world } = draw('pages', seed, 1);
      const due = world.next();
      const id = /^\[(.+?)\]/m.exec(world.opening.split('\n\n')[1] ?? '')?.[1];
      if (id === undefined || id === due?.values[0]) continue;
      tried++;
      expect(world.answer(call('open', id)).solved).toBeUndefined();
      expect(world.next()).toEqual(due);
      expect(solve(world).answers.at(-1)?.solved).toBe(true);
    }
    expect(tried).toBeGreaterThan(0);
  });
});

describe('form', () => {
  it('wants the values of the record of one name, field by field', () => {
    for (const seed of seeds(20)) {
      const { world, tables } = draw('form', seed, 1);
      const { columns = [], rows = [] } = tables[0] ?? {};
      const request = world.opening.split('\n\n').at(-1) ?? '';
      const names = rows
        .map(([name = '']) => name)
        .filter((name) => request.includes(`Form for ${name}: `) || request.endsWith(` for ${name}.`));
      const { calls, answers } = solve(world);
      const sets = calls.slice(0, -1);
      expect(new Set(sets.map(({ values: [field] }) => field))).toEqual(new Set(columns.slice(1)));
      const fits = rows.filter((row) => sets.every(({ values: [field = '', value] }) => row[columns.indexOf(field)] === value));
      expect(fits.map(([name]) => name)).toEqual(expect.arrayContaining(names));
      expect(calls.at(-1)).toEqual(call('send'));
      expect(answers.at(-1)).toEqual({ text: 'Sent.', solved: true });
    }
  });

  it('says after each field what is missing still, and at last that nothing is', () => {
    for (const seed of seeds(20)) {
      const { calls, answers } = solve(draw('form', seed, 1).world);
      calls.slice(0, -1).forEach((_, i) => {
        const following = calls[i + 1];
        if (following?.id === 'set') expect(answers[i]?.text).toContain(following.values[0]);
        else expect(answers[i]?.text).toMatch(/^(Nothing is missing|Complete)\.$/);
      });
    }
  });

  it('fields may be filled in any order, and written over', () => {
    for (const seed of seeds(12)) {
      const sets = solve(draw('form', seed, 1).world).calls.slice(0, -1);
      const { world } = draw('form', seed, 1);
      for (const {
        values: [field = ''],
      } of sets)
        world.answer(call('set', field, NONSENSE));
      expect(world.answer(call('send')).text).toMatch(/^Error: /);
      for (const each of [...sets].reverse()) world.answer(each);
      expect(world.answer(call('send'))).toEqual({ text: 'Sent.', solved: true });
    }
  });

  it('has one record of one field at level 0, up to three of five at level 1', () => {
    const sizes = (level: number): [number, number] => {
      const drawn = seeds(80).map((seed) => draw('form', seed, level).tables[0]);
      return [
        Math.max(...drawn.map((table) => table?.rows.length ?? NaN)),
        Math.max(...drawn.map((table) => (table?.columns.length ?? NaN) - 1)),
      ];
    };
    expect(sizes(0)).toEqual([1, 1]);
    expect(sizes(1)).toEqual([3, 5]);
  });
});
