/** Compare two inclined planes: which has more friction, which is steeper. */
import { at } from '../../../core/at.ts';
import { JavaRandom } from '../../../core/random/java.ts';
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { Goal } from '../goals/goal.ts';
import type { MaterialKind } from '../substances/materials.ts';
import { MATERIALS } from '../substances/materials.ts';
import { Substance } from '../substances/substance.ts';
import { InclinedPlane } from '../things/inclined-plane.ts';
import { StopWatch } from '../things/tools.ts';
import type { World } from '../things/thing.ts';
import { place } from './changes.ts';
import type { Choice, Lot, TaskDefinition } from './definition.ts';
import { combinations, defineTask } from './definition.ts';

interface Values {
  readonly first: InclinedPlane;
  readonly second: InclinedPlane;
  readonly block: string;
  readonly watch: string;
}

const PLACE = 'workshop';
const BLOCKS = ['WoodBlock', 'SteelBlock', 'Brick'] as const;

/** A plane of a set: how it is made, and the measure that tells it from others. */
interface PlaneRow {
  readonly make: (world: World) => InclinedPlane;
  readonly measure: number;
}

/** Two sets of the same planes, blocks to slide, and a stopwatch. */
function planeLots(
  world: World,
  rows: readonly PlaneRow[],
  order: <T>(items: readonly T[]) => readonly T[],
): readonly (readonly Lot<Values>[])[] {
  const set = (key: 'first' | 'second'): readonly Lot<Values>[] => {
    const planes = rows.map(({ make }) => make(world));
    return order(planes).map((plane) => ({
      changes: [place(plane, PLACE, { force: true })],
      values: { [key]: plane },
    }));
  };
  const first = set('first');
  const second = set('second');
  const blocks = BLOCKS.map((kind): Lot<Values> => {
    const block = new Substance(world, kind);
    return { changes: [place(block, PLACE, { force: true })], values: { block: block.name } };
  });
  const watch = new StopWatch(world);
  return [first, second, blocks, [{ changes: [place(watch, PLACE)], values: { watch: watch.name } }]];
}

/** Pairs of planes that differ enough to be told apart. */
function planeChoices(measures: readonly number[], threshold: number): readonly Choice[] {
  const measure = (plane: number | undefined): number => at(measures, plane ?? -1);
  return combinations(measures.length, measures.length, BLOCKS.length, 1).filter(
    ([first, second]) => Math.abs(measure(first) - measure(second)) > threshold,
  );
}

function experiment({ first, second, block, watch }: Values, numbered: boolean): readonly Goal[] {
  const trial = (plane: InclinedPlane, n: number): readonly Goal[] => {
    const which = numbered ? ` (plane ${n})` : '';
    return [
      around.holds(plane.title(), block, `move block to plane ${n}`, { key: `b${n}` }),
      around.isOn(watch, `activate time keeping device${which}`, { key: `aTime${n}`, after: [`b${n}`] }),
      around.isOff(watch, `deactivate time keeping device${which}`, { key: `dTime${n}`, after: [`aTime${n}`] }),
      around.examine(watch, `read time keeping device${which}`, { key: `readTime${n}`, after: [`dTime${n}`] }),
    ];
  };
  return [
    around.moveOn('move to a new location (unless starting in task location)', PLACE),
    around.moveTo(PLACE, 'move to the location asked by the task'),
    ...trial(first, 1),
    ...trial(second, 2),
  ];
}

function text(names: readonly string[], which: string, what: string): string {
  return `Your task is to determine which of the two inclined planes (${names.join(', ')}) has the ${which} ${what}. After completing your experiment, focus on the inclined plane with the ${which} ${what}.`;
}

const NAMED: readonly MaterialKind[] = [
  ...(['aluminum', 'brass', 'bronze', 'caesium', 'copper', 'iron', 'lead', 'platinum', 'steel', 'tin'] as const),
  ...(['titanium', 'zinc', 'glass', 'plastic', 'ceramic', 'wood', 'paper', 'sandpaper', 'cottonCloth'] as const),
  ...(['rubber', 'chocolate', 'soapyWater', 'greenPaint'] as const),
];
const UNNAMED: readonly MaterialKind[] = [
  ...(['unknownFrictionB', 'unknownFrictionC', 'unknownFrictionD', 'unknownFrictionE'] as const),
  ...(['unknownFrictionF', 'unknownFrictionG', 'unknownFrictionH', 'unknownFrictionJ'] as const),
];

function frictionTask(name: string, surfaces: readonly MaterialKind[], seed: number, numbered: boolean): TaskDefinition {
  const rows = surfaces.map((surface) => ({
    make: (world: World) => new InclinedPlane(world, 45, surface),
    measure: MATERIALS[surface].friction,
  }));
  const order = <T>(items: readonly T[]): readonly T[] => new JavaRandom(seed).shuffle(items);
  return defineTask<Values>({
    name,
    choices: () =>
      planeChoices(
        order(rows).map((row) => row.measure),
        0.05,
      ),
    lots: (world) => planeLots(world, rows, order),
    brief(values, variation, world) {
      const planes = [values.first.surface, values.second.surface];
      const [least, most] = planes.sort((a, b) => a.friction - b.friction).map((surface) => surface.substance);
      const wanted = variation % 2 === 0 ? 'most' : 'least';
      const answer = wanted === 'most' ? most : least;
      return {
        ordered: [
          focused.findPlane((plane) => plane.surface.substance === answer, {
            defocus: true,
            description: 'focus on correct inclined plane',
          }),
        ],
        optional: experiment(values, numbered),
        description: text(world.random.shuffle([least ?? '', most ?? '']), wanted, 'friction'),
      };
    },
  });
}

const ANGLES: readonly (readonly [number, string])[] = [
  [70, 'B'],
  [80, 'C'],
  [20, 'D'],
  [10, 'E'],
  [60, 'F'],
  [40, 'G'],
  [30, 'H'],
  [50, 'J'],
];

const angleRows: readonly PlaneRow[] = ANGLES.map(([angle, label]) => ({
  make: (world) => new InclinedPlane(world, angle, 'defaultFriction', label),
  measure: angle,
}));

const angleTask = defineTask<Values>({
  name: 'inclined-plane-determine-angle',
  choices: () =>
    planeChoices(
      angleRows.map((row) => row.measure),
      5,
    ),
  lots: (world) => planeLots(world, angleRows, (items) => items),
  brief(values, variation, world) {
    const planes = [values.first, values.second].sort((a, b) => a.angle - b.angle);
    const [shallowest, steepest] = planes.map((plane) => plane.label);
    const wanted = variation % 2 === 0 ? 'shallowest' : 'steepest';
    const answer = wanted === 'steepest' ? steepest : shallowest;
    return {
      ordered: [focused.findPlane((plane) => plane.label === answer, { defocus: true })],
      optional: experiment(values, false),
      description: text(world.random.shuffle([steepest ?? '', shallowest ?? '']), wanted, 'angle'),
    };
  },
});

export const forceTasks: readonly TaskDefinition[] = [
  frictionTask('inclined-plane-friction-named-surfaces', NAMED, 3, true),
  frictionTask('inclined-plane-friction-unnamed-surfaces', UNNAMED, 4, false),
  angleTask,
];
