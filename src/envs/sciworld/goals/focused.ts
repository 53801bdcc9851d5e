/** Goals on the focused thing: be the right one, in the right state, in the right place. */
import { Animal } from '../life/animals.ts';
import { LivingThing } from '../life/living-thing.ts';
import { Plant } from '../life/plants.ts';
import { isWiredTo } from '../processes/circuits.ts';
import type { StateOfMatter } from '../substances/material.ts';
import { AnswerBox } from '../things/containers.ts';
import { InclinedPlane } from '../things/inclined-plane.ts';
import type { Thing } from '../things/thing.ts';
import type { Goal, GoalContext, Verdict } from './goal.ts';

type Rest = Omit<Goal, 'check' | 'description'> & { readonly description?: string };

/** A goal that needs a focused thing. */
function onFocus(rest: Rest, check: (thing: Thing, context: GoalContext) => Verdict): Goal {
  return {
    description: '',
    ...rest,
    check: (thing, context) => (thing === undefined ? 'open' : check(thing, context)),
  };
}

/** A goal that only the thing of the goal before can meet. */
function onSame(rest: Rest, check: (thing: Thing, context: GoalContext) => Verdict): Goal {
  return onFocus(rest, (thing, context) => {
    const { last } = context.goals;
    return last !== undefined && last !== thing ? 'open' : check(thing, context);
  });
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export function find(name: string, rest: Rest = {}): Goal {
  return onFocus(rest, (thing) => (same(thing.name, name) ? 'met' : 'failed'));
}

export function findAnswerBox(name: string, rest: Rest): Goal {
  return onFocus(rest, (thing) => {
    if (!(thing instanceof AnswerBox)) return 'open';
    return same(thing.name, name) ? 'met' : 'failed';
  });
}

export function findLiving(rest: Rest): Goal {
  return onFocus(rest, (thing) => (thing instanceof LivingThing ? 'met' : 'failed'));
}

export function findNonLiving(rest: Rest): Goal {
  return onFocus(rest, (thing) => {
    if (thing instanceof LivingThing) return 'failed';
    return thing.movable ? 'met' : 'open';
  });
}

export function findPlant(rest: Rest): Goal {
  return onFocus(rest, (thing) => (thing instanceof Plant ? 'met' : 'failed'));
}

export function findAnimal(rest: Rest): Goal {
  return onFocus(rest, (thing) => (thing instanceof Animal ? 'met' : 'failed'));
}

/** A plant or animal of a species in a stage of its life; anything else fails the task. */
export function findStage(species: string, stage: string, rest: Rest): Goal {
  return onFocus(rest, (thing) =>
    thing instanceof LivingThing && thing.life.species === species.toLowerCase() && thing.stage === stage ? 'met' : 'failed',
  );
}

export function findPlane(fits: (plane: InclinedPlane) => boolean, rest: Rest = {}): Goal {
  return onFocus(rest, (thing) =>
    thing instanceof InclinedPlane && same(thing.name, 'inclined plane') && fits(thing) ? 'met' : 'failed',
  );
}

/** Remembers the state of matter that the thing is in. */
export function noteState(): Goal {
  return onSame({}, (thing, { goals }) => {
    if (thing.material === undefined) return 'open';
    goals.notes.set('state', thing.material.state);
    return 'met';
  });
}

export function leaveNotedState(): Goal {
  return onSame({}, (thing, { goals }) => {
    if (thing.material === undefined) return 'open';
    return thing.material.state === (goals.notes.get('state') ?? '') ? 'open' : 'met';
  });
}

export function beInState(state: StateOfMatter, rest: Rest, combustionCounts = false): Goal {
  return onSame(rest, ({ material }) => {
    if (material === undefined) return 'open';
    return material.state === state || (combustionCounts && material.burning) ? 'met' : 'open';
  });
}

const DEEPEST = 20;

function isWithin(thing: Thing, fits: (container: Thing) => boolean): boolean {
  let at = thing.container;
  for (let depth = 0; at !== undefined && depth < DEEPEST; depth++, at = at.container) if (fits(at)) return true;
  return false;
}

/** In a container of that name, however deep; being in one of the wrong ones fails the task. */
export function beWithin(container: string, rest: Rest, wrong: readonly string[] = []): Goal {
  return onSame(rest, (thing) => {
    if (isWithin(thing, (holder) => wrong.includes(holder.name))) return 'failed';
    return isWithin(thing, (holder) => same(holder.name, container)) ? 'met' : 'open';
  });
}

/** In the box for hot things if it is hot, in that for cold ones if it is cold; the wrong box fails the task. */
export function beInBoxByTemperature(threshold: number, above: string, below: string, rest: Rest): Goal {
  return onSame(rest, ({ material, container }) => {
    if (material === undefined || container === undefined) return 'open';
    const { name } = container;
    if (name !== above && name !== below) return 'open';
    if (name === above && material.temperature >= threshold) return 'met';
    return name === below && material.temperature <= threshold ? 'met' : 'failed';
  });
}

export function beActivated(name: string, rest: Rest): Goal {
  return onFocus(rest, (thing) => (thing.name === name && thing.device?.isActivated === true ? 'met' : 'open'));
}

/** Wired to a part of that name; to any other the task fails. */
export function beWiredTo(name: string, rest: Rest): Goal {
  return onSame(rest, (thing) => (isWiredTo(thing, name) ? 'met' : 'failed'));
}

export function reachStage(species: string, stage: string, rest: Rest): Goal {
  return onSame(rest, (thing) => {
    if (thing.life !== undefined && thing.life.species !== species) return 'open';
    return thing instanceof LivingThing && same(thing.stage, stage) ? 'met' : 'open';
  });
}

/** Warmer (or colder) than when it was first looked at. */
export function changeTemperature(by: number, rest: Rest): Goal {
  let start: number | undefined;
  return onFocus(rest, ({ material }) => {
    if (material === undefined) return 'open';
    start ??= material.temperature;
    const reached = by >= 0 ? material.temperature >= start + by : material.temperature <= start + by;
    return reached ? 'met' : 'open';
  });
}
