/** Goals on the agent and what is around it: places, devices, circuits, and what was done. */
import { lookAt, read } from '../actions/looking.ts';
import { use } from '../actions/doing.ts';
import { LivingThing } from '../life/living-thing.ts';
import { Generator, PolarizedPart, Wire } from '../things/electrical.ts';
import type { Agent } from '../things/agent.ts';
import type { Terminal, Thing } from '../things/thing.ts';
import type { Goal } from './goal.ts';

type Rest = Omit<Goal, 'check' | 'description'>;

function goal(description: string, rest: Rest, met: (agent: Agent, place: Thing) => boolean): Goal {
  return {
    description,
    ...rest,
    check: (_thing, { agent }) => (agent.container !== undefined && met(agent, agent.container) ? 'met' : 'open'),
  };
}

/** A goal that some thing in the agent's place meets, in whatever it is. */
function somewhereAround(description: string, rest: Rest, fits: (thing: Thing) => boolean): Goal {
  return { description, ...rest, check: (_thing, { around }) => (around.some(fits) ? 'met' : 'open') };
}

function isCalled(thing: Thing, name: string): boolean {
  const wanted = name.toLowerCase();
  return thing.name.toLowerCase() === wanted || thing.title().toLowerCase() === wanted;
}

export function moveTo(place: string, description: string, rest: Rest = {}): Goal {
  return goal(description, rest, (_agent, here) => here.name === place);
}

/** Elsewhere than at the first look; being in one place counts at once. */
export function moveOn(description: string, unlessIn = ''): Goal {
  let start: string | undefined;
  return goal(description, {}, (_agent, { name }) => {
    if (name === unlessIn) return true;
    if (start === undefined) {
      start = name;
      return false;
    }
    return name !== start;
  });
}

export function stayIn(place: string, checks: number, description: string): Goal {
  let stayed = 0;
  return goal(description, {}, (_agent, { name }) => {
    stayed = name === place ? stayed + 1 : 0;
    return name === place && stayed >= checks;
  });
}

export function nearOpenDoor(description: string): Goal {
  return goal(description, {}, (_agent, place) => place.portals.some((portal) => portal.isPassable));
}

export function beNear(name: string, description: string, rest: Rest = {}): Goal {
  return somewhereAround(
    description,
    rest,
    (thing) => thing.name.toLowerCase() === name.toLowerCase() || thing.title().toLowerCase() === name,
  );
}

/** Exactly these things, and nothing else that shows, together in one container. */
export function together(names: readonly string[], description: string): Goal {
  return somewhereAround(description, {}, (container) => {
    const things = container.visible;
    if (things.length !== names.length) return false;
    return things.every((thing) => names.includes(thing.name) || names.includes(thing.title()));
  });
}

/** A thing of that name directly in a container of that name. */
export function holds(container: string, name: string, description: string, rest: Rest = {}): Goal {
  return somewhereAround(
    description,
    rest,
    (holder) => isCalled(holder, container) && holder.visible.some((thing) => thing.name === name || thing.title() === name),
  );
}

export function isOpen(container: string, description: string, rest: Rest = {}): Goal {
  return somewhereAround(description, rest, (thing) => isCalled(thing, container) && thing.vessel?.isOpen === true);
}

export function isOn(device: string, description: string, rest: Rest = {}): Goal {
  return somewhereAround(description, rest, (thing) => isCalled(thing, device) && thing.device?.isActivated === true);
}

export function isOff(device: string, description: string, rest: Rest = {}): Goal {
  return somewhereAround(description, rest, (thing) => isCalled(thing, device) && thing.device?.isActivated === false);
}

export function burns(name: string, description: string, rest: Rest = {}): Goal {
  return somewhereAround(description, rest, (thing) => isCalled(thing, name) && thing.material?.burning === true);
}

export function countStage(species: string, stage: string, atLeast: number, description: string, rest: Rest = {}): Goal {
  const fits = (thing: Thing): boolean => thing instanceof LivingThing && thing.life.species === species && thing.stage === stage;
  return {
    description,
    ...rest,
    check: (_thing, { around }) => (around.filter(fits).length >= atLeast ? 'met' : 'open'),
  };
}

/** Which end of a part: the first is terminal 1 or the anode, the second terminal 2 or the cathode. */
export type End = 'first' | 'second';

export function wired(name: string, end: End, description: string): Goal {
  return somewhereAround(description, {}, (thing) => {
    if (!isCalled(thing, name)) return false;
    return endOf(thing, end)?.connections.some((terminal) => terminal.part instanceof Wire) === true;
  });
}

function endOf(thing: Thing, end: End): Terminal | undefined {
  if (thing instanceof PolarizedPart) return end === 'first' ? thing.anode : thing.cathode;
  return end === 'first' ? thing.terminal1 : thing.terminal2;
}

const isBulb = (part: Thing): boolean => part.kind === 'LightBulb';
const isSource = (part: Thing): boolean => part instanceof Generator;

/** One wire with both kinds of part on it. */
function wireBetween(description: string, a: (part: Thing) => boolean, b: (part: Thing) => boolean): Goal {
  return somewhereAround(description, {}, (thing) => {
    if (!(thing instanceof Wire)) return false;
    const parts = [thing.terminal1, thing.terminal2].flatMap((terminal) => terminal?.connections ?? []);
    return parts.some(({ part }) => a(part)) && parts.some(({ part }) => b(part));
  });
}

export function wireToSource(name: string, description: string, source = ''): Goal {
  const named = (part: Thing): boolean => isSource(part) && (source === '' || isCalled(part, source));
  return wireBetween(description, (part) => isCalled(part, name), named);
}

export function wireToBulb(name: string, description: string): Goal {
  return wireBetween(description, (part) => isCalled(part, name), isBulb);
}

export function wireFromSourceToBulb(description: string): Goal {
  return wireBetween(description, isSource, isBulb);
}

/** Something that the agent did since the goal was first looked at. */
function didSince(description: string, rest: Rest, did: (agent: Agent, since: number) => boolean): Goal {
  let since: number | undefined;
  return {
    description,
    ...rest,
    check(_thing, { agent }) {
      since ??= agent.history.length;
      return did(agent, since) ? 'met' : 'open';
    },
  };
}

export function examine(name: string, description: string, rest: Rest = {}): Goal {
  return didSince(description, rest, (agent, since) =>
    agent.history
      .slice(since)
      .some(({ rule, things: [thing] }) => rule === lookAt && thing !== undefined && isCalled(thing, name)),
  );
}

export function readDocument(name: string, description: string): Goal {
  return didSince(description, {}, (agent, since) =>
    agent.history.slice(since).some(({ rule, things: [thing] }) => rule === read && thing !== undefined && isCalled(thing, name)),
  );
}

/** The device by its name, or the other thing by its title: either is enough. */
export function useOn(device: string, patient: string, description: string, rest: Rest = {}): Goal {
  return didSince(description, rest, (agent, since) =>
    agent.history
      .slice(since)
      .some(
        ({ rule, things: [a, b] }) =>
          rule === use && (a?.name.toLowerCase() === device.toLowerCase() || b?.title().toLowerCase() === patient.toLowerCase()),
      ),
  );
}
