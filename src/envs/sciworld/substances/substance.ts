/** Substances: a name and a material, and nothing else. */
import { Thing } from '../things/thing.ts';
import type { World } from '../things/thing.ts';
import { Material } from './material.ts';
import type { MaterialKind } from './materials.ts';

interface SubstanceRow {
  readonly name: string;
  readonly material: MaterialKind;
  /** Solid bodies are described as things ("a brick"); blocks are also called by that word instead of "substance". */
  readonly body?: 'block' | 'thing';
}

const SUBSTANCES = {
  Air: { name: 'air', material: 'air' },
  Water: { name: 'water', material: 'water' },
  Lead: { name: 'lead', material: 'lead' },
  Tin: { name: 'tin', material: 'tin' },
  Mercury: { name: 'mercury', material: 'mercury' },
  Gallium: { name: 'gallium', material: 'gallium' },
  Caesium: { name: 'caesium', material: 'caesium' },
  Soap: { name: 'soap', material: 'soap' },
  Rubber: { name: 'rubber', material: 'rubber' },
  Wood: { name: 'wood', material: 'wood' },
  WoodBlock: { name: 'wood block', material: 'wood', body: 'block' },
  SteelBlock: { name: 'steel block', material: 'steel', body: 'block' },
  Brick: { name: 'brick', material: 'brick', body: 'thing' },
  Ash: { name: 'ash', material: 'ash' },
  Sodium: { name: 'sodium', material: 'sodium' },
  SodiumChloride: { name: 'sodium chloride', material: 'sodiumChloride' },
  SaltWater: { name: 'salt water', material: 'saltWater' },
  SoapyWater: { name: 'soapy water', material: 'soapyWater' },
  SodiumBicarbonate: { name: 'sodium bicarbonate', material: 'sodiumBicarbonate' },
  AceticAcid: { name: 'acetic acid', material: 'aceticAcid' },
  SodiumAcetate: { name: 'sodium acetate', material: 'sodiumAcetate' },
  IronBlock: { name: 'iron block', material: 'iron', body: 'block' },
  Rust: { name: 'rust', material: 'rust' },
  Sugar: { name: 'sugar', material: 'sugar' },
  SugarWater: { name: 'sugar water', material: 'sugar' },
} as const satisfies Readonly<Record<string, SubstanceRow>>;

export type SubstanceKind = keyof typeof SUBSTANCES;

export class Substance extends Thing {
  override material: Material;
  private readonly body: SubstanceRow['body'];

  constructor(world: World, kind: SubstanceKind) {
    const row: SubstanceRow = SUBSTANCES[kind];
    super(world, kind, row.name);
    this.material = new Material(row.material);
    this.body = row.body;
  }

  override referents(): readonly string[] {
    return [this.body === 'block' ? 'block' : 'substance', this.name, this.title()];
  }

  override describe(_detailed: boolean): string {
    return this.body === undefined ? `a substance called ${this.title()}` : `a ${this.title()}`;
  }
}

/** Frozen water; it is called water until the first tick finds out how cold it is. */
export function ice(world: World): Thing {
  const made = new Ice(world, 'Ice', 'water');
  made.material.temperature = -10;
  return made;
}

class Ice extends Thing {
  override material = new Material('water');

  override referents(): readonly string[] {
    return ['substance', this.name, this.title()];
  }

  override describe(_detailed: boolean): string {
    return `a substance called ${this.title()}`;
  }
}
