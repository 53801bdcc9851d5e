/** AgentGym's numbers of ScienceWorld's tasks, and the words and rules of the house that can be checked alone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BY_ITEM, CATALOGUE } from './catalogue.ts';
import { readSimplifications, simplificationsFor } from './simplifications.ts';
import { SPLIT_NAMES, variationsIn } from './splits.ts';
import { byText, collapse, decimal, rounded, trim, withoutArticles } from './language/java-strings.ts';

describe('AgentGym’s items', () => {
  it.each([
    ['boil', 0, 29],
    ['melt', 30, 59],
    ['freeze', 60, 89],
    ['change-the-state-of-matter-of', 90, 119],
    ['use-thermometer', 120, 659],
    ['measure-melting-point-known-substance', 660, 1095],
    ['measure-melting-point-unknown-substance', 1096, 1395],
    ['power-component', 1396, 1415],
    ['power-component-renewable-vs-nonrenewable-energy', 1416, 1435],
    ['test-conductivity', 1436, 2335],
    ['test-conductivity-of-unknown-substances', 2336, 2935],
    ['find-living-thing', 2936, 3235],
    ['find-non-living-thing', 3236, 3535],
    ['find-plant', 3536, 3835],
    ['find-animal', 3836, 4135],
    ['chemistry-mix', 4136, 4167],
    ['chemistry-mix-paint-secondary-color', 4168, 4203],
    ['chemistry-mix-paint-tertiary-color', 4204, 4239],
    ['lifespan-longest-lived', 4240, 4364],
    ['lifespan-shortest-lived', 4365, 4489],
    ['lifespan-longest-lived-then-shortest-lived', 4490, 4614],
    ['identify-life-stages-1', 4615, 4628],
    ['identify-life-stages-2', 4629, 4638],
  ])('%s has %d to %d, in the order of its variations', (name, first, last) => {
    for (const item of [first, last, Math.floor((first + last) / 2)]) {
      expect(BY_ITEM[item]?.task.name).toBe(name);
      expect(BY_ITEM[item]?.number).toBe(item - first);
    }
  });
});

describe('splits', () => {
  it('of the original are the first half, the next quarter and the rest of each task', () => {
    for (const { name, size } of CATALOGUE) {
      const numbers = (split: string): number[] =>
        (variationsIn(split) ?? []).filter(({ task }) => task.name === name).map(({ number }) => number);
      const [train, dev, test] = [numbers('original-train'), numbers('original-dev'), numbers('original-test')];
      expect([...train, ...dev, ...test]).toEqual(Array.from({ length: size }, (_, number) => number));
      expect(train.length).toBe(2 * dev.length);
      expect(test.length - dev.length).toBeLessThan(4);
    }
  });
  it('name variations that there are, each once', () => {
    for (const split of SPLIT_NAMES) {
      const all = (variationsIn(split) ?? []).map(({ task, number }) => `${task.name} ${number}`);
      expect(new Set(all).size, split).toBe(all.length);
      expect((variationsIn(split) ?? []).filter(({ task, number }) => number < 0 || number >= task.size)).toEqual([]);
    }
  });
  // The originals' own lists: AgentGym evaluates on 61 variations that it trains on, ETO validates on 54.
  it.each([
    ['train', 'test', 61],
    ['eto-train', 'eto-test', 0],
    ['eto-train', 'eto-dev', 54],
  ])('%s and %s have %d in common', (train, test, common) => {
    const seen = new Set((variationsIn(train) ?? []).map(({ task, number }) => `${task.name} ${number}`));
    expect((variationsIn(test) ?? []).filter(({ task, number }) => seen.has(`${task.name} ${number}`))).toHaveLength(common);
  });
  it('of other names are none', () => {
    for (const name of ['constructor', 'toString', '__proto__', '', 'Train']) expect(variationsIn(name)).toBeUndefined();
  });
});

describe('simplifications', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['easy', ['easy']],
    ['TELEPORTACTION, opendoors', ['teleportAction', 'openDoors']],
  ])('%j', (text, names) => expect(readSimplifications(text)).toEqual(names));
  it.each(['open', 'easy,', ',', 'easy;openDoors'])('%j is refused', (text) => {
    expect(() => readSimplifications(text)).toThrow(/choose from teleportAction/);
  });
  it('easy keeps the wires where the task is about them', () => {
    expect([...simplificationsFor('boil', ['easy'])]).toEqual([
      'teleportAction',
      'openDoors',
      'selfWateringFlowerPots',
      'noElectricalAction',
    ]);
    for (const task of ['power-component', 'test-conductivity-of-unknown-substances'])
      expect([...simplificationsFor(task, ['easy', 'openDoors'])]).toEqual([
        'teleportAction',
        'openDoors',
        'selfWateringFlowerPots',
      ]);
  });
});

describe('Java’s words', () => {
  it.each([
    ['the red door', 'red door'],
    ['a  an the', ''],
    ['theatre and anchor', 'theatre and anchor'],
    ['move the\tcup  to a table', 'move cup to table'],
    [' x ', 'x'],
    ['a-b', 'a-b'],
    ['the', ''],
    ['x\u00a0y', 'x\u00a0y'],
  ])('%j without articles is %j', (text, plain) => expect(withoutArticles(text)).toBe(plain));
  it('the short way gives what the long way gives', () => {
    const part = fc.constantFrom('a', 'an', 'the', ' ', '  ', '\t', 'cup', '-', 'Ä', '\u0001');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        const words = collapse(trim(text)).split(' ');
        expect(withoutArticles(text)).toBe(words.filter((word) => !['a', 'an', 'the'].includes(word)).join(' '));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
  it.each([
    [0.5, '1'],
    [2.5, '3'],
    [-0.4, '-0'],
    [-0, '-0'],
    [99.99, '100'],
    [-1.5, '-2'],
  ])('%d is rounded to %s', (value, text) => expect(rounded(value)).toBe(text));
  it('trim takes what is not above a space, collapse what Java’s \\s is', () => {
    expect(trim('\u0001\t x \u0000')).toBe('x');
    expect(trim('\u00a0x\u00a0')).toBe('\u00a0x\u00a0');
    expect(collapse('a \n\t b\u00a0c')).toBe('a b\u00a0c');
    expect([decimal(5), decimal(-3), decimal(0.5)]).toEqual(['5.0', '-3.0', '0.5']);
    expect(['b', 'B', 'a', 'é'].sort(byText)).toEqual(['B', 'a', 'b', 'é']);
  });
});
