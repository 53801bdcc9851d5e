/** Life cycles: a living thing passes through named stages; each stage decides at every tick whether the next one begins. */

export interface LifeStage {
  readonly name: string;
  /** What an animal is called in this stage, where the language has a word for it (`tadpole`). */
  readonly word?: string;
  tick(cycle: LifeCycle): void;
}

export class LifeCycle {
  readonly stages: readonly LifeStage[];
  private at = 0;

  constructor(stages: readonly LifeStage[]) {
    this.stages = stages;
  }

  get stage(): LifeStage {
    return this.stages[this.at] as LifeStage;
  }

  enter(name: string): void {
    const at = this.stages.findIndex((stage) => stage.name === name);
    if (at >= 0) this.at = at;
  }

  tick(): void {
    this.stage.tick(this);
  }
}

/** Animals grow by time alone: each stage lasts a number of ticks, the last one (death) for ever. */
export interface AnimalStageRow {
  readonly name: string;
  readonly ticks: number;
  readonly word?: string;
}

const JUVENILE = 20;
const ADULT = 50;

const egg = (word?: string): AnimalStageRow => ({ name: 'egg', ticks: JUVENILE, ...(word === undefined ? {} : { word }) });

const LAYS_EGGS: readonly AnimalStageRow[] = [
  egg(),
  { name: 'hatchling', ticks: JUVENILE },
  { name: 'juvenile', ticks: JUVENILE },
  { name: 'adult', ticks: ADULT },
  { name: 'dead', ticks: Infinity },
];

const ANIMAL_CYCLES = {
  mammal: [
    { name: 'baby', ticks: JUVENILE },
    { name: 'juvenile', ticks: JUVENILE },
    { name: 'adult', ticks: ADULT },
    { name: 'dead', ticks: Infinity },
  ],
  bird: LAYS_EGGS,
  reptile: LAYS_EGGS,
  butterfly: [
    egg('butterfly egg'),
    { name: 'caterpillar', ticks: JUVENILE, word: 'caterpillar' },
    { name: 'pupa', ticks: JUVENILE, word: 'butterfly pupa' },
    { name: 'adult', ticks: ADULT, word: 'adult butterfly' },
    { name: 'death', ticks: Infinity, word: 'dead butterfly' },
  ],
  frog: [
    egg('frog egg'),
    { name: 'tadpole', ticks: JUVENILE, word: 'tadpole' },
    { name: 'adult', ticks: ADULT, word: 'adult frog' },
    { name: 'death', ticks: Infinity, word: 'dead frog' },
  ],
  /** Bees do not age. */
  forever: [
    { name: 'adult', ticks: Infinity },
    { name: 'dead', ticks: Infinity },
  ],
} as const satisfies Readonly<Record<string, readonly AnimalStageRow[]>>;

export type AnimalCycle = keyof typeof ANIMAL_CYCLES;

/** The cycle of one animal; `die` runs at every tick of the last stage. */
export function animalCycle(kind: AnimalCycle, die: () => void): LifeCycle {
  const rows: readonly AnimalStageRow[] = ANIMAL_CYCLES[kind];
  return new LifeCycle(
    rows.map((row, i) => {
      let age = 0;
      const next = rows[i + 1];
      return {
        ...row,
        tick(cycle: LifeCycle): void {
          if (next === undefined) {
            die();
            return;
          }
          age += 1;
          if (age >= row.ticks) cycle.enter(next.name);
        },
      };
    }),
  );
}
