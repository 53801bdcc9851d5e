/**
 * Mendel's genetics: a plant has two alleles for each trait, one from either parent; the recessive value shows only where both
 * alleles are recessive. The order of traits decides the order of random draws.
 */
import type { JavaRandom } from '../../../core/random/java.ts';

export type Dominance = 'dominant' | 'recessive';

export type TraitName =
  'plant height' | 'seed shape' | 'seed color' | 'flower color' | 'flower size' | 'leaf size' | 'leaf shape';

interface TraitRow {
  readonly trait: TraitName;
  readonly dominant: string;
  readonly recessive: string;
  /** The noun after the value: `tall height`. */
  readonly noun: string;
}

export interface Allele extends TraitRow {
  readonly dominance: Dominance;
}

export type Species = 'pea' | 'unknown B' | 'unknown C' | 'unknown D' | 'unknown E';

const row = (trait: TraitName, dominant: string, recessive: string, noun: string): TraitRow => ({
  trait,
  dominant,
  recessive,
  noun,
});

/** Traits of each plant, in the order in which its alleles are drawn. */
export const GENOMES: Readonly<Record<Species, readonly TraitRow[]>> = {
  pea: [
    row('plant height', 'tall', 'short', 'height'),
    row('seed shape', 'round', 'wrinkly', 'peas'),
    row('seed color', 'green', 'orange', 'peas'),
    row('flower color', 'purple', 'white', 'flowers'),
  ],
  'unknown B': [
    row('plant height', 'short', 'tall', 'height'),
    row('seed color', 'green', 'yellow', 'seed'),
    row('flower size', 'large', 'small', 'flowers'),
    row('flower color', 'orange', 'yellow', 'flowers'),
  ],
  'unknown C': [
    row('plant height', 'short', 'tall', 'height'),
    row('leaf shape', 'pointed', 'round', 'leaves'),
    row('flower size', 'large', 'small', 'flowers'),
    row('flower color', 'orange', 'yellow', 'flowers'),
  ],
  'unknown D': [
    row('seed shape', 'spherical', 'ovate', 'seed'),
    row('leaf size', 'medium', 'large', 'leaves'),
    row('flower size', 'small', 'medium', 'flowers'),
    row('flower color', 'blue', 'red', 'flowers'),
  ],
  'unknown E': [
    row('seed color', 'blue', 'brown', 'seed'),
    row('seed shape', 'round', 'square', 'seed'),
    row('leaf shape', 'elliptical', 'linear', 'leaves'),
    row('flower size', 'small', 'large', 'flowers'),
  ],
};

/** Plants bred for a trait draw their alleles in this order where it differs. */
const BRED_ORDER: Partial<Readonly<Record<Species, readonly TraitName[]>>> = {
  'unknown E': ['seed color', 'leaf shape', 'flower size', 'seed shape'],
};

/** The two alleles of every trait and what shows of them. */
export class ChromosomePair {
  readonly fromFirst: readonly Allele[];
  readonly fromSecond: readonly Allele[];

  constructor(fromFirst: readonly Allele[], fromSecond: readonly Allele[]) {
    this.fromFirst = fromFirst;
    this.fromSecond = fromSecond;
  }

  genotype(trait: TraitName): readonly [Allele, Allele] | undefined {
    const first = this.fromFirst.find((allele) => allele.trait === trait);
    const second = this.fromSecond.find((allele) => allele.trait === trait);
    return first === undefined || second === undefined ? undefined : [first, second];
  }

  /** The value that shows (`tall`), or undefined for a trait that the plant does not have. */
  phenotype(trait: TraitName): string | undefined {
    const alleles = this.genotype(trait);
    if (alleles === undefined) return undefined;
    const recessive = alleles.every((allele) => allele.dominance === 'recessive');
    return recessive ? alleles[0].recessive : alleles[0].dominant;
  }

  /** The value with its noun: `tall height`. */
  phenotypeText(trait: TraitName): string | undefined {
    const value = this.phenotype(trait);
    const noun = this.genotype(trait)?.[0].noun;
    return value === undefined || noun === undefined ? undefined : `${value} ${noun}`;
  }
}

export function randomAlleles(random: JavaRandom, species: Species): readonly Allele[] {
  return GENOMES[species].map((trait) => ({ ...trait, dominance: randomDominance(random) }));
}

export function randomPair(random: JavaRandom, species: Species): ChromosomePair {
  const first = randomAlleles(random, species);
  return new ChromosomePair(first, randomAlleles(random, species));
}

/** Pure bred in one trait, at random in the others. */
export function bredPair(random: JavaRandom, species: Species, trait: TraitName, as: Dominance): ChromosomePair {
  const order = BRED_ORDER[species] ?? GENOMES[species].map((own) => own.trait);
  const alleles = (): readonly Allele[] =>
    order.flatMap((name) => {
      const own = GENOMES[species].find((candidate) => candidate.trait === name);
      return own === undefined ? [] : [{ ...own, dominance: name === trait ? as : randomDominance(random) }];
    });
  const first = alleles();
  return new ChromosomePair(first, alleles());
}

/** Punnett's square: one of the four pairings of the parents' alleles for each trait. */
export function cross(random: JavaRandom, first: ChromosomePair, second: ChromosomePair): ChromosomePair {
  const traits = new Set([...first.fromFirst, ...second.fromFirst].map((allele) => allele.trait));
  const fromFirst: Allele[] = [];
  const fromSecond: Allele[] = [];
  for (const trait of traits) {
    const [a, b] = first.genotype(trait) ?? [];
    const [c, d] = second.genotype(trait) ?? [];
    if (a === undefined || b === undefined || c === undefined || d === undefined) continue;
    const square: readonly (readonly [Allele, Allele])[] = [
      [a, c],
      [a, d],
      [b, c],
      [b, d],
    ];
    const drawn = random.shuffle(square)[0];
    if (drawn === undefined) continue;
    fromFirst.push(drawn[0]);
    fromSecond.push(drawn[1]);
  }
  return new ChromosomePair(fromFirst, fromSecond);
}

function randomDominance(random: JavaRandom): Dominance {
  return random.nextInt(2) === 0 ? 'dominant' : 'recessive';
}
