/** The ALFRED domain: its types, its predicates with the types of their arguments, and the checks of what names them. */
import { broken, type Expression } from './expression.ts';

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

/** The type that a name stands for; throws ENV_BAD_GAME. */
function kindOf(type: Expression | undefined, where: string): Kind {
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
