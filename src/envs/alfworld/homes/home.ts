/**
 * Homes without end: a room of a floor plan, things lying where such things lie, and a task of one of the six kinds, written as
 * PDDL like the official games and read by the same reader.
 */
import type { Random } from '../../../core/random/random.ts';
import type { GameText } from '../games.ts';
import { placesOf } from '../places.ts';
import type { Home, Receptacle, Thing } from './household.ts';
import { belongings, closing } from './kinds.ts';
import { problemText } from './problem-text.ts';
import { roomsOf, type RoomKind } from './rooms.ts';
import { chooseTask, type Task, type TaskKind } from './task.ts';

export type { Home, Receptacle, Thing };

/** Draws a home. Difficulty is 0 to 1: how much furniture and how many other things stand in the way. */
export function drawHome(random: Random, use: 'train' | 'test', kind: TaskKind, difficulty: number): Home | undefined {
  const roomKind = random.pick(rooms[kind]);
  const room = random.pick(roomsOf(roomKind, use));
  const standing = [...room.receptacles].flatMap(([name, count]) => Array.from({ length: count }, () => name));
  const task = chooseTask(random, kind, roomKind, standing);
  if (!task) return undefined;
  const chosen = furniture(random, standing, task, difficulty);
  const receptacles = placed(random, chosen);
  const things = spread(random, roomKind, receptacles, task, difficulty);
  return things && { plan: room.plan, receptacles, things, task };
}

/** The home as a game. */
export function gameOfHome(random: Random, home: Home, trial: string): GameText {
  const { task, plan } = home;
  return {
    split: 'generated',
    task: `${task.name}-${task.object}-None-${task.receptacle ?? task.lamp ?? ''}-${plan}`,
    trial,
    sentence: random.pick(task.sentences),
    problem: problemText(random, home),
    solvable: true,
  };
}

const rooms: Readonly<Record<TaskKind, readonly RoomKind[]>> = {
  pick: ['kitchen', 'living', 'bedroom', 'bathroom'],
  look: ['bedroom', 'bedroom', 'living'],
  clean: ['kitchen', 'kitchen', 'bathroom'],
  heat: ['kitchen'],
  cool: ['kitchen'],
  two: ['kitchen', 'living', 'bedroom', 'bathroom'],
};

/** What the task needs stays; of the rest the share that the difficulty asks for. */
function furniture(random: Random, standing: readonly string[], task: Task, difficulty: number): string[] {
  const needed = new Set([task.receptacle, task.appliance].filter((kind) => kind !== undefined));
  const homes = placesOf(task.object);
  const lamps = task.lamp === undefined ? undefined : placesOf(task.lamp);
  const rank = (kind: string): number => {
    if (needed.delete(kind)) return 0;
    if ((homes.get(kind) ?? 0) > 0 || (lamps?.get(kind) ?? 0) > 0) return 1;
    return 2;
  };
  const shuffled = random.shuffle(standing).map((kind) => ({ kind, rank: rank(kind) }));
  const ordered = difficulty < 1 ? shuffled.sort((a, b) => a.rank - b.rank) : shuffled;
  const least = Math.min(5, standing.length);
  return ordered.slice(0, Math.round(least + (standing.length - least) * difficulty)).map(({ kind }) => kind);
}

/** Gives each receptacle a standing place; one in six shares that of a neighbour of its kind. */
function placed(random: Random, kinds: readonly string[]): Receptacle[] {
  const last = new Map<string, number>();
  let places = 0;
  return kinds.map((kind) => {
    const neighbour = last.get(kind);
    const shares = neighbour !== undefined && random.float() < 0.16;
    const place = shares ? neighbour : ++places;
    last.set(kind, place);
    return { kind, place, closes: random.float() < (closing[kind] ?? 0) };
  });
}

/** Lays things down; undefined when the task's own things find no place. */
function spread(
  random: Random,
  room: RoomKind,
  receptacles: readonly Receptacle[],
  task: Task,
  difficulty: number,
): Thing[] | undefined {
  const things: Thing[] = [];
  const lay = (kind: string, not?: string): boolean => {
    const places = placesOf(kind);
    const weights = receptacles.map((one) => (one.kind === not ? 0 : (places.get(one.kind) ?? 0)));
    const at = weighted(random, weights);
    if (at >= 0) things.push({ kind, in: at });
    return at >= 0;
  };
  const count = Math.max(task.count, draw(random, 2));
  // What is already where it belongs would be half of the task.
  for (let n = 0; n < count; n++) if (!lay(task.object, task.receptacle)) return undefined;
  if (task.lamp !== undefined && !lay(task.lamp)) return undefined;
  for (const { kind, chance, mean } of belongings(room)) {
    if (kind === task.object || kind === task.lamp || random.float() >= chance) continue;
    for (let n = draw(random, mean); n > 0; n--) if (random.float() < difficulty) lay(kind);
  }
  return things;
}

/** A whole number from 1 to 3 with about this mean. */
function draw(random: Random, mean: number): number {
  const more = Math.min(1, Math.max(0, (mean - 1) / 2));
  return 1 + Number(random.float() < more) + Number(random.float() < more);
}

function weighted(random: Random, weights: readonly number[]): number {
  let left = random.float() * weights.reduce((sum, weight) => sum + weight, 0);
  return weights.findIndex((weight) => weight > 0 && (left -= weight) < 0);
}
