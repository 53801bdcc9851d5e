/**
 * ScienceWorld with `edition=1.2` against PyPI's scienceworld 1.2.3, which AgentGym installs: random valid actions on random variations. That release
 * keeps things in sets by their address in memory, and tells doors and things of one name in an order that changes from load to load. So texts are
 * compared as lines without their order; lists of actions where no name had to be drawn at random, since draws go by that order too; and a
 * play ends where bees fly, which move by draws.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { CATALOGUE } from '../../../src/envs/sciworld/catalogue.ts';
import { collected } from '../../../src/envs/sciworld/language/objects.ts';
import { drawNames } from '../../../src/envs/sciworld/language/referents.ts';
import { Simulation } from '../../../src/envs/sciworld/simulation.ts';
import { packagedOriginal, startOriginal, type Original } from './original.ts';

const jar = packagedOriginal('1.2.3');
const variations = 3;
const steps = 20;
const told = { steps: 0, equal: 0, lists: 0, comparable: 0 };

/** One kind of action is as likely as another; else nearly all would be connections. */
function pick(random: Random, valid: readonly string[]): string {
  const verbs = [...new Set(valid.map((text) => text.split(' ')[0] ?? ''))].filter((verb) => verb !== 'reset');
  const verb = random.pick(verbs);
  return random.pick(valid.filter((text) => text.split(' ')[0] === verb));
}

/** The lines of a text and the doors of a line, in alphabetical order. */
const unordered = (text: string): string[] =>
  text
    .split(/\n|, (?=A door)|: (?=A door)|\.$/)
    .map((line) => line.trim())
    .sort();

/** Do all things within sight have a name of their own? */
function namesAreDrawn({ agent, universe, world }: Simulation): boolean {
  const place = agent.container ?? universe;
  const [before, after] = [world.random.copy(), world.random.copy()];
  drawNames([...collected(place, false)], place, after);
  return before.nextInt(2 ** 30) !== after.nextInt(2 ** 30);
}

describe.skipIf(jar === undefined)('ScienceWorld 1.2.3', () => {
  let original: Original;
  beforeAll(() => {
    original = startOriginal(jar);
  });
  afterAll(() => {
    original.close();
    console.log(
      `${told.equal} of ${told.steps} observations equal byte for byte, the others but for their order; ${told.comparable} of ${told.lists} lists of actions without bees and drawn names, all equal`,
    );
  });

  it.each(CATALOGUE)(`$name: ${variations} variations, up to ${steps} valid actions each`, async ({ name, size }) => {
    for (let round = 0; round < variations; round++) {
      const random = Random.of(29, name, round);
      const variation = random.below(size);
      const { error, description } = await original.load(name, variation);
      const simulation = new Simulation(name, variation, new Set(), '1.2');
      expect({ error, description }).toEqual({ error: '', description: simulation.taskDescription });
      let action = 'look around';
      let bees = false;
      for (let step = 0; step < steps; step++) {
        const context = `${name} ${variation}, step ${step}: ${action}`;
        const [ours, theirs] = [{ ...simulation.step(action), moves: simulation.moves }, await original.step(action)];
        told.steps++;
        if (ours.observation === theirs.observation) told.equal++;
        // Which thing a number stands for goes by the order as well: a play ends where one would have to be chosen.
        if (/^Ambiguous/.test(theirs.observation)) {
          expect(ours.observation).toMatch(/^Ambiguous/);
          break;
        }
        expect({ context, ...ours, observation: unordered(ours.observation) }).toEqual({
          context,
          ...theirs,
          observation: unordered(theirs.observation),
        });
        const valid = simulation.peekValidTexts();
        bees = valid.some((text) => /\bbee\b/.test(text));
        if (bees) break;
        action = pick(random, valid);
      }
      // Once and last: listing draws, and what was drawn in another order would move the bees elsewhere.
      const drawn = namesAreDrawn(simulation);
      const [mine, other] = [simulation.validTexts(), await original.valid()];
      told.lists++;
      if (bees || drawn || /^\d+$/.test(other[0] ?? '')) continue;
      told.comparable++;
      expect({ name, variation, valid: mine }).toEqual({ name, variation, valid: other });
    }
  });
});
