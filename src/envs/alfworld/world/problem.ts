/**
 * A PDDL problem of the ALFRED domain: what there is, what holds at the start, and the goal. Everything it names is checked
 * here, so that the rules may trust it: unknown types, predicates and objects are refused by name.
 */
import { checkArguments, readTyped, type Kind } from './domain.ts';
import { broken, readExpression, type Expression } from './expression.ts';
import { readFormula, type Formula } from './formula.ts';

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
