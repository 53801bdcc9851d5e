/** Rules that are read and applied: the right deed follows from the table and what comes, worked out here from both. */
import { describe, expect, it } from 'vitest';
import { draw, NONSENSE, seeds, solve, type Drawn } from '../drawn.fixture.ts';

/** What the world showed before each call of its expert. */
function shown({ world }: Drawn): { text: string; said: readonly string[] }[] {
  const opening = world.opening.split('\n\n').at(-1) ?? '';
  const { calls, answers } = solve(world);
  return calls.map(({ values }, i) => ({ text: i === 0 ? opening : (answers[i - 1]?.text ?? ''), said: values }));
}

describe('conditions', () => {
  it('the value of the property decides, by the table', () => {
    let sure = 0;
    for (const seed of seeds(40)) {
      const drawn = draw('conditions', seed, 0.6);
      const { columns = [], rows = [] } = drawn.tables[0] ?? {};
      for (const { text, said } of shown(drawn)) {
        const fits = rows.filter(([value = '']) =>
          new RegExp(`${columns[0] ?? ''} ${value.replace('.', '\\.')}(,|\\.|\\)|$)`).test(text),
        );
        if (fits.length !== 1) continue;
        sure++;
        expect(said.at(-1), text).toBe(fits[0]?.[1]);
        if (said.length === 2) expect(text).toContain(said[0]);
      }
    }
    expect(sure).toBeGreaterThan(60);
  });

  it('the right side for another thing is wrong', () => {
    let tried = 0;
    for (const seed of seeds(30)) {
      const { world, tables } = draw('conditions', seed, 1);
      const due = world.next();
      const other = tables[0]?.rows.map(([, target = '']) => target).find((target) => target !== due?.values.at(-1));
      if (!due || other === undefined) continue;
      tried++;
      const { text, solved } = world.answer({ id: due.id, values: [...due.values.slice(0, -1), other] });
      expect([text, solved]).toEqual([expect.stringMatching(/^(Wrong|That was not right)\.$/), false]);
    }
    expect(tried).toBeGreaterThan(10);
  });

  it('a second property distracts in hard worlds, never at level 0', () => {
    const distracted = (level: number): number =>
      seeds(60).filter((seed) => {
        const [first] = shown(draw('conditions', seed, level));
        return /, \w+ /.test(first?.text ?? '');
      }).length;
    expect(distracted(0)).toBe(0);
    expect(distracted(1)).toBeGreaterThan(10);
  });
});

describe('ordering', () => {
  it('goes by the numbers of the table, up or down as the story says', () => {
    const ways = { up: 0, down: 0 };
    for (const seed of seeds(40)) {
      const { world, tables } = draw('ordering', seed, 1);
      const numbers = new Map(tables[0]?.rows.map(([name = '', number]) => [name, Number(number)]));
      const up = /^Lowest|small to large\.$/.test(world.story);
      expect(up).not.toBe(/^Highest|^From the largest/.test(world.story));
      ways[up ? 'up' : 'down']++;
      const order = [...numbers].sort(([, a], [, b]) => (up ? a - b : b - a)).map(([name]) => name);
      expect(solve(world).calls.map(({ values: [name] }) => name)).toEqual(order);
      expect(new Set(numbers.values()).size).toBe(numbers.size);
    }
    expect(Math.min(ways.up, ways.down)).toBeGreaterThan(5);
  });

  it('the last instead of the first ends the play', () => {
    for (const seed of seeds(12)) {
      const last = solve(draw('ordering', seed, 1).world).calls.at(-1);
      const { text, solved } = draw('ordering', seed, 1).world.answer(last ?? { id: 'visit', values: [] });
      expect([text, solved]).toEqual([expect.stringMatching(/^(Out of order|Not that one)\.$/), false]);
    }
  });

  it('has two names at level 0, up to six at level 1', () => {
    const most = (level: number): number =>
      Math.max(...seeds(60).map((seed) => draw('ordering', seed, level).tables[0]?.rows.length ?? NaN));
    expect([most(0), most(1)]).toEqual([2, 6]);
  });
});

