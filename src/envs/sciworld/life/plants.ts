/** Plants: fruit trees, and plants with genes whose traits show in their descriptions. */
import { Material } from '../substances/material.ts';
import { listed } from '../things/listing.ts';
import type { Vessel } from '../things/properties.ts';
import { openVessel } from '../things/properties.ts';
import { trim } from '../language/java-strings.ts';
import type { World } from '../things/thing.ts';
import type { ChromosomePair, Species } from './genetics.ts';
import { randomPair } from './genetics.ts';
import type { LifeCycle } from './life-cycle.ts';
import { LivingThing } from './living-thing.ts';
import { plantCycle } from './plant-cycle.ts';
import type { LifeTraits } from './traits.ts';
import { lifeOf } from './traits.ts';

export abstract class Plant extends LivingThing {
  override life: LifeTraits;
  override cycle: LifeCycle;
  override vessel: Vessel = openVessel();

  constructor(world: World, kind: string, species: string, name = 'plant') {
    super(world, kind, name);
    this.type = 'plant';
    this.life = lifeOf(species);
    this.material = new Material('plantMatter');
    this.edible = true;
    this.cycle = plantCycle(this);
  }

  get isSeed(): boolean {
    return this.stage === 'seed';
  }

  override get tree(): { readonly isSeed: boolean } {
    return this;
  }

  /** `apple tree`, `pea plant`: the word for the grown plant. */
  protected abstract readonly noun: string;

  protected get plantName(): string {
    return this.title(`${this.life.species} ${this.isSeed ? 'seed' : this.noun}`);
  }

  override tick(): boolean {
    this.name = this.plantName;
    this.edible = this.isSeed;
    this.cycle.tick();
    return super.tick();
  }

  override referents(): readonly string[] {
    const plain = this.plainReferents();
    return this.life.isSickly ? [...plain, ...plain.map((referent) => `sick ${referent}`)] : plain;
  }

  protected plainReferents(): readonly string[] {
    const { name, plantName, stage } = this;
    const title = this.title();
    const during = ` in the ${stage} stage`;
    return [
      ...['living thing', 'organism', name, name + during, `${stage} plant`],
      ...[plantName, plantName + during, `${stage} ${plantName}`, title, title + during],
    ];
  }

  /** What shows of the genes in this stage. */
  protected traits(): string {
    return '';
  }

  protected describeSeed(): string {
    return `a ${this.plantName}`;
  }

  override describe(_detailed: boolean): string {
    if (this.life.isDead) return `a dead ${this.plantName}`;
    if (this.isSeed) return this.describeSeed();
    const unwell = this.life.isSickly ? ' (that looks unwell)' : '';
    const text = `a ${this.plantName} in the ${this.stage} stage${this.traits()}${unwell}`;
    const things = this.visible;
    return things.length === 0 ? text : `${text}. On the ${this.plantName} you see: ${listed(things, this)}. `;
  }
}

const FRUIT_TREES = {
  AppleTree: 'apple',
  AvocadoTree: 'avocado',
  ApricotTree: 'apricot',
  BananaTree: 'banana',
  CherryTree: 'cherry',
  GrapefruitTree: 'grapefruit',
  LemonTree: 'lemon',
  OrangeTree: 'orange',
  PeachTree: 'peach',
  PearTree: 'pear',
} as const;

export type TreeKind = keyof typeof FRUIT_TREES;

export class FruitTree extends Plant {
  protected override readonly noun = 'tree';

  constructor(world: World, kind: TreeKind) {
    super(world, kind, FRUIT_TREES[kind]);
  }
}

/** One tree for each stage of its life. */
export function treesAtEveryStage(world: World, kind: TreeKind): readonly FruitTree[] {
  // The original makes one tree to look up the stages; it takes three identities.
  const example = new FruitTree(world, kind);
  return example.cycle.stages.map((stage) => {
    const made = new FruitTree(world, kind);
    made.cycle.enter(stage.name);
    return made;
  });
}

/** A plant whose height, leaves, flowers and seeds its genes decide. */
abstract class MendelPlant extends Plant {
  protected override readonly noun = 'plant';

  protected override plainReferents(): readonly string[] {
    const plain = [...super.plainReferents(), this.life.species];
    const traits = this.traits();
    const prefix = traits.startsWith(' with a ') ? traits.slice(' with a'.length) : traits;
    if (prefix.length === 0) return plain;
    const named = `${trim(prefix)} ${this.plantName}`;
    // The name is a pattern in the original, so "(on fire)" is a group there.
    const pattern = new RegExp(this.plantName, 'g');
    return [...plain, ...plain.map((referent) => referent.replace(pattern, named))];
  }

  protected override describeSeed(): string {
    return `a ${this.traits()} ${this.plantName}`;
  }

  protected get isGrown(): boolean {
    return this.stage === 'adult' || this.stage === 'reproducing';
  }
}

export class PeaPlant extends MendelPlant {
  constructor(world: World, genes?: ChromosomePair) {
    super(world, 'PeaPlant', 'pea', 'pea');
    this.chromosomes = genes ?? randomPair(world.random, 'pea');
  }

  protected override traits(): string {
    const genes = this.chromosomes;
    if (genes === undefined) return '';
    if (this.isSeed) return `${genes.phenotype('seed shape') ?? ''} ${genes.phenotype('seed color') ?? ''} `;
    return this.isGrown ? ` with a ${genes.phenotypeText('plant height') ?? ''}` : '';
  }
}

export type UnknownSpecies = Exclude<Species, 'pea'>;

export class UnknownPlant extends MendelPlant {
  constructor(world: World, species: UnknownSpecies, genes?: ChromosomePair) {
    super(world, `RandomGeneticsPlants${species.slice(-1)}`, species, species);
    // Every unknown plant draws the genes of plant E first, as its base class in the original does.
    randomPair(world.random, 'unknown E');
    this.chromosomes = genes ?? randomPair(world.random, species);
  }

  protected override traits(): string {
    const genes = this.chromosomes;
    if (genes === undefined) return '';
    if (this.isSeed) return joined([genes.phenotype('seed shape'), genes.phenotype('seed color')]);
    if (!this.isGrown) return '';
    const height = genes.phenotypeText('plant height');
    const leaves = joined([genes.phenotype('leaf size'), genes.phenotype('leaf shape')]);
    const parts = [...(height === undefined ? [] : [`a ${height}`]), ...(leaves === '' ? [] : [`${leaves} leaves`])];
    return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
  }
}

function joined(values: readonly (string | undefined)[]): string {
  return values.filter((value) => value !== undefined).join(' ');
}
