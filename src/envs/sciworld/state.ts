/** The present state for viewers, as JSON: the agent's place with all that is in it, what is going on elsewhere, doors and goals. */
import { LivingThing } from './life/living-thing.ts';
import { Place } from './places/location.ts';
import type { Simulation } from './simulation.ts';
import { Door } from './things/portal.ts';
import type { Thing } from './things/thing.ts';
import { allWithin } from './things/within.ts';

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
    places: places.map((place) => ({
      name: place.name,
      things: place === agent.container ? seen(place, agent) : eventsIn(place, agent),
    })),
    doors: [...doors].map(({ from, to, portal }) => ({ from: from.name, to: to.name, open: portal.isOpen })),
    inventory: seen(agent.inventory, agent),
    focus: focus.on?.title(),
    score,
    moves,
    goals: goals.progress.filter(({ description }) => description !== ''),
  };
}

/** Degrees from which a thing counts as hot. */
const HOT = 60;

/** What is hot, on or alive in a place that the agent is not in. */
function eventsIn(place: Thing, agent: Thing): readonly ThingState[] {
  return allWithin(place)
    .filter(
      (thing) =>
        thing.kind !== 'Bee' &&
        (thing.material?.burning === true ||
          (thing.material !== undefined && thing.material.temperature >= HOT) ||
          (thing.device?.isActivable === true && thing.device.isActivated && thing.cooler === undefined) ||
          thing instanceof LivingThing),
    )
    .map((thing) => {
      const { contents: _contents, ...own } = stateOf(thing, agent);
      return own;
    });
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

export function isSciWorldState(state: unknown): state is SciWorldState {
  if (typeof state !== 'object' || state === null) return false;
  const { places, doors, inventory, goals } = state as Partial<Record<keyof SciWorldState, unknown>>;
  return [places, doors, inventory, goals].every(Array.isArray);
}
