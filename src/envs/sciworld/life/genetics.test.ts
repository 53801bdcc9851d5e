import { describe, expect, it } from 'vitest';
import { JavaRandom } from '../../../core/random/java.ts';
import { bredPair, ChromosomePair, cross, GENOMES, randomPair, type Allele, type Dominance, type Species } from './genetics.ts';

const species = Object.keys(GENOMES) as Species[];
const alleles = (of: Species, dominance: Dominance): readonly Allele[] => GENOMES[of].map((trait) => ({ ...trait, dominance }));

describe.each(species)('%s', (kind) => {
  const dominant = alleles(kind, 'dominant');
  const recessive = alleles(kind, 'recessive');
  it('shows the recessive value only where both alleles are recessive', () => {
    for (const { trait, dominant: strong, recessive: weak } of GENOMES[kind]) {
      expect(new ChromosomePair(dominant, dominant).phenotype(trait)).toBe(strong);
      expect(new ChromosomePair(dominant, recessive).phenotype(trait)).toBe(strong);
      expect(new ChromosomePair(recessive, dominant).phenotype(trait)).toBe(strong);
      expect(new ChromosomePair(recessive, recessive).phenotype(trait)).toBe(weak);
    }
  });
  it('bred for a trait shows it, and so do the children of two such parents', () => {
    const random = new JavaRandom(7);
    for (const { trait, recessive: weak, noun } of GENOMES[kind])
      for (let turn = 0; turn < 5; turn++) {
        const parents = [bredPair(random, kind, trait, 'recessive'), bredPair(random, kind, trait, 'recessive')] as const;
        for (const plant of [...parents, cross(random, ...parents)]) {
          expect(plant.phenotype(trait)).toBe(weak);
          expect(plant.phenotypeText(trait)).toBe(`${weak} ${noun}`);
        }
      }
  });
  it('first children of pure parents all show the dominant value; their children show both', () => {
    const random = new JavaRandom(11);
    const [trait] = GENOMES[kind];
    if (!trait) throw new Error('no trait');
    const mixed = (): ChromosomePair =>
      cross(random, new ChromosomePair(dominant, dominant), new ChromosomePair(recessive, recessive));
    const shown = new Map<string | undefined, number>();
    for (let turn = 0; turn < 200; turn++) {
      expect(mixed().phenotype(trait.trait)).toBe(trait.dominant);
      const value = cross(random, mixed(), mixed()).phenotype(trait.trait);
      shown.set(value, (shown.get(value) ?? 0) + 1);
    }
    // Mendel's three to one; the draws are seeded.
    expect((shown.get(trait.recessive) ?? 0) / 200).toBeCloseTo(0.25, 1);
  });
  it('has a pair of alleles for every trait, and the same ones for the same seed', () => {
    const one = randomPair(new JavaRandom(3), kind);
    for (const { trait } of GENOMES[kind]) expect(one.genotype(trait)).toHaveLength(2);
    expect(randomPair(new JavaRandom(3), kind)).toEqual(one);
  });
});

it('two kinds of plants hand on only the traits that both have', () => {
  const child = cross(new JavaRandom(1), randomPair(new JavaRandom(2), 'pea'), randomPair(new JavaRandom(3), 'unknown D'));
  expect(child.fromFirst.map(({ trait }) => trait).sort()).toEqual(['flower color', 'seed shape']);
  expect(child.phenotype('plant height')).toBeUndefined();
  expect(child.phenotypeText('leaf size')).toBeUndefined();
});
