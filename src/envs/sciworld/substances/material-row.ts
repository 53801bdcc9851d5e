/** A row of the table of materials (materials.ts). */
export type StateOfMatter = 'solid' | 'liquid' | 'gas';

export interface MaterialRow {
  readonly substance: string;
  /** The thing's name in each state; a state without a name leaves the name as it is. */
  readonly names: Readonly<Partial<Record<StateOfMatter, string>>>;
  readonly color: string;
  readonly temperature: number;
  readonly conductivity: number;
  readonly state: StateOfMatter;
  readonly boiling: number;
  readonly melting: number;
  readonly combustion: number;
  readonly fuel: number;
  readonly conducts: boolean;
  readonly friction: number;
}
