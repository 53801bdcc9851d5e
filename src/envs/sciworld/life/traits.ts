/** What every living thing has: its kind, the temperatures it bears, and how it is doing. Animals also have a span of life. */

export interface LifeTraits {
  /** Kind of plant or animal: `apple`, `giant tortoise`. */
  readonly species: string;
  /** Temperatures in degrees Celsius outside which it falls ill. */
  readonly coldest: number;
  readonly hottest: number;
  isSickly: boolean;
  isDead: boolean;
  /** Typical span of life in years; 0 where the simulator keeps none. */
  readonly lifespan: number;
}

export function lifeOf(species: string, lifespan = 0): LifeTraits {
  return { species, coldest: 0, hottest: 50, isSickly: false, isDead: false, lifespan };
}
