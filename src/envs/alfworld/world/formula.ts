/**
 * Goal formulas: and, or, not, imply, =, exists and forall over types, and facts. A formula is read once and asked after every
 * step; quantifiers run over the declared things of a type, the same thing may stand for two variables.
 */
import { checkArguments, readTyped, type Kind } from './domain.ts';
import { broken, type Expression } from './expression.ts';

export type Formula =
  | { readonly kind: 'fact'; readonly predicate: string; readonly arguments: readonly string[] }
  | { readonly kind: 'equal'; readonly left: string; readonly right: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Formula[] }
  | { readonly kind: 'not'; readonly part: Formula }
  | { readonly kind: 'exists' | 'forall'; readonly variables: readonly (readonly [string, Kind])[]; readonly part: Formula };

/** Reads a formula; throws ENV_BAD_GAME for what it names and nobody declared. */
export function readFormula(
  given: Expression,
  objects: ReadonlyMap<string, Kind>,
  variables: ReadonlyMap<string, Kind> = new Map(),
): Formula {
  if (typeof given === 'string') throw broken(`has the bare word "${given}" in its goal`);
  const [word, ...rest] = given;
  if (word === undefined) return { kind: 'and', parts: [] };
  const read = (part: Expression, more = variables): Formula => readFormula(part, objects, more);
  const only = (): Expression => {
    const [part] = rest;
    if (part === undefined || rest.length !== 1) throw broken(`gives "${String(word)}" ${rest.length} formulas`, 'it takes one');
    return part;
  };
  if (word === 'and' || word === 'or') return { kind: word, parts: rest.map((part) => read(part)) };
  if (word === 'not') return { kind: 'not', part: read(only()) };
  if (word === 'imply') {
    const [condition, conclusion] = rest;
    if (condition === undefined || conclusion === undefined || rest.length !== 2)
      throw broken('has an imply without two formulas');
    return { kind: 'or', parts: [{ kind: 'not', part: read(condition) }, read(conclusion)] };
  }
  if (word === 'exists' || word === 'forall') {
    const [list, part] = rest;
    if (list === undefined || typeof list === 'string' || part === undefined || rest.length !== 2) {
      throw broken(`has "${word}" without a list of variables and one formula`);
    }
    const typed = readTyped(list, `the ${word} of its goal`);
    return { kind: word, variables: typed, part: read(part, new Map([...variables, ...typed])) };
  }
  const names = rest.map((name) => {
    if (typeof name === 'string') return name;
    throw broken(`has a formula where "${String(word)}" takes a name`);
  });
  const typeOf = (name: string): Kind | undefined => variables.get(name) ?? objects.get(name);
  if (word === '=') {
    const [left = '', right = ''] = names;
    for (const name of [left, right]) if (!typeOf(name)) throw broken(`compares "${name}" in its goal`, 'declare it');
    return { kind: 'equal', left, right };
  }
  if (typeof word !== 'string') throw broken('has a formula in its goal that begins with a list');
  checkArguments(word, names, typeOf);
  return { kind: 'fact', predicate: word, arguments: names };
}

/** What a compiled formula asks: things are numbers, a fact of one argument has 0 for its second. */
export interface Ask {
  holds(predicate: string, first: number, second: number): boolean;
}

/** What compiling needs to know: the number of a declared thing, all things of a type, and facts that no action changes. */
export interface Declared {
  number(name: string): number;
  all(kind: Kind): readonly number[];
  isFixed(predicate: string): boolean;
  readonly fixed: Ask;
}

export type Test = (facts: Ask) => boolean;

/** Turns a formula into a test. Parts of a conjunction are asked as soon as their variables are chosen, so that it stays quick. */
export function compile(formula: Formula, declared: Declared): Test {
  const chosen: number[] = [];
  const run = compiled(formula, declared, new Map(), chosen);
  return (facts) => run(facts);
}

type Slots = ReadonlyMap<string, number>;

function compiled(formula: Formula, declared: Declared, slots: Slots, chosen: number[]): Test {
  const value = (name: string): (() => number) => {
    const slot = slots.get(name);
    if (slot !== undefined) return () => chosen[slot] as number;
    const number = declared.number(name);
    return () => number;
  };
  switch (formula.kind) {
    case 'fact': {
      const { predicate } = formula;
      const [first, second] = formula.arguments.map(value);
      return (facts) => facts.holds(predicate, first?.() ?? 0, second?.() ?? 0);
    }
    case 'equal': {
      const [left, right] = [value(formula.left), value(formula.right)];
      return () => left() === right();
    }
    case 'and':
    case 'or': {
      const parts = formula.parts.map((part) => compiled(part, declared, slots, chosen));
      return formula.kind === 'and'
        ? (facts) => parts.every((part) => part(facts))
        : (facts) => parts.some((part) => part(facts));
    }
    case 'not': {
      const part = compiled(formula.part, declared, slots, chosen);
      return (facts) => !part(facts);
    }
    case 'exists':
      return search(formula, declared, slots, chosen);
    case 'forall': {
      const part: Formula = { kind: 'not', part: formula.part };
      const counterexample = search({ kind: 'exists', variables: formula.variables, part }, declared, slots, chosen);
      return (facts) => !counterexample(facts);
    }
  }
}

/** Is there a choice for the variables? They are chosen one after the other; what can be asked already cuts a choice short. */
function search(given: Quantified, declared: Declared, outer: Slots, chosen: number[]): Test {
  const slots = new Map(outer);
  const choices: { readonly slot: number; things: readonly number[]; readonly tests: Test[] }[] = [];
  let formula: Formula = given;
  for (; formula.kind === 'exists'; formula = formula.part) {
    for (const [name, kind] of formula.variables) {
      const slot = chosen.push(0) - 1;
      slots.set(name, slot);
      choices.push({ slot, things: declared.all(kind), tests: [] });
    }
  }
  const always: Test[] = [];
  for (const part of conjuncts(formula)) {
    const used = new Set([...names(part)].map((name) => slots.get(name)).filter((slot) => slot !== undefined));
    const last = choices.findLast(({ slot }) => used.has(slot));
    const test = compiled(part, declared, slots, chosen);
    if (last && used.size === 1 && part.kind === 'fact' && declared.isFixed(part.predicate)) {
      // The type of a thing never changes: what does not have it need not be tried at all.
      last.things = last.things.filter((thing) => {
        chosen[last.slot] = thing;
        return test(declared.fixed);
      });
    } else (last?.tests ?? always).push(test);
  }
  const from = (depth: number, facts: Ask): boolean => {
    const choice = choices[depth];
    if (!choice) return true;
    for (const thing of choice.things) {
      chosen[choice.slot] = thing;
      if (choice.tests.every((test) => test(facts)) && from(depth + 1, facts)) return true;
    }
    return false;
  };
  return (facts) => always.every((test) => test(facts)) && from(0, facts);
}

type Quantified = Extract<Formula, { readonly kind: 'exists' | 'forall' }>;

function conjuncts(formula: Formula): readonly Formula[] {
  return formula.kind === 'and' ? formula.parts.flatMap(conjuncts) : [formula];
}

/** Every name in a formula, those of its own variables included: asking for too many only asks later. */
function names(formula: Formula): Set<string> {
  switch (formula.kind) {
    case 'fact':
      return new Set(formula.arguments);
    case 'equal':
      return new Set([formula.left, formula.right]);
    case 'and':
    case 'or':
      return new Set(formula.parts.flatMap((part) => [...names(part)]));
    default:
      return names(formula.part);
  }
}
