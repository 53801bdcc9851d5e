/** Going from place to place; teleporting is a simplification. */
import { Location } from '../places/location.ts';
import type { Agent } from '../things/agent.ts';
import type { Passage } from '../things/thing.ts';
import { Door } from '../things/portal.ts';
import type { Thing } from '../things/thing.ts';
import type { ActionRule } from './action.ts';
import { UNFORESEEN } from './action.ts';

function closedText(portal: Passage): string {
  return `The ${portal.name} is not open.`;
}

/** The portal from the agent's place whose other side goes by the location's name. */
function wayTo(agent: Agent, location: Thing): Passage | undefined {
  const here = agent.container;
  if (!(here instanceof Location)) return undefined;
  return here.portals.find((portal) => portal.leadsTo(here)?.referents().includes(location.name) === true);
}

export const go: ActionRule = {
  name: 'move through door',
  id: 2,
  pattern: [
    [...['go', 'go through', 'walk through', 'move through', 'go to', 'walk to', 'move to', 'go into', 'move into']],
    'doorOrLocation',
  ],
  refuse({ agent }, [thing]) {
    if (thing instanceof Door) {
      if (!thing.isPassable) return closedText(thing);
      const to = agent.container === undefined ? undefined : thing.leadsTo(agent.container);
      return to === undefined ? "The door doesn't appear to go anywhere." : undefined;
    }
    if (thing instanceof Location) {
      const way = wayTo(agent, thing);
      if (way === undefined) return "It's not clear how to get there from here.";
      return way.isPassable ? undefined : closedText(way);
    }
    return `Its not clear how to go to/through a ${thing?.name ?? ''}.`;
  },
  perform({ agent }, [thing]) {
    if (thing instanceof Door) {
      const to = agent.container === undefined ? undefined : thing.leadsTo(agent.container);
      to?.add(agent);
      return `You move through the ${thing.name} to the ${to?.name ?? ''}.`;
    }
    if (!(thing instanceof Location)) return UNFORESEEN;
    thing.add(agent);
    return `You move to the ${thing.name}.`;
  },
  spelling: 'go to OBJ',
};

export const teleport: ActionRule = {
  name: 'teleport to location',
  // The original numbers it like going through doors.
  id: 2,
  pattern: [['teleport', 'teleport to', 'teleport into'], 'location'],
  isOracle: true,
  refuse(_scene, [thing]) {
    if (thing instanceof Location && thing.name.toLowerCase() !== 'universe') return undefined;
    return `Its not clear how to go to ${thing?.name ?? ''}.`;
  },
  perform({ agent }, [thing]) {
    thing?.add(agent);
    return `You teleport to the ${thing?.name ?? ''}.`;
  },
  spelling: 'teleport to OBJ',
};
