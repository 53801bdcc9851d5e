/**
 * The weather of any place on any day, from a seed: temperatures by latitude, height and season, wet and dry spells, snow where it is cold,
 * air by place. A function of where and when, so that nothing is stored.
 */
import { Random } from '../../../core/random/random.ts';
import { places } from './places.ts';

export interface Day {
  readonly max: number;
  readonly min: number;
  readonly mean: number;
  /** Millimetres. */
  readonly rain: number;
  /** Centimetres. */
  readonly snow: number;
  /** European index of fine dust at noon. */
  readonly air: number;
}

const tenth = (value: number): number => Math.round(value * 10) / 10 || 0;

/** The day with this number since 1970, at a point of a tenth of a degree. */
export function dayAt(seed: number, latitude: number, longitude: number, day: number): Day {
  const cell = Random.of(seed, 'sky', Math.round(latitude * 10), Math.round(longitude * 10));
  const [damp, dust] = [0.15 + 0.4 * cell.float(), 10 + 45 * cell.float()];
  const drift = (n: number, days: number): number => {
    const at = n / days;
    const [left, right] = [Math.floor(at), Math.floor(at) + 1].map((knot) => cell.split('drift', days, knot).normal());
    return (left ?? NaN) + ((right ?? NaN) - (left ?? NaN)) * (at - Math.floor(at));
  };
  const far = Math.abs(latitude);
  const year = 29 - 0.0095 * far * far - 0.0055 * elevationAt(latitude, longitude);
  const season = Math.cos((2 * Math.PI * ((((day % 365.25) + 365.25) % 365.25) - 200)) / 365.25) * (latitude < 0 ? -1 : 1);
  const mean = year + 0.28 * far * season + 3 * drift(day, 5);
  const today = cell.split('day', day);
  const wet = drift(day + 1000, 3) / 2 + today.float() < damp;
  const amount = wet ? -8 * Math.log(1 - today.float()) : 0;
  const cold = mean < 1;
  return {
    max: tenth(mean + 2 + 4 * today.float()),
    min: tenth(mean - 2 - 4 * today.float()),
    mean: tenth(mean),
    rain: cold ? 0 : tenth(amount),
    snow: cold ? tenth(amount * 0.7) : 0,
    air: Math.round(Math.min(98, Math.max(3, dust + 12 * drift(day - 500, 4)))),
  };
}

/** Metres above the sea: those of a place nearby, else hills from the seedless noise of the point. */
export function elevationAt(latitude: number, longitude: number): number {
  const near = places.find((place) => Math.abs(place.latitude - latitude) < 0.2 && Math.abs(place.longitude - longitude) < 0.2);
  if (near) return near.elevation;
  return Math.round(1500 * Random.of(0, 'height', Math.round(latitude * 10), Math.round(longitude * 10)).float() ** 3);
}