describe('translate', () => {
  const copying = (seed: number): boolean => /^(Repeat|Say the same)/.test(draw('translate', seed, 1).world.story);

  it('says the message in the code of the book, word by word or whole', () => {
    const ways = { stepwise: 0, whole: 0 };
    for (const seed of seeds(60).filter((each) => !copying(each))) {
      const { world, tables } = draw('translate', seed, 1);
      const book = new Map(tables[0]?.rows.map(([word = '', code = '']) => [word, code]));
      const message = /(?:Message|Text|Translate): (.+)$/.exec(world.opening)?.[1]?.split(' ') ?? [];
      const coded = message.map((word) => book.get(word) ?? NONSENSE);
      const stepwise = world.tools[0]?.about === 'says one word';
      ways[stepwise ? 'stepwise' : 'whole']++;
      expect(solve(world).calls.map(({ values: [said] }) => said)).toEqual(stepwise ? coded : [coded.join(' ')]);
    }
    expect(Math.min(ways.stepwise, ways.whole)).toBeGreaterThan(5);
  });

  it('a message to repeat comes without a book, and is said as it is', () => {
    const copies = seeds(60).filter(copying);
    expect(copies.length).toBeGreaterThan(5);
    for (const seed of copies) {
      const { world } = draw('translate', seed, 1);
      const [, message] = /^Message: (.+)$/.exec(world.opening) ?? [];
      expect(
        solve(world)
          .calls.flatMap(({ values }) => values)
          .join(' '),
      ).toBe(message);
    }
  });

  it('the plain word instead of its code is wrong', () => {
    for (const seed of seeds(30).filter((each) => !copying(each))) {
      const { world, tables } = draw('translate', seed, 1);
      const due = world.next()?.values[0] ?? '';
      const plain = due.split(' ').map((code) => tables[0]?.rows.find(([, each]) => each === code)?.[0] ?? '');
      if (plain.join(' ') === due) continue;
      expect(world.answer({ id: 'answer', values: [plain.join(' ')] })).toEqual({ text: 'Wrong.', solved: false });
    }
  });
});

describe('limits', () => {
  const ruleOf = (story: string): { limit: number; high: string; low: string } => {
    const [, a, b, c] =
      /is more than (\d+) it is (.+), else (.+)\.$/.exec(story) ??
      /^Up to (\d+) choose .+, over \d+ choose (.+)\.$/.exec(story) ??
      [];
    if (a !== undefined && b !== undefined) {
      const low = c ?? /^Up to \d+ choose (.+), over/.exec(story)?.[1] ?? '';
      return { limit: Number(a), high: b, low };
    }
    const [, high = '', limit, low = ''] = /^(.+) for a \w+ above (\d+)\. Everything else goes to (.+)\.$/.exec(story) ?? [];
    return { limit: Number(limit), high, low };
  };

  it('above the limit goes to one side, up to it to the other, on every turn', () => {
    const met = { high: 0, low: 0 };
    for (const seed of seeds(40)) {
      const drawn = draw('limits', seed, 1);
      const { limit, high, low } = ruleOf(drawn.world.story);
      expect(limit, drawn.world.story).toBeGreaterThan(0);
      for (const { text, said } of shown(drawn)) {
        const number = Number(/(\d+)\.?$/.exec(text)?.[1]);
        met[number > limit ? 'high' : 'low']++;
        expect(said).toEqual([number > limit ? high : low]);
      }
    }
    expect(Math.min(met.high, met.low)).toBeGreaterThan(20);
  });

  it('the limit lies between a fifth and four fifths of ten, a hundred or a thousand, so that both sides come', () => {
    for (const seed of seeds(60)) {
      const { limit } = ruleOf(draw('limits', seed, 1).world.story);
      const least = limit < 10 ? 2 : limit < 100 ? 20 : 200;
      expect(limit).toBeGreaterThanOrEqual(least);
      expect(limit).toBeLessThan(4 * least);
    }
  });

  it('the other side is wrong and ends the play', () => {
    for (const seed of seeds(20)) {
      const { world } = draw('limits', seed, 1);
      const { high, low } = ruleOf(world.story);
      const right = world.next()?.values[0];
      expect(world.answer({ id: 'press', values: [right === high ? low : high] })).toEqual({ text: 'Wrong.', solved: false });
    }
  });
});
