/** What mixing gives: each reaction, by its ingredients in any order, and nothing for anything else. */
import { describe, expect, it } from 'vitest';
import { food, type FoodKind } from '../substances/food.ts';
import { paint, type PaintKind } from '../substances/paint.ts';
import { Substance, type SubstanceKind } from '../substances/substance.ts';
import { Container } from '../things/containers.ts';
import { Paper } from '../things/documents.ts';
import type { Thing } from '../things/thing.ts';
import { World } from '../things/world.ts';
import { mix } from './chemistry.ts';
import { LAWS } from './laws.ts';
import { settleState } from './states.ts';

type Make = (world: World<Thing>) => Thing;
const of =
  (kind: SubstanceKind): Make =>
  (world) =>
    new Substance(world, kind);
const eat =
  (kind: FoodKind): Make =>
  (world) =>
    food(world, kind);
const colour =
  (kind: PaintKind): Make =>
  (world) =>
    paint(world, kind);

/** Mixes things in a bowl at room temperature and says what is then in it. */
function mixed(...makes: readonly Make[]): { readonly text: string; readonly left: readonly string[] } {
  const world = new World(LAWS);
  const bowl = new Container(world, 'Bowl', 'bowl', ['bowl']);
  for (const make of makes) {
    const thing = make(world);
    settleState(thing);
    bowl.add(thing);
  }
  const text = mix(bowl);
  return { text, left: bowl.contents.filter((thing) => !thing.hidden).map(({ name }) => name) };
}

const reactions: readonly (readonly [name: string, makes: readonly Make[], gives: string])[] = [
  ['water and salt', [of('Water'), of('SodiumChloride')], 'salt water'],
  ['water and soap', [of('Water'), of('Soap')], 'soapy water'],
  ['water and sugar', [of('Water'), of('Sugar')], 'sugar water'],
  ['water and flour', [of('Water'), eat('Flour')], 'dough'],
  ['water and an iron block', [of('Water'), of('IronBlock')], 'rust'],
  ['sodium bicarbonate and acetic acid', [of('SodiumBicarbonate'), of('AceticAcid')], 'sodium acetate'],
  ['chocolate and marshmallow', [eat('Chocolate'), eat('Marshmallow')], 'smores'],
  ['bread and peanut', [eat('Bread'), eat('Peanut')], 'peanut butter sandwich'],
  ['bread and jam', [eat('Bread'), eat('Jam')], 'jam sandwich'],
  ['bread and banana', [eat('Bread'), eat('Banana')], 'banana sandwich'],
  ['bread, peanut and jam', [eat('Bread'), eat('Peanut'), eat('Jam')], 'peanut butter with jam sandwich'],
  ['bread, peanut and banana', [eat('Bread'), eat('Peanut'), eat('Banana')], 'peanut butter with banana sandwich'],
  ['three nuts', [eat('Peanut'), eat('Almond'), eat('Cashew')], 'mixed nuts'],
  ['three fruits', [eat('Apple'), eat('Orange'), eat('Banana')], 'fruit salad'],
  ['red and blue', [colour('RedPaint'), colour('BluePaint')], 'violet paint'],
  ['blue and yellow', [colour('BluePaint'), colour('YellowPaint')], 'green paint'],
  ['yellow and red', [colour('YellowPaint'), colour('RedPaint')], 'orange paint'],
  ['yellow and orange', [colour('YellowPaint'), colour('OrangePaint')], 'yellow-orange paint'],
  ['orange and red', [colour('OrangePaint'), colour('RedPaint')], 'red-orange paint'],
  ['red and violet', [colour('RedPaint'), colour('VioletPaint')], 'violet-red paint'],
  ['violet and blue', [colour('VioletPaint'), colour('BluePaint')], 'blue-violet paint'],
  ['blue and green', [colour('BluePaint'), colour('GreenPaint')], 'green-blue paint'],
  ['green and yellow', [colour('GreenPaint'), colour('YellowPaint')], 'yellow-green paint'],
  ['red and green', [colour('RedPaint'), colour('GreenPaint')], 'brown paint'],
  ['three paints', [colour('RedPaint'), colour('BluePaint'), colour('YellowPaint')], 'brown paint'],
];

describe('mixing', () => {
  it.each(reactions)('%s', (_, makes, gives) => {
    const { text, left } = mixed(...makes);
    expect(left).toEqual([gives]);
    expect(text).toMatch(/mix to produce/);
    expect(mixed(...[...makes].reverse()).left).toEqual([gives]);
  });

  it('paper takes the colour of the paint', () => {
    for (const [kind, name] of [
      ['RedPaint', 'red'],
      ['BluePaint', 'blue'],
      ['VioletPaint', 'violet'],
    ] as const) {
      const { left, text } = mixed((world) => new Paper(world), colour(kind));
      expect(left).toHaveLength(1);
      expect(text).toContain(`${name} paper`);
    }
  });

  it('needs two things', () => {
    expect(mixed()).toEqual({ text: 'That container is empty, so there are no items to mix.', left: [] });
    expect(mixed(of('Water'))).toEqual({ text: 'There is only one thing (water)', left: ['water'] });
  });

  it('gives nothing new for anything else, and leaves it as it was', () => {
    for (const makes of [
      [of('Water'), of('Lead')],
      [eat('Apple'), eat('Jam')],
      [of('Water'), of('SodiumChloride'), of('Soap')],
    ]) {
      const { text, left } = mixed(...makes);
      expect(text).toBe('Mixing the contents of the bowl does not appear to produce anything new.');
      expect(left).toHaveLength(makes.length);
    }
  });

  it('wants water as a liquid: ice and salt stay ice and salt', () => {
    const frozen: Make = (world) => {
      const water = new Substance(world, 'Water');
      water.material.temperature = -20;
      return water;
    };
    expect(mixed(frozen, of('SodiumChloride')).left).toEqual(['ice', 'sodium chloride']);
  });
});
