/** What else an agent does with things: open and close, switch, use, eat, flush, mix, connect, focus, and wait. */
import { mix as mixContents } from '../processes/chemistry.ts';
import { Wire, PolarizedPart } from '../things/electrical.ts';
import type { Thing } from '../things/thing.ts';
import { Terminal } from '../things/thing.ts';
import type { ActionRule } from './action.ts';
import { UNFORESEEN } from './action.ts';

function opening(name: string, id: number, verb: string, opens: boolean): ActionRule {
  const state = opens ? 'open' : 'closed';
  const able = opens ? 'openable' : 'closeable';
  return {
    name,
    id,
    pattern: [[verb], 'door'],
    refuse(_scene, [thing]) {
      if (thing === undefined) return '';
      const { portal, vessel } = thing;
      if (portal !== undefined && portal.isOpen === opens) return `The ${thing.name} is already ${state}.`;
      if (portal !== undefined && !portal.isOpenable) return `The ${thing.name} is not ${able}.`;
      if (vessel !== undefined && !vessel.isClosable) return `The ${thing.name} is not ${able}.`;
      if (vessel !== undefined && vessel.isOpen === opens) return `The ${thing.name} is already ${state}.`;
      return portal === undefined && vessel === undefined ? `The ${thing.name} is not ${able}.` : undefined;
    },
    perform(_scene, [thing]) {
      const lid = thing?.portal ?? thing?.vessel;
      if (thing === undefined || lid === undefined) return UNFORESEEN;
      lid.isOpen = opens;
      return `The ${thing.name} is now ${state}.`;
    },
  };
}

export const open = opening('open door', 0, 'open', true);
export const close = opening('close door', 1, 'close', false);

function switching(name: string, id: number, words: readonly string[], on: boolean): ActionRule {
  const state = on ? 'activated' : 'deactivated';
  return {
    name,
    id,
    pattern: [words, 'device'],
    refuse(_scene, [thing]) {
      if (thing?.device?.isActivable !== true) {
        return `The ${thing?.name ?? ''} is not something that can be activated.`;
      }
      return thing.device.isActivated === on ? `The ${thing.name} is already ${state}.` : undefined;
    },
    perform(_scene, [thing]) {
      if (thing?.device === undefined) return UNFORESEEN;
      if (thing.device.isBroken) return `The ${thing.name} appears broken, and can't be activated or deactivated.`;
      thing.device.isActivated = on;
      return `The ${thing.name} is now ${state}.`;
    },
  };
}

export const activate = switching('activate', 6, ['activate', 'turn on'], true);
export const deactivate = switching('deactivate', 7, ['deactivate', 'turn off'], false);

export const eat: ActionRule = {
  name: 'eat',
  id: 8,
  pattern: [['eat', 'consume'], 'food'],
  refuse: (_scene, [thing]) => (thing?.edible === true ? undefined : `The ${thing?.name ?? ''} is not edible.`),
  perform(_scene, [thing]) {
    thing?.leave();
    return `The ${thing?.name ?? ''} was delicious.`;
  },
};

export const use: ActionRule = {
  name: 'use object',
  id: 13,
  pattern: [['use'], 'device', ['on', 'with'], 'patient'],
  refuse: (_scene, [device]) =>
    device?.device?.isUsable === true ? undefined : `I'm not sure how to use the ${device?.name ?? ''}. `,
  perform(_scene, [device, patient]) {
    if (device === undefined || patient === undefined) return UNFORESEEN;
    const { done, text } = device.useOn(patient);
    return done ? text : "I'm not sure how to use those two things together.";
  },
};

export const flush: ActionRule = {
  name: 'flush',
  id: 15,
  pattern: [['flush'], 'device'],
  refuse(_scene, [thing]) {
    if (thing?.kind !== 'Toilet') return "It's not clear how to flush that.";
    return thing.device?.isActivated === true ? 'That is already flushing.' : undefined;
  },
  perform(_scene, [thing]) {
    if (thing?.device === undefined) return UNFORESEEN;
    thing.device.isActivated = true;
    return `The ${thing.name} is now flushing.`;
  },
};

