/** Lots that several tasks share: answer boxes, parts to power, and flower pots. */
import { AnswerBox, cup, FlowerPot } from '../things/containers.ts';
import { electricBuzzer, electricMotor, lightBulb } from '../things/electrical.ts';
import { Soil } from '../things/outdoors.ts';
import type { Thing, World } from '../things/thing.ts';
import type { Change } from './changes.ts';
import { place } from './changes.ts';
import type { Lot } from './definition.ts';

export const BOX_COLORS = ['red', 'green', 'blue', 'orange', 'yellow', 'purple'] as const;

/** Pairs of boxes with neighbouring colours, one for either answer. */
export function boxPairs<V>(
  world: World,
  room: string,
  colors: readonly string[],
  values: (first: string, second: string) => Partial<V>,
): readonly Lot<V>[] {
  return colors.slice(0, -1).map((color, i) => {
    const first = new AnswerBox(world, color);
    const second = new AnswerBox(world, colors[i + 1] ?? '');
    return { changes: [place(first, room), place(second, room)], values: values(first.name, second.name) };
  });
}

/** Light bulbs in three colours, a motor and a buzzer. */
export function partsToPower(world: World): readonly Thing[] {
  const bulbs = ['red', 'green', 'blue'].map((color) => lightBulb(world, color));
  return [...bulbs, electricMotor(world), electricBuzzer(world)];
}

export function flowerPot(world: World, number: number, withSoil: boolean): FlowerPot {
  const pot = new FlowerPot(world);
  pot.name = `flower pot ${number}`;
  if (withSoil) pot.add(new Soil(world));
  return pot;
}

/** Six of nine pots with soil, drawn at random, five times over. */
export function potSets(world: World, room: string): readonly Lot<{ pots: readonly string[] }>[] {
  return Array.from({ length: 5 }, () => {
    const pots = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => flowerPot(world, number, true));
    const drawn = world.random.shuffle(pots).slice(0, 6);
    return { changes: drawn.map((pot): Change => place(pot, room)), values: { pots: drawn.map((pot) => pot.name) } };
  });
}

export function seedJar(world: World): Thing {
  const jar = cup(world, 'CeramicCup');
  jar.name = 'seed jar';
  return jar;
}
