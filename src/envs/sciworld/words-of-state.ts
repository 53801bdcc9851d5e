/** How viewers name a thing: with what is hot, on, open or growing about it. */
import type { ThingState } from './state.ts';

const HOT = 60;
const COLD = 0;

export function label(thing: ThingState): string {
  const notes = [
    ...(thing.burning === true ? ['burning'] : []),
    ...(thing.on === true ? ['on'] : []),
    ...(thing.open === false ? ['closed'] : []),
    ...(thing.stage === undefined ? [] : [thing.stage]),
    ...(thing.temperature !== undefined && (isHot(thing) || isCold(thing)) ? [`${thing.temperature} °C`] : []),
  ];
  const inside = thing.open === false ? [] : (thing.contents ?? []).map(label);
  const text = notes.length === 0 ? thing.name : `${thing.name} [${notes.join(', ')}]`;
  return inside.length === 0 ? text : `${text}: ${inside.join('; ')}`;
}

export function isHot({ temperature, burning }: ThingState): boolean {
  return burning === true || (temperature !== undefined && temperature >= HOT);
}

export function isCold({ temperature }: ThingState): boolean {
  return temperature !== undefined && temperature <= COLD;
}
