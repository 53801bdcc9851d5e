/** A picture of the present state, for viewers: places with what is in them, doors, and how far the goals are. */
import { LivingThing } from './life/living-thing.ts';
import { Place } from './places/location.ts';
import type { Simulation } from './simulation.ts';
import { Door } from './things/portal.ts';
import type { Thing } from './things/thing.ts';

export interface ThingState {
  readonly name: string;
  /** Degrees Celsius. */
  readonly temperature?: number;
  readonly burning?: true;
  /** For devices that can be switched. */
  readonly on?: boolean;
  readonly open?: boolean;
  /** Stage of life. */
  readonly stage?: string;
  readonly contents?: readonly ThingState[];
}

export interface SciWorldState {
  readonly task: string;
  readonly place: string;
  readonly places: readonly { readonly name: string; readonly things: readonly ThingState[] }[];
  readonly doors: readonly { readonly from: string; readonly to: string; readonly open: boolean }[];
  readonly inventory: readonly ThingState[];
  readonly focus: string | undefined;
  readonly score: number;
  readonly moves: number;
  readonly goals: readonly { readonly description: string; readonly met: boolean; readonly optional: boolean }[];
}

export function snapshot(simulation: Simulation, score: number): SciWorldState {
  const { universe, agent, goals, focus, moves, taskDescription } = simulation;
  const places = universe.contents.filter((thing) => thing instanceof Place);
  const doors = new Set(places.flatMap((place) => place.portals).filter((portal) => portal instanceof Door));
  return {
    task: taskDescription,
    place: agent.container?.name ?? '',
    places: places.map((place) => ({ name: place.name, things: seen(place, agent) })),
    doors: [...doors].map(({ from, to, portal }) => ({ from: from.name, to: to.name, open: portal.isOpen })),
    inventory: seen(agent.inventory, agent),
    focus: focus.on?.title(),
    score,
    moves,
    goals: goals.progress.filter(({ description }) => description !== ''),
  };
}

function seen(container: Thing, agent: Thing): readonly ThingState[] {
  return container.visible.filter((thing) => thing !== agent && thing.kind !== 'Air').map((thing) => stateOf(thing, agent));
}

function stateOf(thing: Thing, agent: Thing): ThingState {
  const { material, device, vessel } = thing;
  const contents = seen(thing, agent);
  return {
    name: thing.title(),
    ...(material === undefined ? {} : { temperature: Math.round(material.temperature) }),
    ...(material?.burning === true ? { burning: true } : {}),
    ...(device?.isActivable === true || device?.isActivated === true ? { on: device.isActivated } : {}),
    ...(vessel?.isClosable === true ? { open: vessel.isOpen } : {}),
    ...(thing instanceof LivingThing ? { stage: thing.stage } : {}),
    ...(contents.length === 0 ? {} : { contents }),
  };
}
