/**
 * A PDDL problem of the ALFRED domain: what there is, what holds at the start, and the goal. Everything it names is checked
 * here, so that the rules may trust it: unknown types, predicates and objects are refused by name.
 */
import { broken, readExpression, type Expression } from './expression.ts';
import { readFormula, type Formula } from './formula.ts';

export type Kind = 'agent' | 'location' | 'receptacle' | 'object' | 'rtype' | 'otype';

const kinds: readonly Kind[] = ['agent', 'location', 'receptacle', 'object', 'rtype', 'otype'];

/** The predicates of the domain with the types of their arguments. */
export const predicates: Readonly<Record<string, readonly Kind[]>> = {
  atlocation: ['agent', 'location'],
  receptacleatlocation: ['receptacle', 'location'],
  objectatlocation: ['object', 'location'],
  openable: ['receptacle'],
  opened: ['receptacle'],
  inreceptacle: ['object', 'receptacle'],
  isreceptacleobject: ['object'],
  inreceptacleobject: ['object', 'object'],
  isreceptacleobjectfull: ['object'],
  wasinreceptacle: ['object', 'receptacle'],
  checked: ['receptacle'],
  examined: ['location'],
  receptacletype: ['receptacle', 'rtype'],
  cancontain: ['rtype', 'otype'],
  objecttype: ['object', 'otype'],
  holds: ['agent', 'object'],
  holdsany: ['agent'],
  holdsanyreceptacleobject: ['agent'],
  full: ['receptacle'],
  isclean: ['object'],
  cleanable: ['object'],
  ishot: ['object'],
  heatable: ['object'],
  iscool: ['object'],
  coolable: ['object'],
  pickupable: ['object'],
  moveable: ['object'],
  toggleable: ['object'],
  ison: ['object'],
  istoggled: ['object'],
  sliceable: ['object'],
  issliced: ['object'],
};

export interface Fact {
  readonly predicate: string;
  readonly arguments: readonly string[];
}

export interface Problem {
  /** Every declared thing and its type. */
  readonly objects: ReadonlyMap<string, Kind>;
  readonly facts: readonly Fact[];
  readonly goal: Formula;
}

/** Reads a problem; throws ENV_BAD_GAME. */
export function readProblem(text: string): Problem {
  const [word, ...sections] = readExpression(text);
  if (word !== 'define') throw broken('does not begin with (define');
  const section = (name: string): readonly Expression[] => {
    for (const one of sections) if (typeof one !== 'string' && one[0] === name) return one.slice(1);
    throw broken(`has no ${name}`);
  };
  const objects = readObjects(section(':objects'));
  const facts = section(':init').flatMap((given) => readFact(given, objects));
  const [goal, ...more] = section(':goal');
  if (goal === undefined || more.length > 0) throw broken('must have one formula as its goal');
  return { objects, facts, goal: readFormula(goal, objects) };
}

/** The type that a name stands for; throws ENV_BAD_GAME. */
export function kindOf(type: Expression | undefined, where: string): Kind {
  const kind = kinds.find((one) => one === type);
  if (kind) return kind;
  const shown = type === undefined ? 'nothing' : typeof type === 'string' ? `"${type}"` : 'a list';
  throw broken(`names ${shown} as a type in ${where}`, `use one of ${kinds.join(', ')}`);
}

/** The declared thing of this type that a predicate takes; throws ENV_BAD_GAME. */
export function checkArguments(predicate: string, given: readonly string[], typeOf: (name: string) => Kind | undefined): void {
  const expected = Object.hasOwn(predicates, predicate) ? predicates[predicate] : undefined;
  if (!expected) throw broken(`names the predicate "${predicate}"`, 'use the predicates of the ALFRED domain');
  if (given.length !== expected.length) {
    throw broken(`gives "${predicate}" ${given.length} arguments`, `it takes ${expected.length}`);
  }
  expected.forEach((kind, place) => {
    const name = given[place] ?? '';
    const found = typeOf(name);
    if (found === undefined) throw broken(`names "${name}"`, 'declare it under :objects');
    if (found !== kind) throw broken(`gives "${predicate}" the ${found} "${name}"`, `it takes a thing of type ${kind} there`);
  });
}

/** `a b - type c - type`: names up to a dash share the type after it. */
export function readTyped(list: readonly Expression[], where: string): [name: string, kind: Kind][] {
  const typed: [string, Kind][] = [];
  let waiting: string[] = [];
  for (let place = 0; place < list.length; place++) {
    const word = list[place];
    if (word === '-') {
      const kind = kindOf(list[++place], where);
      typed.push(...waiting.map((name): [string, Kind] => [name, kind]));
      waiting = [];
    } else if (typeof word === 'string') waiting.push(word);
    else throw broken(`has a list among the names of ${where}`);
  }
  if (waiting.length > 0) throw broken(`gives "${waiting[0] ?? ''}" no type in ${where}`, `use one of ${kinds.join(', ')}`);
  return typed;
}

function readObjects(list: readonly Expression[]): Map<string, Kind> {
  return new Map(readTyped(list, ':objects'));
}

/** A fact; costs and distances, `(= (distance a b) 5)`, say nothing about the world. */
function readFact(given: Expression, objects: ReadonlyMap<string, Kind>): Fact[] {
  if (typeof given === 'string') throw broken(`has the bare word "${given}" among its facts`);
  const [predicate, ...rest] = given;
  if (predicate === '=') return [];
  const names = rest.map((name) => {
    if (typeof name === 'string') return name;
    throw broken('has a list inside a fact');
  });
  if (typeof predicate !== 'string') throw broken('has a fact without a predicate');
  checkArguments(predicate, names, (name) => objects.get(name));
  return [{ predicate, arguments: names }];
}
