/** Questions about a table: the right answer is worked out here from the table and the words of the question. */
import { describe, expect, it } from 'vitest';
import { draw, NONSENSE, seeds, solve, type Drawn } from '../drawn.fixture.ts';
import type { Table } from '../layout.ts';

/** The question that the world asks now, where the last answer or the opening ends with it. */
const questionIn = (text: string): string => text.split('\n').at(-1) ?? '';

/** What stands in a text as words of its own. */
function named(text: string, words: readonly string[]): string[] {
  const alone = (at: number, length: number): boolean => !/[\w-]/.test((text[at - 1] ?? ' ') + (text[at + length] ?? ' '));
  return words.filter((word) => text.includes(word) && alone(text.indexOf(word), word.length));
}

/** Every question of a play with the expert's answer. */
function asked({ world }: Drawn): { question: string; said: string }[] {
  const texts = [world.opening];
  const { calls, answers } = solve(world);
  for (const { text } of answers) texts.push(text);
  return calls.map(({ values: [said = ''] }, i) => ({ question: questionIn(texts[i] ?? ''), said }));
}

const only = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined);
const tableOf = ({ tables }: Drawn): Table => tables[0] ?? { columns: [], rows: [] };

/** Checks what can be read without doubt, and that this is most of what was asked. */
function check(
  kind: 'lookup' | 'reverse' | 'counting' | 'extremes',
  read: (question: string, table: Table) => string | undefined,
) {
  let [total, sure] = [0, 0];
  for (const seed of seeds(60)) {
    const drawn = draw(kind, seed, 0.8);
    for (const { question, said } of asked(drawn)) {
      total++;
      const right = read(question, tableOf(drawn));
      if (right === undefined) continue;
      sure++;
      expect(said, `${question}\n${JSON.stringify(tableOf(drawn))}`).toBe(right);
    }
  }
  expect(sure / total).toBeGreaterThan(0.5);
}

describe('the answer', () => {
  it('of lookup is the cell in the row of the name and the column of the word', () => {
    check('lookup', (question, { columns, rows }) => {
      const row = only(
        rows.filter(([key = '']) =>
          named(
            question,
            rows.map(([each = '']) => each),
          ).includes(key),
        ),
      );
      const column = only(named(question, columns.slice(1)));
      return column === undefined ? undefined : row?.[columns.indexOf(column)];
    });
  });

  it('of reverse is the name whose row has the value', () => {
    check('reverse', (question, { columns, rows }) => {
      const column = columns.indexOf(only(named(question, columns.slice(1))) ?? '');
      const value = only(named(question, rows.map((row) => row[column] ?? '').filter(Boolean)));
      if (column < 0 || value === undefined) return undefined;
      return only(rows.filter((row) => row[column] === value))?.[0];
    });
  });

  it('of counting is how many rows have the value', () => {
    check('counting', (question, { columns, rows }) => {
      const column = columns.indexOf(only(named(question, columns.slice(1))) ?? '');
      const value = only(named(question, [...new Set(rows.map((row) => row[column] ?? ''))].filter(Boolean)));
      if (column < 0 || value === undefined) return undefined;
      return String(rows.filter((row) => row[column] === value).length);
    });
  });

  it('of extremes is the name with the largest or the smallest number of the last column', () => {
    const [most, least] = [/largest|highest|greatest/, /smallest|lowest|least/];
    check('extremes', (question, { rows }) => {
      if (most.test(question) === least.test(question)) return undefined;
      const numbers = rows.map((row) => Number(row.at(-1)));
      expect(numbers.every(Number.isInteger)).toBe(true);
      return rows[numbers.indexOf(most.test(question) ? Math.max(...numbers) : Math.min(...numbers))]?.[0];
    });
  });
});

describe('what the tables of questions hold', () => {
  it.each(['lookup', 'reverse'] as const)('%s: no value twice in a column, so that it points to one row', (kind) => {
    for (const seed of seeds(30)) {
      const { columns, rows } = tableOf(draw(kind, seed, 1));
      for (const column of columns.keys()) expect(new Set(rows.map((row) => row[column])).size).toBe(rows.length);
    }
  });

  it('extremes: no number twice, so that one is the largest', () => {
    for (const seed of seeds(30)) {
      const { rows } = tableOf(draw('extremes', seed, 1));
      expect(new Set(rows.map((row) => row.at(-1))).size).toBe(rows.length);
    }
  });

  it('counting: values come again, so that counting is needed', () => {
    const repeated = seeds(30).filter((seed) => {
      const { rows } = tableOf(draw('counting', seed, 1));
      return new Set(rows.map((row) => row[1])).size < rows.length;
    });
    expect(repeated.length).toBeGreaterThan(20);
  });

  it.each([
    ['lookup', 16, 4, 8],
    ['reverse', 12, 4, 8],
    ['counting', 8, 4, 8],
    ['extremes', 6, 2, 8],
  ] as const)(
    '%s grows to %d rows, %d columns after the key and %d questions, and begins with one question',
    (kind, rows, width, questions) => {
      const sizes = (level: number) =>
        seeds(100).map((seed) => {
          const drawn = draw(kind, seed, level);
          const table = tableOf(drawn);
          return [table.rows.length, table.columns.length - 1, solve(drawn.world).calls.length] as const;
        });
      const most = (drawn: readonly (readonly number[])[]): number[] =>
        [0, 1, 2].map((i) => Math.max(...drawn.map((size) => size[i] ?? NaN)));
      expect(most(sizes(1))).toEqual([rows, width, questions]);
      const [easyRows, , easyQuestions] = most(sizes(0));
      expect(easyRows).toBeLessThanOrEqual(2);
      expect(easyQuestions).toBe(1);
    },
  );
});

describe('a wrong answer', () => {
  it.each(['lookup', 'reverse', 'counting', 'extremes'] as const)(
    'to %s is told so and ends the play; a right one goes on',
    (kind) => {
      for (const seed of seeds(20)) {
        const { answers } = solve(draw(kind, seed, 1).world);
        expect(answers.at(-1)?.text).toMatch(/^(Correct\.|Right\.|Yes, all done\.)$/);
        expect(draw(kind, seed, 1).world.answer({ id: 'answer', values: [NONSENSE] })).toEqual({
          text: expect.stringMatching(/^(Wrong\.|No\.|That is not it\.)$/) as string,
          solved: false,
        });
      }
    },
  );

  it('is one that is right up to upper case or a blank: answers are compared as written', () => {
    for (const seed of seeds(20)) {
      const right = draw('lookup', seed).world.next()?.values[0] ?? '';
      for (const near of [
        `${right} `,
        ` ${right}`,
        `${right}.`,
        right === right.toUpperCase() ? right.toLowerCase() : right.toUpperCase(),
      ])
        if (near !== right) expect(draw('lookup', seed).world.answer({ id: 'answer', values: [near] }).solved).toBe(false);
    }
  });
});
