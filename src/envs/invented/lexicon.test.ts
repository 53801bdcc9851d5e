/** Words of invented worlds: each belongs to one side by its letters, names of a world are different, styles look as they should. */
import { describe, expect, it } from 'vitest';
import { Random } from '../../core/random/random.ts';
import { seeds } from './drawn.fixture.ts';
import { Lexicon, sideOf, type Side, type Style } from './lexicon.ts';

const sides: readonly Side[] = ['train', 'validation'];
const lexicon = (side: Side, seed = 0): Lexicon => new Lexicon(Random.of(seed, 'lexicon'), side);

describe('sides', () => {
  it('about one word in six is held out', () => {
    const words = seeds(6000).map((number) => `word${number}`);
    const held = words.filter((word) => sideOf(word) === 'validation').length / words.length;
    expect(held).toBeGreaterThan(0.14);
    expect(held).toBeLessThan(0.19);
  });

  it.each(sides)('every part of a name of %s is a word of that side', (side) => {
    for (const seed of seeds(30))
      for (const style of ['made', 'thing', 'pair', 'path'] as const)
        for (const name of lexicon(side, seed).names(6, style))
          for (const word of name.split(/[ /._-]/)) expect(sideOf(word), `${style}: ${name}`).toBe(side);
  });

  it.each(sides)('codes of %s are its own as a whole', (side) => {
    for (const seed of seeds(30)) for (const code of lexicon(side, seed).names(6, 'code')) expect(sideOf(code), code).toBe(side);
  });

  it('a word is chosen from those of the own side; where there is none, one is made up', () => {
    const words = ['lamp', 'chair', 'table', 'desk', 'shelf', 'box', 'crate', 'barrel', 'basket', 'bag', 'sack', 'bottle'];
    for (const side of sides) {
      const ours = words.filter((word) => sideOf(word) === side);
      const others = words.filter((word) => sideOf(word) !== side);
      expect(ours.length, `the list has words of ${side}`).toBeGreaterThan(0);
      for (const seed of seeds(40)) {
        expect(ours).toContain(lexicon(side, seed).frame(words));
        const made = lexicon(side, seed).frame(others);
        expect(words).not.toContain(made);
        expect(sideOf(made)).toBe(side);
      }
    }
  });
});

describe('names', () => {
  it.each<[Style, RegExp]>([
    ['made', /^[a-z]{3,}$/],
    ['thing', /^[a-z]+$/],
    ['pair', /^[a-z]+ [a-z]+$/],
    ['code', /^[A-Z]{1,2}-?\d{1,3}[A-Z]?$/],
    ['number', /^[1-9]\d{1,3}$/],
    ['numbered', /^[a-z]+ ([1-9]|[1-5]\d|60)$/],
    ['path', /^[a-z]+[-/_.][a-z]+$/],
    ['title', /^[A-Z][a-z]+ [A-Z][a-z]+$/],
  ])('of style %s look like %s', (style, shape) => {
    for (const side of sides)
      for (const seed of seeds(20)) for (const name of lexicon(side, seed).names(8, style)) expect(name).toMatch(shape);
  });

  it('are different within a world, and as many as were asked for', () => {
    for (const seed of seeds(60)) {
      const names = lexicon('train', seed).names(17);
      expect(new Set(names).size).toBe(17);
    }
  });

  it('of one numbered style share their word: they are told apart by the number', () => {
    for (const seed of seeds(10))
      expect(
        new Set(
          lexicon('train', seed)
            .names(9, 'numbered')
            .map((name) => name.split(' ')[0]),
        ).size,
      ).toBe(1);
  });

  it('of two words share words: a pair is read to its end or confused', () => {
    const shared = seeds(20).filter((seed) => {
      const heads = lexicon('train', seed)
        .names(12, 'pair')
        .map((name) => name.split(' ')[0]);
      return new Set(heads).size < heads.length;
    });
    expect(shared.length).toBe(20);
  });

  it('never run out: more are asked for than a style has', () => {
    const names = lexicon('train').names(80, 'numbered');
    expect(new Set(names).size).toBe(80);
    expect(names.filter((name) => /^[a-z]+ \d+$/.test(name)).length).toBeGreaterThan(50);
  });
});