export const mix: ActionRule = {
  name: 'mix',
  id: 23,
  pattern: [['mix', 'stir'], 'container'],
  // The original refuses without a word; the episode then says that the action is unknown.
  refuse: (_scene, [thing]) => (thing === undefined || thing.contents.length <= 1 ? '' : undefined),
  perform: (_scene, [thing]) => (thing === undefined ? UNFORESEEN : mixContents(thing)),
};

/** The terminal a connection goes to, or why there is none. */
function terminalOf(thing: Thing): Terminal | string {
  if (thing instanceof Terminal) return thing;
  if (thing instanceof PolarizedPart) {
    return 'Connections must specify specific points of contact on polarized electrical components (e.g. anode, cathode)';
  }
  if (thing instanceof Wire) {
    return 'Connections must specify specific points of contact on unpolarized electrical components (e.g. terminal 1, terminal 2)';
  }
  if (thing.terminal1 === undefined) return `It's not clear how to connect something to ${thing.name}`;
  return (
    thing.freeTerminal ??
    `${thing.name} is already connected, and must be disconnected before it can be connected to something else`
  );
}

export const connect: ActionRule = {
  name: 'connect electrically',
  id: 16,
  pattern: [['connect'], 'terminalA', ['to', 'in', 'into'], 'terminalB'],
  refuse(_scene, [a, b]) {
    if (a === undefined || b === undefined) return '';
    const from = terminalOf(a);
    if (typeof from === 'string') return from;
    const to = terminalOf(b);
    if (typeof to === 'string') return to;
    if (from === to) return "Something can't be connected to itself.";
    const full = [from, to].find((terminal) => terminal.isFull);
    if (full === undefined) return undefined;
    return `${full.name} on ${full.part.name} is already connected, and must be disconnected before it can be connected to something else`;
  },
  perform(_scene, [a, b]) {
    const from = a === undefined ? '' : terminalOf(a);
    const to = b === undefined ? '' : terminalOf(b);
    if (typeof from === 'string' || typeof to === 'string') return UNFORESEEN;
    from.connect(to);
    to.connect(from);
    return `${from.name} on ${from.part.name} is now connected to ${to.name} on ${to.part.name}`;
  },
};

export const disconnect: ActionRule = {
  name: 'disconnect electrically',
  id: 17,
  pattern: [['disconnect'], 'obj'],
  refuse(_scene, [thing]) {
    if (!(thing instanceof Terminal)) return undefined;
    return `You must disconnect entire objects (such as ${thing.part.name}) instead of just single terminals`;
  },
  perform(_scene, [thing]) {
    thing?.disconnect();
    return `${thing?.name ?? ''} has been disconnected`;
  },
};

export const focusOn: ActionRule = {
  name: 'focus on',
  id: 11,
  pattern: [['focus on', 'focus'], 'obj'],
  refuse: () => undefined,
  perform({ focus }, [thing]) {
    focus.on = thing;
    return `You focus on the ${thing?.title() ?? ''}.`;
  },
};

export const resetTask: ActionRule = {
  name: 'reset task',
  id: 12,
  pattern: [['reset task']],
  refuse: () => undefined,
  perform({ focus, goals }) {
    goals.reset();
    focus.on = undefined;
    return 'You reset the goal progress and focus.';
  },
};

function waiting(name: string, id: number, word: string, ticks: number): ActionRule {
  return {
    name,
    id,
    pattern: [[word]],
    refuse: () => undefined,
    perform({ agent }) {
      agent.waiting = ticks;
      return `You decide to wait for ${ticks} iterations.`;
    },
  };
}

export const wait1 = waiting('wait1', 18, 'wait1', 1);
export const wait10 = waiting('wait10', 19, 'wait', 10);
