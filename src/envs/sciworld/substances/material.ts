/** What one thing is made of, with the state it is in now: every thing has its own copy of its material's row. */
import type { MaterialKind } from './materials.ts';
import { MATERIALS } from './materials.ts';
import type { MaterialRow, StateOfMatter } from './material-row.ts';

export type { MaterialRow, StateOfMatter };

export class Material {
  declare readonly kind: MaterialKind;
  declare substance: string;
  declare names: MaterialRow['names'];
  declare readonly color: string;
  declare temperature: number;
  declare readonly conductivity: number;
  declare state: StateOfMatter;
  declare readonly boiling: number;
  declare melting: number;
  declare readonly combustion: number;
  declare fuel: number;
  declare conducts: boolean;
  declare readonly friction: number;
  declare burning: boolean;
  declare burned: boolean;

  constructor(kind: MaterialKind) {
    const row: MaterialRow = MATERIALS[kind];
    this.kind = kind;
    this.substance = row.substance;
    this.names = row.names;
    this.color = row.color;
    this.temperature = row.temperature;
    this.conductivity = row.conductivity;
    this.state = row.state;
    this.boiling = row.boiling;
    this.melting = row.melting;
    this.combustion = row.combustion;
    this.fuel = row.fuel;
    this.conducts = row.conducts;
    this.friction = row.friction;
    this.burning = false;
    this.burned = false;
  }
}
