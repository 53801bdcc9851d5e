/** Actions that would not be refused, with the names of things filled in, as the original's API lists them. */
import type { JavaRandom } from '../../../core/random/java.ts';
import type { ActionRule, Scene } from '../actions/action.ts';
import { dunk } from '../actions/moving.ts';
import type { Thing } from '../things/thing.ts';
import { collected } from './objects.ts';
import { actionNames, drawNames, type Edition } from './referents.ts';

export interface ValidAction {
  readonly text: string;
  readonly rule: ActionRule;
  readonly things: readonly Thing[];
}

/** `OBJ` for a thing: `pour OBJ in OBJ`. */
export function template(rule: ActionRule): string {
  return rule.pattern.map((element) => (typeof element === 'string' ? 'OBJ' : (element[0] ?? ''))).join(' ');
}

export function validActions(
  scene: Scene,
  rules: readonly ActionRule[],
  universe: Thing,
  random: JavaRandom,
  /** Name what is far away too, as the original always does: it takes draws even where no action can use the names. */
  nameAll: boolean,
  edition: Edition,
): readonly ValidAction[] {
  const place = scene.agent.container ?? universe;
  const visible = [...collected(place, false)];
  const names = actionNames(visible, place, random, edition);
  const hasOracle = rules.some((rule) => rule.isOracle === true);
  const everything = nameAll || hasOracle ? [...collected(universe, true)] : [];
  const allNames = hasOracle ? actionNames(everything, place, random, edition) : names;
  if (!hasOracle) drawNames(everything, place, random);
  const out: ValidAction[] = [];
  for (const rule of rules) {
    const [things, called] = rule.isOracle === true ? [everything, allNames] : [visible, names];
    const [before = '', between = '', after = ''] = (rule.spelling ?? template(rule)).split('OBJ');
    const word = (thing: Thing | undefined): string => (thing === undefined ? '' : (called.get(thing) ?? ''));
    for (const chosen of fillings(scene, rule, things)) {
      const [first, second] = chosen;
      out.push({ text: before + word(first) + between + word(second) + after, rule, things: chosen });
    }
  }
  return out;
}

/** The things that can stand in a rule's places, the first varying slowest. Thousands of pairs are tried for every one that fits. */
function fillings(scene: Scene, rule: ActionRule, things: readonly Thing[]): readonly (readonly Thing[])[] {
  const out: (readonly Thing[])[] = [];
  const keep = (chosen: readonly Thing[], asked: readonly Thing[]): void => {
    if (rule.refuse(scene, asked) === undefined && (rule.lists?.(scene, chosen) ?? true)) out.push([...chosen]);
  };
  const places = rule.pattern.filter((element) => typeof element === 'string').length;
  if (places === 0) keep([], []);
  if (places === 1) for (const thing of things) keep([thing], [thing]);
  if (places === 2) {
    for (const first of things) {
      for (const second of things) {
        const pair = [first, second];
        keep(pair, rule === dunk ? [second, first] : pair);
      }
    }
  }
  return out;
}
