/** Moving things: put, pick up, drop, pour and dunk. */
import type { Thing } from '../things/thing.ts';
import type { ActionRule, Scene } from './action.ts';

function refuseMove(thing: Thing, to: Thing): string | undefined {
  if (!thing.movable) return `The ${thing.name} is not moveable.`;
  if (thing === to) return "You can't move something into itself.";
  if (thing.material?.state === 'liquid') {
    return "You can't pick up a liquid directly.  Try pouring it from one container to another, or dunking empty containers into containers filled with the liquid.";
  }
  if (thing.material?.state === 'gas') return "You can't pick up a gas directly.";
  if (to.vessel === undefined) return "That can't be moved there.";
  return to.vessel.isOpen ? undefined : `That can't be moved there, because the ${to.name} isn't open.`;
}

/** Moves a thing; a thing in a circuit comes loose. */
function carry(thing: Thing, to: Thing, separator = ''): string {
  to.add(thing);
  if (!thing.isConnected) return '';
  const text = `(disconnecting ${thing.name})${separator}`;
  thing.disconnect();
  return text;
}

function move(thing: Thing, to: Thing): string {
  const loose = carry(thing, to);
  return `${loose}You move the ${thing.name} to the ${to.name}.`;
}

/** An action that takes a thing from one place to one that the scene decides. */
function moving(
  base: Pick<ActionRule, 'name' | 'id' | 'pattern'>,
  destination: (scene: Scene, things: readonly Thing[]) => Thing | undefined,
): ActionRule {
  return {
    ...base,
    refuse(scene, things) {
      const to = destination(scene, things);
      return things[0] === undefined || to === undefined ? '' : refuseMove(things[0], to);
    },
    perform(scene, things) {
      const to = destination(scene, things);
      return things[0] === undefined || to === undefined ? '' : move(things[0], to);
    },
  };
}

export const moveThing = moving(
  { name: 'move object', id: 9, pattern: [['move', 'put'], 'obj', ['to', 'in', 'into', 'on'], 'moveTo'] },
  (_scene, things) => things[1],
);

const isCarried = ({ agent }: Scene, [thing]: readonly Thing[]): boolean => thing?.container === agent.inventory;

export const pickUp: ActionRule = {
  ...moving({ name: 'pick up', id: 21, pattern: [['pick up', 'get', 'take'], 'obj'] }, ({ agent }) => agent.inventory),
  lists: (scene, things) => !isCarried(scene, things),
};

export const putDown: ActionRule = {
  ...moving(
    { name: 'put down', id: 22, pattern: [['put down', 'drop'], 'obj'] },
    ({ agent }) => agent.container ?? agent.inventory,
  ),
  lists: isCarried,
};

export const pour: ActionRule = {
  name: 'pour object',
  id: 10,
  pattern: [['pour'], 'obj', ['in', 'into', 'on', 'to'], 'moveTo'],
  spelling: 'pour OBJ into OBJ',
  refuse(_scene, [thing, to]) {
    if (thing === undefined || to === undefined) return '';
    const isContainer = thing.vessel?.isContainer === true;
    if (!thing.movable) return `The ${thing.name} is not moveable.`;
    if (!isContainer) {
      const from = thing.container;
      if (from === undefined) {
        return `The ${thing.name} can't be poured out because it doesn't appear to be in a container.`;
      }
      if (!from.movable) return `The ${from.name} the ${thing.name} is in is not movable.`;
      if (thing.material?.state === 'solid') return "I'm not sure how to pour a solid. ";
      if (thing.material?.state === 'gas') return "You can't pour a gas directly. ";
    } else if (thing.vessel?.isOpen !== true) {
      return `The ${thing.name} can't be poured out, because it's not open.`;
    }
    if (to.vessel === undefined) return "That can't be moved there, because it's not a container.";
    if (!to.vessel.isOpen) return `That can't be moved there, because the ${to.name} isn't open.`;
    if (isContainer && thing.contents.length === 0) return `The ${thing.name} is empty, so there's nothing to pour.`;
    return undefined;
  },
  perform(_scene, [thing, to]) {
    if (thing === undefined || to === undefined) return '';
    if (thing === to) return "You can't move something into itself.";
    if (thing.vessel?.isContainer !== true) {
      const loose = carry(thing, to, '\n');
      return `${loose}You pour the ${thing.name} into the ${to.name}.`;
    }
    const loose = thing.contents.filter((inner) => inner.movable).map((inner) => carry(inner, to, '\n'));
    return `${loose.join('')}You pour the contents of the ${thing.name} into the ${to.name}.`;
  },
};

function liquidsIn(container: Thing): readonly Thing[] {
  return container.visible.filter((thing) => thing.material?.state === 'liquid');
}

/** `dunk A into B`: the liquids of B go into A. */
export const dunk: ActionRule = {
  name: 'dunk object',
  id: 26,
  pattern: [['dunk'], 'moveTo', ['in', 'into'], 'moveFrom'],
  spelling: 'dunk OBJ into OBJ',
  refuse(_scene, [to, from]) {
    if (from === undefined || to === undefined) return '';
    if (from === to) return "You can't dunk something into itself.";
    if (!to.movable) return `The ${to.name} is not moveable.`;
    if (to.vessel?.isOpen === false) return `The ${to.name} is not open.`;
    if (to.vessel?.isContainer !== true) return `The ${to.name} is not a container.`;
    const liquids = liquidsIn(from);
    if (liquids.length === 0) return `The ${from.name} does not contain any liquids to dunk into.`;
    return liquids.some((liquid) => liquid.movable) ? undefined : `The liquids in ${from.name} aren't able to move.`;
  },
  perform(_scene, [to, from]) {
    if (from === undefined || to === undefined) return '';
    const liquids = liquidsIn(from).filter((liquid) => liquid.movable);
    const loose = liquids.map((liquid) => carry(liquid, to)).join('');
    const names = liquids.map((liquid) => liquid.name).join(', ');
    return `${loose}You dunk the ${to.name} in the ${from.name}, moving the liquids (${names}) to the ${to.name}.`;
  },
};
