/** Animals: a table of species, their spans of life in years, and how they grow up. */
import type { World } from '../things/thing.ts';
import type { AnimalCycle, LifeCycle } from './life-cycle.ts';
import { animalCycle } from './life-cycle.ts';
import { LivingThing } from './living-thing.ts';
import type { LifeTraits } from './traits.ts';
import { lifeOf } from './traits.ts';

export interface AnimalRow {
  readonly name: string;
  readonly lifespan: number;
  readonly cycle: AnimalCycle;
}

export const ANIMALS = {
  GiantTortoise: { name: 'giant tortoise', lifespan: 150, cycle: 'reptile' },
  Turtle: { name: 'turtle', lifespan: 30, cycle: 'reptile' },
  Parrot: { name: 'parrot', lifespan: 80, cycle: 'bird' },
  Elephant: { name: 'elephant', lifespan: 70, cycle: 'mammal' },
  Crocodile: { name: 'crocodile', lifespan: 45, cycle: 'reptile' },
  BrownBear: { name: 'brown bear', lifespan: 30, cycle: 'mammal' },
  Beaver: { name: 'beaver', lifespan: 16, cycle: 'mammal' },
  Wolf: { name: 'wolf', lifespan: 14, cycle: 'mammal' },
  Chipmunk: { name: 'chipmunk', lifespan: 12, cycle: 'mammal' },
  Toad: { name: 'common toad', lifespan: 10, cycle: 'frog' },
  Rabbit: { name: 'rabbit', lifespan: 9, cycle: 'mammal' },
  Mouse: { name: 'mouse', lifespan: 4, cycle: 'mammal' },
  Chameleon: { name: 'chameleon', lifespan: 3, cycle: 'reptile' },
  Dragonfly: { name: 'dragonfly', lifespan: 0.4, cycle: 'mammal' },
  Ant: { name: 'ant', lifespan: 0.1, cycle: 'mammal' },
  Hedgehog: { name: 'hedgehog', lifespan: 5, cycle: 'mammal' },
  Butterfly: { name: 'butterfly', lifespan: 0.1, cycle: 'butterfly' },
  Moth: { name: 'moth', lifespan: 0.2, cycle: 'butterfly' },
  Frog: { name: 'frog', lifespan: 6, cycle: 'frog' },
  Dove: { name: 'dove', lifespan: 2, cycle: 'bird' },
  BlueJay: { name: 'blue jay', lifespan: 7, cycle: 'bird' },
} as const satisfies Readonly<Record<string, AnimalRow>>;

export type AnimalKind = keyof typeof ANIMALS;

export class Animal extends LivingThing {
  override life: LifeTraits;
  override cycle: LifeCycle;

  constructor(world: World, kind: string, row: AnimalRow) {
    super(world, kind, row.name);
    this.life = lifeOf(row.name, row.lifespan);
    this.cycle = animalCycle(row.cycle, () => this.die());
  }

  /** A dead animal lets go of what it held. */
  private die(): void {
    this.life.isDead = true;
    if (this.container !== undefined) this.moveContentsTo(this.container);
  }

  override tick(): boolean {
    this.cycle.tick();
    return super.tick();
  }

  override title(override = ''): string {
    return super.title(override === '' ? this.canonicalName : override);
  }

  private get canonicalName(): string {
    const { name, word } = this.cycle.stage;
    if (word !== undefined) return word;
    return name === 'egg' ? `${this.life.species} egg` : `${name} ${this.life.species}`;
  }

  override referents(): readonly string[] {
    const title = this.title();
    return ['living thing', 'organism', this.name, title, `${this.stage} ${this.name}`, `${this.stage} ${title}`];
  }

  override describe(_detailed: boolean): string {
    const unwell = this.life.isSickly && !this.life.isDead ? ' (that looks unwell)' : '';
    return `a ${this.title()}${unwell}`;
  }
}

export function animal(world: World, kind: AnimalKind): Animal {
  return new Animal(world, kind, ANIMALS[kind]);
}

/** One animal for each stage of its life. */
export function animalsAtEveryStage(world: World, kind: AnimalKind): readonly Animal[] {
  // The original makes one animal to look up the stages; it takes three identities.
  const example = animal(world, kind);
  return example.cycle.stages.map((stage) => {
    const made = animal(world, kind);
    made.cycle.enter(stage.name);
    return made;
  });
}
