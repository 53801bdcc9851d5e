/** A small kitchen for tests, written as the official games are: PDDL inside JSON, one drawer sharing its place with the table. */
const receptacles = {
  'CounterTop|-01.00|+00.90|+00.50': { at: 1, type: 'CounterTop' },
  'DiningTable|+01.20|+00.00|+00.50': { at: 2, type: 'DiningTable' },
  'Drawer|+01.20|+00.40|+00.50': { at: 2, type: 'Drawer', openable: true },
  'Drawer|-01.20|+00.40|+00.50': { at: 3, type: 'Drawer', openable: true },
  'Fridge|-02.00|+00.00|+01.00': { at: 4, type: 'Fridge', openable: true },
  'Microwave|-02.00|+01.00|+02.00': { at: 5, type: 'Microwave', openable: true },
  'Sink|-01.00|+00.80|+01.00|SinkBasin': { at: 6, type: 'SinkBasin' },
} as const;

const objects = {
  'Apple|-01.01|+00.95|+00.52': { type: 'Apple', in: 0, is: 'pickupable cleanable heatable coolable sliceable' },
  'Apple|+01.21|+00.95|+00.52': { type: 'Apple', in: 1, is: 'pickupable cleanable heatable coolable sliceable' },
  'Knife|+01.10|+00.95|+00.40': { type: 'Knife', in: 1, is: 'pickupable cleanable' },
  'Mug|-02.01|+00.50|+01.02': { type: 'Mug', in: 4, is: 'pickupable cleanable heatable coolable isReceptacleObject' },
  'DeskLamp|-01.05|+00.95|+00.40': { type: 'DeskLamp', in: 0, is: 'toggleable' },
} as const;

const containing: Readonly<Record<string, string>> = {
  CounterTop: 'Apple Knife Mug',
  DiningTable: 'Apple Knife Mug',
  Drawer: 'Knife',
  Fridge: 'Apple Mug',
  Microwave: 'Apple Mug',
  SinkBasin: 'Apple Knife Mug',
};

const name = (id: string): string =>
  id.replaceAll('|', '_bar_').replaceAll('-', '_minus_').replaceAll('+', '_plus_').replaceAll('.', '_dot_');

const places = [0, 1, 2, 3, 4, 5, 6].map((number) => `loc_bar_${number}_bar_1_bar_45`);

export const goals = {
  pick: '(and (exists (?r - receptacle) (exists (?o - object) (and (inReceptacle ?o ?r) (objectType ?o KnifeType) (receptacleType ?r DrawerType)))))',
  look: '(and (exists (?ot - object ?r - receptacle ?a - agent ?l - location) (and (objectType ?ot DeskLampType) (toggleable ?ot) (isToggled ?ot) (receptacleAtLocation ?r ?l) (atLocation ?a ?l) (inReceptacle ?ot ?r))) (exists (?o - object ?a - agent) (and (objectType ?o MugType) (holds ?a ?o))))',
  heat: '(and (exists (?r - receptacle) (exists (?o - object) (and (heatable ?o) (objectType ?o MugType) (receptacleType ?r CounterTopType) (isHot ?o) (inReceptacle ?o ?r)))))',
  two: '(and (exists (?r - receptacle) (exists (?o1 - object) (and (objectType ?o1 AppleType) (receptacleType ?r FridgeType) (inReceptacle ?o1 ?r) (exists (?o2 - object) (and (not (= ?o1 ?o2)) (objectType ?o2 AppleType) (receptacleType ?r FridgeType) (inReceptacle ?o2 ?r)))))))',
} as const;

/** The PDDL problem with a goal. */
export function kitchen(goal: string = goals.pick): string {
  const [receptacleIds, objectIds] = [Object.keys(receptacles), Object.keys(objects)];
  const otypes = [...new Set(Object.values(objects).map(({ type }) => type))];
  const declared = [
    'agent1 - agent',
    ...otypes.map((type) => `${type}Type - otype`),
    ...Object.keys(containing).map((type) => `${type}Type - rtype`),
    ...receptacleIds.map((id) => `${name(id)} - receptacle`),
    ...objectIds.map((id) => `${name(id)} - object`),
    ...places.map((place) => `${place} - location`),
  ];
  const facts = [
    `(atLocation agent1 ${places[0] ?? ''})`,
    ...Object.entries(containing).flatMap(([type, kinds]) =>
      kinds.split(' ').map((kind) => `(canContain ${type}Type ${kind}Type)`),
    ),
    ...Object.entries(receptacles).flatMap(([id, { at, type, ...more }]) => [
      `(receptacleType ${name(id)} ${type}Type)`,
      `(receptacleAtLocation ${name(id)} ${places[at] ?? ''})`,
      ...('openable' in more ? [`(openable ${name(id)})`] : []),
    ]),
    ...Object.entries(objects).flatMap(([id, { type, in: inside, is }]) => [
      `(objectType ${name(id)} ${type}Type)`,
      `(inReceptacle ${name(id)} ${name(receptacleIds[inside] ?? '')})`,
      `(objectAtLocation ${name(id)} ${places[Object.values(receptacles)[inside]?.at ?? 0] ?? ''})`,
      ...is.split(' ').map((property) => `(${property} ${name(id)})`),
    ]),
  ];
  return `(define (problem kitchen)\n(:domain alfred)\n(:objects\n${declared.join('\n')}\n)\n(:init\n${facts.join('\n')}\n)\n(:goal ${goal}))`;
}

/** The kitchen as a game.tw-pddl. */
export function kitchenFile(sentence = 'put some knife on drawer.', goal: string = goals.pick): string {
  const grammar = `grammar :: """{ "task": [ { "rhs": "Your task is to: ${sentence}" } ] }""";`;
  return JSON.stringify({ pddl_domain: '(define (domain alfred))', grammar, pddl_problem: kitchen(goal), solvable: true });
}
