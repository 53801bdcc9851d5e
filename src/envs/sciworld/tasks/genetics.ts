/** Find out by crossing plants whether a trait is dominant or recessive. */
import * as around from '../goals/around.ts';
import * as focused from '../goals/focused.ts';
import type { ChromosomePair, Dominance, Species, TraitName } from '../life/genetics.ts';
import { bredPair, GENOMES, randomAlleles } from '../life/genetics.ts';
import type { UnknownSpecies } from '../life/plants.ts';
import { PeaPlant, UnknownPlant } from '../life/plants.ts';
import type { Thing, World } from '../things/thing.ts';
import { place } from './changes.ts';
import type { Brief, Lot, TaskDefinition } from './definition.ts';
import { combinations, defineTask } from './definition.ts';
import { goToGreenhouse, haveSeedJar, raise, tendPots } from './growing-goals.ts';
import { boxPairs, potSets, seedJar } from './lots.ts';

interface Values {
  readonly dominance: Dominance;
  readonly trait: string;
  readonly value: string;
  readonly species: string;
  readonly plant: string;
  readonly pots: readonly string[];
  readonly boxForDominant: string;
  readonly boxForRecessive: string;
}

const GREENHOUSE = 'greenhouse';
const MOST_PLANTS = 6;

function traitLots(species: Species, traits: readonly TraitName[], jar: (trait: TraitName) => Thing): readonly Lot<Values>[] {
  return traits.flatMap((trait) =>
    (['dominant', 'recessive'] as const).map((dominance): Lot<Values> => {
      const value = GENOMES[species].find((row) => row.trait === trait)?.[dominance] ?? '';
      return {
        changes: [place(jar(trait), GREENHOUSE, { force: true })],
        values: { dominance, trait, value, species, plant: `${species} plant` },
      };
    }),
  );
}

/** A jar with one seed that is bred for the dominant value of a trait, and one for the recessive. */
function fill(jar: Thing, world: World, species: Species, trait: TraitName, make: (genes: ChromosomePair) => Thing): Thing {
  for (const dominance of ['dominant', 'recessive'] as const) {
    jar.add(make(bredPair(world.random, species, trait, dominance)));
  }
  return jar;
}

const PEA_TRAITS: readonly TraitName[] = ['plant height', 'seed shape', 'seed color', 'seed shape'];

function peaLots(world: World): readonly Lot<Values>[] {
  // Drawn and not used, as in the original.
  randomAlleles(world.random, 'pea');
  return traitLots('pea', PEA_TRAITS, (trait) => {
    // Here the seeds are made before their jar.
    const seeds = (['dominant', 'recessive'] as const).map(
      (dominance) => new PeaPlant(world, bredPair(world.random, 'pea', trait, dominance)),
    );
    const jar = seedJar(world);
    for (const seed of seeds) jar.add(seed);
    return jar;
  });
}

const UNKNOWN: readonly UnknownSpecies[] = ['unknown E', 'unknown B', 'unknown C', 'unknown D'];

function unknownLots(world: World): readonly Lot<Values>[] {
  return UNKNOWN.flatMap((species) => {
    // Drawn and not used, as in the original: a set of alleles, and two plants made to look up their names.
    randomAlleles(world.random, species);
    for (let i = 0; i < 2; i++) new UnknownPlant(world, species);
    const traits = GENOMES[species].map((row) => row.trait);
    return traitLots(species, traits, (trait) =>
      fill(seedJar(world), world, species, trait, (genes) => new UnknownPlant(world, species, genes)),
    );
  });
}

function geneticsBrief(values: Values): Brief {
  const { dominance, trait, value, species, plant, pots, boxForDominant, boxForRecessive } = values;
  const answer = dominance === 'dominant' ? boxForDominant : boxForRecessive;
  const after = ['atLeast2Reproducing'];
  return {
    description:
      `Your task is to determine whether ${value} ${trait} is a dominant or recessive trait in the ${plant}. ` +
      `If the trait is dominant, focus on the ${boxForDominant}. If the trait is recessive, focus on the ${boxForRecessive}. `,
    ordered: [focused.find(answer, { defocus: true, description: 'focus on the correct answer box' })],
    optional: [
      ...haveSeedJar(),
      ...goToGreenhouse(),
      ...tendPots(pots, species),
      ...raise(species, MOST_PLANTS),
      around.isOpen('bee hive', 'bee hive open (after reprod. life stage)', { after }),
      around.beNear('adult bee', 'be in same location as pollinator (after reprod. life stage)', { after }),
      around.beNear(species, 'be in same location as grown seed', { after }),
    ],
  };
}

function geneticsTask(name: string, size: number, plants: (world: World) => readonly Lot<Values>[]): TaskDefinition {
  return defineTask<Values>({
    name,
    choices: () => combinations(size, 5, 3),
    lots(world) {
      const genetics = plants(world);
      const pots = potSets(world, GREENHOUSE);
      const boxes = boxPairs<Values>(world, GREENHOUSE, ['red', 'green', 'blue', 'orange'], (dominant, recessive) => ({
        boxForDominant: dominant,
        boxForRecessive: recessive,
      }));
      return [genetics, pots, boxes];
    },
    brief: geneticsBrief,
  });
}

export const geneticsTasks: readonly TaskDefinition[] = [
  geneticsTask('mendelian-genetics-known-plant', 8, peaLots),
  geneticsTask('mendelian-genetics-unknown-plant', 32, unknownLots),
];
