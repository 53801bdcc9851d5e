/** Actions that would not be refused, with the names of things filled in, as the original's API lists them. */
import type { JavaRandom } from '../../../core/random/java.ts';
import type { ActionRule, Scene } from '../actions/action.ts';
import { dunk } from '../actions/moving.ts';
import type { Thing } from '../things/thing.ts';
import { collected } from './objects.ts';
import { actionNames } from './referents.ts';

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
): readonly ValidAction[] {
  const place = scene.agent.container ?? universe;
  const visible = [...collected(place, false)];
  const names = actionNames(visible, place, random);
  const far = nameAll || rules.some((rule) => rule.isOracle === true);
  const everything = far ? [...collected(universe, true)] : [];
  const allNames = actionNames(everything, place, random);
  return rules.flatMap((rule) => {
    const [things, called] = rule.isOracle === true ? [everything, allNames] : [visible, names];
    const words = (rule.spelling ?? template(rule)).split('OBJ');
    return fillings(scene, rule, things, words.length - 1).map((chosen): ValidAction => {
      const text = words.map((word, i) => word + (i < chosen.length ? (called.get(chosen[i] as Thing) ?? '') : ''));
      return { text: text.join(''), rule, things: chosen };
    });
  });
}

/** The things that can stand in a rule's places, the first varying slowest. */
function fillings(scene: Scene, rule: ActionRule, things: readonly Thing[], places: number): readonly (readonly Thing[])[] {
  const fits = (chosen: readonly Thing[]): boolean =>
    rule.refuse(scene, rule === dunk ? [...chosen].reverse() : chosen) === undefined && (rule.lists?.(scene, chosen) ?? true);
  if (places === 0) return fits([]) ? [[]] : [];
  if (places === 1) return things.map((thing) => [thing]).filter(fits);
  return things.flatMap((first) => things.map((second) => [first, second]).filter(fits));
}
