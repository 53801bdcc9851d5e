/**
 * What a goal formula asks for, in the words of a household: which kind of object, what is to be done to it, where it goes. The
 * expert and the categories read this; the reward always asks the formula itself.
 */
import type { Formula } from './formula.ts';
import type { Change } from './change.ts';

export interface Aim {
  /** Kinds as the player names them: `mug`, `desk`, `desklamp`. */
  readonly object: string;
  readonly count: 1 | 2;
  readonly change?: Change;
  /** Where it goes; absent where it is looked at under a lamp. */
  readonly receptacle?: string;
  readonly lamp?: string;
}

/** Undefined for a goal that is not one of the six kinds (slices, movable receptacles, goals of one's own). */
export function aimOf(goal: Formula): Aim | undefined {
  const facts = conjunction(goal);
  if (!facts) return undefined;
  const types = new Map<string, string>();
  const about = new Map<string, string[]>();
  let distinct = 0;
  for (const fact of facts) {
    if (fact.kind === 'not') {
      distinct++;
      continue;
    }
    const [first = '', second = ''] = fact.arguments;
    if (fact.predicate === 'objecttype' || fact.predicate === 'receptacletype') types.set(first, second.replace(/type$/, ''));
    else about.set(fact.predicate, [...(about.get(fact.predicate) ?? []), fact.predicate === 'holds' ? second : first]);
    if (fact.predicate === 'inreceptacle') about.set('receptacle', [...(about.get('receptacle') ?? []), second]);
  }
  const kind = (predicate: string): string | undefined => types.get(about.get(predicate)?.[0] ?? '');
  if (about.has('issliced') || about.has('inreceptacleobject')) return undefined;
  const [held, lamp, put, receptacle] = [kind('holds'), kind('istoggled'), kind('inreceptacle'), kind('receptacle')];
  if (held !== undefined && lamp !== undefined) return { object: held, lamp, count: 1 };
  if (put === undefined || receptacle === undefined) return undefined;
  const change = about.has('isclean') ? 'clean' : about.has('ishot') ? 'heat' : about.has('iscool') ? 'cool' : undefined;
  return { object: put, receptacle, count: distinct > 0 ? 2 : 1, ...(change && { change }) };
}

type Part = Extract<Formula, { readonly kind: 'fact' | 'not' }>;

/** The facts that must hold together, quantifiers aside; undefined where there is a choice or a forall. */
function conjunction(formula: Formula): Part[] | undefined {
  switch (formula.kind) {
    case 'fact':
      return [formula];
    case 'not':
      return formula.part.kind === 'equal' ? [formula] : undefined;
    case 'exists':
      return conjunction(formula.part);
    case 'and': {
      const parts = formula.parts.map(conjunction);
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
    }
    default:
      return undefined;
  }
}
