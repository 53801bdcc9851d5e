/** Writes a home as a PDDL problem, as the official games are written: ids that end in coordinates, one fact a line. */
import { at } from '../../../core/at.ts';
import type { Random } from '../../../core/random/random.ts';
import type { Home } from './household.ts';
import { has, held, propertyNames } from './kinds.ts';

export function problemText(random: Random, { receptacles, things, task }: Home): string {
  const taken = new Set<string>();
  const fresh = (kind: string): string => {
    for (;;) {
      const coordinates = Array.from({ length: 3 }, () => coordinate(random)).join('_bar_');
      // The basin of a sink or a bathtub is a part of it.
      const id = kind.endsWith('basin') ? `${kind.slice(0, -5)}_bar_${coordinates}_bar_${kind}` : `${kind}_bar_${coordinates}`;
      if (taken.has(id)) continue;
      taken.add(id);
      return id;
    }
  };
  const furniture = receptacles.map((one) => ({ ...one, id: fresh(one.kind) }));
  const objects = things.map((one) => ({ ...one, id: fresh(one.kind), inside: at(furniture, one.in) }));
  const spots = Math.max(0, ...receptacles.map(({ place }) => place));
  const place = (number: number): string => `loc_bar_${number}_bar_${(number * 7) % 5}_bar_1_bar_45`;
  const kinds = [...new Set([...things.map(({ kind }) => kind), task.object])];
  const receptacleKinds = [...new Set(receptacles.map(({ kind }) => kind))];
  const declared = [
    'agent1 - agent',
    ...kinds.map((kind) => `${kind}type - otype`),
    ...receptacleKinds.map((kind) => `${kind}type - rtype`),
    ...furniture.map(({ id }) => `${id} - receptacle`),
    ...objects.map(({ id }) => `${id} - object`),
    ...Array.from({ length: spots + 1 }, (_, number) => `${place(number)} - location`),
  ];
  const facts = [
    `(atlocation agent1 ${place(0)})`,
    ...receptacleKinds.flatMap((receptacle) =>
      held(receptacle).flatMap((kind) => (kinds.includes(kind) ? [`(cancontain ${receptacle}type ${kind}type)`] : [])),
    ),
    ...furniture.flatMap(({ id, kind, closes, place: spot }) => [
      `(receptacletype ${id} ${kind}type)`,
      `(receptacleatlocation ${id} ${place(spot)})`,
      ...(closes ? [`(openable ${id})`] : []),
    ]),
    ...objects.flatMap(({ id, kind, inside }) => [
      `(objecttype ${id} ${kind}type)`,
      `(inreceptacle ${id} ${inside.id})`,
      `(objectatlocation ${id} ${place(inside.place)})`,
      ...(has(kind, 'toggleable') ? [] : [`(pickupable ${id})`]),
      ...propertyNames().flatMap((property) => (has(kind, property) ? [`(${property} ${id})`] : [])),
    ]),
  ];
  return `(define (problem home) (:domain alfred)\n(:objects\n${declared.join('\n')})\n(:init\n${facts.join('\n')})\n(:goal ${task.goal}))`;
}

/** `_plus_01_dot_25`. */
function coordinate(random: Random): string {
  const hundredths = random.below(400).toString().padStart(4, '0');
  return `${random.below(2) === 0 ? '_plus_' : '_minus_'}${hundredths.slice(0, 2)}_dot_${hundredths.slice(2)}`;
}
