/** The parser: input to an action, with a dialogue where several readings fit. */
import type { ActionRule } from '../actions/action.ts';
import type { Agent } from '../things/agent.ts';
import type { Thing } from '../things/thing.ts';
import { byId } from '../things/order.ts';
import { byText } from './java-strings.ts';
import type { Named } from './grammar.ts';
import { namedIn, readings, sanitize } from './grammar.ts';
import { reachable } from './objects.ts';

export interface Reading {
  readonly rule: ActionRule;
  readonly things: readonly Thing[];
}

export type Parsed =
  | { readonly kind: 'action'; readonly reading: Reading }
  | { readonly kind: 'unknown'; readonly text: string }
  | { readonly kind: 'ambiguous'; readonly text: string; readonly readings: readonly Reading[] };

export function parse(input: string, rules: readonly ActionRule[], agent: Agent, place: Thing, universe: Thing): Parsed {
  const text = sanitize(input);
  const near = once(() => {
    const things = new Set([...reachable(place, true), ...reachable(agent, true)]);
    return namedIn(text, byId([...things]), place);
  });
  const anywhere = once(() => namedIn(text, byId([...reachable(universe, true)]), place));
  const found = rules.flatMap((rule) => {
    if (!begins(text, rule)) return [];
    const things = rule.pattern.length === 1 ? [] : rule.isOracle === true ? anywhere() : near();
    return readings(text, rule.pattern, things).map((chosen): Reading => ({ rule, things: chosen }));
  });
  const [first, second] = found;
  if (first === undefined) return { kind: 'unknown', text: 'No known action matches that input.' };
  if (second === undefined) return { kind: 'action', reading: first };
  const ordered = [...found].sort((a, b) => byText(a.rule.name, b.rule.name));
  return { kind: 'ambiguous', text: question(ordered, place), readings: ordered };
}

/** Names are collected once, and only if a pattern asks for things. */
function once(collect: () => readonly Named[]): () => readonly Named[] {
  let found: readonly Named[] | undefined;
  return () => (found ??= collect());
}

function begins(text: string, rule: ActionRule): boolean {
  const words = rule.pattern[0];
  return typeof words === 'object' && words.some((word) => text.startsWith(word));
}

function question(found: readonly Reading[], place: Thing): string {
  const kinds = [...new Set(found.map(({ rule }) => rule.name))];
  const several =
    kinds.length > 1
      ? `Ambiguous request: Multiple different possible actions were matched to this input (${kinds.join(', ')}). It's possible the action space needs to be refined to remove possible duplicate/ambiguous patterns.`
      : '';
  const choices = found.map((reading, i) => `${i}:\t${clarify(reading, place)}\n`);
  return `${several}Ambiguous request: Please enter the number for the action you intended (or blank to cancel):\n${choices.join('')}`;
}

/** The action in words, with where each thing is. */
function clarify({ rule, things }: Reading, place: Thing): string {
  let next = 0;
  const parts = rule.pattern.map((element) => {
    if (typeof element !== 'string') return element[0] ?? '';
    const thing = things[next++];
    if (thing === undefined) return '<UNKNOWN>';
    const around = whereabouts(thing, place);
    return around.length === 0 ? thing.title() : `${thing.title()} (${around.join(', ')})`;
  });
  return parts.join(' ');
}

function whereabouts(thing: Thing, place: Thing): readonly string[] {
  const out: string[] = [];
  for (let at = thing.container; at !== undefined; at = at.container) {
    out.push(`in ${at.name}`);
    if (at === place) break;
  }
  return out;
}
