/** Small things of known material, for circuits and thermometers, and unknown substances to test. */
import { Material } from '../substances/material.ts';
import type { MaterialKind } from '../substances/materials.ts';
import { settleState } from '../processes/states.ts';
import { Thing } from './thing.ts';
import type { World } from './thing.ts';

/** Name, material, and what it is called by its material (undefined: not called so). */
const UTENSILS = {
  ForkMetal: { name: 'metal fork', material: 'steel', noun: 'fork' },
  ForkPlastic: { name: 'plastic fork', material: 'plastic', noun: 'fork' },
  PaperClip: { name: 'paper clip', material: 'steel', noun: 'paper clip' },
  AluminumFoil: { name: 'aluminum foil', material: 'aluminum', noun: undefined },
} as const satisfies Readonly<Record<string, { name: string; material: MaterialKind; noun: string | undefined }>>;

export class Utensil extends Thing {
  private readonly noun: string | undefined;

  constructor(world: World, kind: keyof typeof UTENSILS) {
    const row = UTENSILS[kind];
    super(world, kind, row.name);
    this.noun = row.noun;
    this.material = new Material(row.material);
  }

  override referents(): readonly string[] {
    const called = this.noun === undefined ? [] : [`${this.material?.substance ?? ''} ${this.noun}`];
    return [this.name, ...called, this.title()];
  }

  override describe(_detailed: boolean): string {
    return `A ${this.title()}`;
  }
}

class UnknownSubstance extends Thing {
  override material = new Material('metal');

  constructor(world: World, kind: string, letter: string) {
    super(world, kind, `unknown substance ${letter}`);
  }

  override referents(): readonly string[] {
    return [this.name, 'unknown substance', this.title()];
  }

  override describe(_detailed: boolean): string {
    return this.name;
  }
}

/** A substance that conducts current or does not, by the toss of a coin. */
export function unknownConductor(world: World, letter: string): Thing {
  const conducts = world.random.nextFloat() >= 0.5;
  const made = new UnknownSubstance(world, 'UnknownSubstanceElectricalConductivity', letter);
  made.material.conducts = conducts;
  return made;
}

/** A substance whose temperature is to be measured. */
export function unknownToMeasure(world: World, letter: string): Thing {
  return new UnknownSubstance(world, 'UnknownSubstanceThermal', letter);
}

/** Melting points in degrees Celsius. */
const MELTING_POINTS: Readonly<Record<string, number>> = {
  ...{ A: 25, B: 75, C: 115, D: -30, E: -10, F: 275, G: 30, H: 225, I: 75, J: -75, K: 520, L: 325, M: -25 },
  ...{ N: 175, O: 25, P: 75, Q: 425, R: 30, S: 15, T: -2, U: 625, V: -220, W: 575, X: -175, Y: 675, Z: 775 },
};

/** A substance whose melting point is to be found; its name says the state it is in. */
export function unknownToMelt(world: World, letter: string): Thing {
  const made = new UnknownSubstance(world, 'UnknownSubstanceThermal', letter);
  const { name, material } = made;
  const melting = MELTING_POINTS[letter];
  if (melting === undefined) throw new RangeError(`substance ${letter} has no melting point`);
  material.melting = melting;
  material.substance = name;
  material.names = { solid: `solid ${name}`, liquid: `liquid ${name}`, gas: `gaseous ${name}` };
  settleState(made, true);
  return made;
}
