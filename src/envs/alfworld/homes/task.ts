/** The six kinds of tasks, as the generator draws them: what is asked, in words and as a goal formula. */
import type { Random } from '../../../core/random/random.ts';
import { appliances, marks, type Change } from '../world/change.ts';
import { belongings, has, held } from './kinds.ts';
import { placesOf } from '../places.ts';
import type { RoomKind } from './rooms.ts';

export const taskKinds = ['pick', 'look', 'clean', 'heat', 'cool', 'two'] as const;
export type TaskKind = (typeof taskKinds)[number];

export interface Task {
  /** ALFRED's name of the kind: `pick_heat_then_place_in_recep`. */
  readonly name: string;
  readonly object: string;
  readonly count: 1 | 2;
  /** Where it goes, or the lamp it is looked at under. */
  readonly receptacle?: string;
  readonly lamp?: string;
  /** The receptacle that cleans, heats or cools. */
  readonly appliance?: string;
  readonly sentences: readonly string[];
  /** PDDL. */
  readonly goal: string;
}

const adjectives = { clean: 'clean', heat: 'hot', cool: 'cool' } as const;

/** A task for a room with these receptacles; undefined where the room has none of this kind. */
export function chooseTask(random: Random, kind: TaskKind, room: RoomKind, standing: readonly string[]): Task | undefined {
  const kinds = [...new Set(standing)].sort();
  const findable = belongings(room)
    .map((one) => one.kind)
    .filter((object) => object !== 'desklamp' && kinds.some((receptacle) => (placesOf(object).get(receptacle) ?? 0) > 0));
  if (kind === 'look') {
    if (!kinds.some((receptacle) => (placesOf('desklamp').get(receptacle) ?? 0) > 0)) return undefined;
    return look(random.pick(findable), 'desklamp');
  }
  const change = kind === 'pick' || kind === 'two' ? undefined : kind;
  const appliance = change && appliances[change];
  if (appliance !== undefined && !kinds.includes(appliance)) return undefined;
  const elsewhere = (object: string, not: string): boolean =>
    kinds.some((receptacle) => receptacle !== not && (placesOf(object).get(receptacle) ?? 0) > 0);
  const pairs = findable
    .filter((object) => !change || has(object, `${change}able`))
    .map((object) => ({
      object,
      receptacles: kinds.filter((one) => one !== appliance && held(one).includes(object) && elsewhere(object, one)),
    }))
    .filter(({ receptacles }) => receptacles.length > 0);
  if (pairs.length === 0) return undefined;
  const { object, receptacles } = random.pick(pairs);
  const receptacle = random.pick(receptacles);
  if (change) return changed(object, receptacle, change);
  return kind === 'two' ? two(object, receptacle) : pick(object, receptacle);
}

function pick(object: string, receptacle: string): Task {
  return {
    name: 'pick_and_place_simple',
    object,
    receptacle,
    count: 1,
    sentences: [`put a ${object} in ${receptacle}.`, `put some ${object} on ${receptacle}.`],
    goal: placing(object, receptacle),
  };
}

function two(object: string, receptacle: string): Task {
  const there = (name: string): string =>
    `(objecttype ${name} ${object}type) (receptacletype ?r ${receptacle}type) (inreceptacle ${name} ?r)`;
  return {
    name: 'pick_two_obj_and_place',
    object,
    receptacle,
    count: 2,
    sentences: [`put two ${object} in ${receptacle}.`, `find two ${object} and put them in ${receptacle}.`],
    goal: `(and (exists (?r - receptacle) (exists (?o1 - object) (and ${there('?o1')} (exists (?o2 - object) (and (not (= ?o1 ?o2)) ${there('?o2')}))))))`,
  };
}

function changed(object: string, receptacle: string, change: Change): Task {
  return {
    name: `pick_${change}_then_place_in_recep`,
    object,
    receptacle,
    appliance: appliances[change],
    count: 1,
    sentences: [
      `put a ${adjectives[change]} ${object} in ${receptacle}.`,
      `${change} some ${object} and put it in ${receptacle}.`,
    ],
    goal: placing(object, receptacle, `(${change}able ?o) (${marks[change]} ?o)`),
  };
}

function look(object: string, lamp: string): Task {
  return {
    name: 'look_at_obj_in_light',
    object,
    lamp,
    count: 1,
    sentences: [`look at ${object} under the ${lamp}.`, `examine the ${object} with the ${lamp}.`],
    goal: `(and (exists (?ot - object ?r - receptacle ?a - agent ?l - location) (and (objecttype ?ot ${lamp}type) (toggleable ?ot) (istoggled ?ot) (receptacleatlocation ?r ?l) (atlocation ?a ?l) (inreceptacle ?ot ?r))) (exists (?o - object ?a - agent) (and (objecttype ?o ${object}type) (holds ?a ?o))))`,
  };
}

function placing(object: string, receptacle: string, more = ''): string {
  return `(and (exists (?r - receptacle) (exists (?o - object) (and ${more} (inreceptacle ?o ?r) (objecttype ?o ${object}type) (receptacletype ?r ${receptacle}type)))))`;
}
