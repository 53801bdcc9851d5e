/** Changes of state: the expert heats in the oven or the blast furnace, and cools in a freezer, until the goals are met. */
import type { StateOfMatter } from '../substances/material.ts';
import type { Thing } from '../things/thing.ts';
import type { Hand } from './hand.ts';
import { GivesUp } from './hand.ts';
import { bring, emptyCup, fetchWater } from './liquids.ts';

/** Degrees by which a source must go beyond what is needed. */
const MARGIN = 10;

/** The states that each task asks for, one after the other; undefined is any other than the present. */
const STATES: Readonly<Record<string, readonly (StateOfMatter | undefined)[]>> = {
  boil: ['liquid', 'gas'],
  melt: ['solid', 'liquid'],
  freeze: ['liquid', 'solid'],
  'change-the-state-of-matter-of': [undefined],
};

export function changeState(hand: Hand, task: string): void {
  const name = /^Your task is to (?:boil|melt|freeze|change the state of matter of) ([^.]*)\./.exec(
    hand.simulation.taskDescription,
  )?.[1];
  // Ice is called water until time passes.
  const isWanted = (thing: Thing): boolean => (name === 'ice' ? thing.kind === 'Ice' : thing.name === name);
  const substance = name === 'water' ? fetchWater(hand, emptyCup(hand)) : hand.find(isWanted);
  hand.focusOn(substance);
  const states = (STATES[task] ?? []).map((state) => state ?? other(substance));
  // What is to boil melts on the same fire.
  for (const [i, state] of states.entries()) bringInto(hand, substance, state, states[i + 1]);
}

/** Solids melt, liquids boil or freeze, whatever is nearer. */
function other({ material }: Thing): StateOfMatter {
  if (material === undefined || material.state === 'solid') return 'liquid';
  return material.boiling - material.temperature < material.temperature - material.melting ? 'gas' : 'solid';
}

function bringInto(hand: Hand, substance: Thing, state: StateOfMatter, next: StateOfMatter | undefined): void {
  const { material } = substance;
  if (material === undefined || material.state === state || hand.isDone) return;
  const warms = state === 'gas' || (state === 'liquid' && material.state === 'solid');
  // Burning counts as boiling.
  const enough = state === 'gas' || next === 'gas' ? Math.min(material.boiling, material.combustion) : material.melting;
  const source = warms ? heater(hand, enough) : cooler(hand, material.melting);
  hand.reach(source);
  hand.switchOn(source);
  if (substance.container !== source) bring(hand, substance, source);
  hand.waitUntil(() => substance.material?.state === state);
  // What is left on the fire may burn.
  if (warms && next === 'solid') hand.do('deactivate', source);
}

/** The gentlest source that is hot enough and works. */
function heater(hand: Hand, temperature: number): Thing {
  const fit = hand.things(
    ({ vessel, heater: source, device }) =>
      vessel?.isContainer === true && device?.isBroken === false && source !== undefined && source.limit > temperature + MARGIN,
  );
  const gentlest = [...fit].sort((a, b) => (a.heater?.limit ?? Infinity) - (b.heater?.limit ?? Infinity))[0];
  if (gentlest === undefined) throw new GivesUp(`nothing is hotter than ${temperature} degrees`);
  return gentlest;
}

function cooler(hand: Hand, temperature: number): Thing {
  return hand.find(({ cooler: source }) => source !== undefined && source.limit < temperature - 1);
}
