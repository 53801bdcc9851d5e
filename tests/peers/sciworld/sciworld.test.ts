/** ScienceWorld against the original 1.3.0: random valid actions on random variations; lists, answers, scores and moves agree. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { CATALOGUE } from '../../../src/envs/sciworld/catalogue.ts';
import { Simulation } from '../../../src/envs/sciworld/simulation.ts';
import { readSimplifications, simplificationsFor } from '../../../src/envs/sciworld/simplifications.ts';
import { originalMissing, startOriginal, type Original } from './original.ts';

const missing = originalMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

const variations = 3;
const steps = 60;
/** The list of valid actions is asked for now and then: it is what takes the original its time. */
const listEvery = 4;

/** One kind of action is as likely as another; else nearly all would be connections. */
function pick(random: Random, valid: readonly string[]): string {
  const verbs = [...new Set(valid.map((text) => text.split(' ')[0] ?? ''))].filter((verb) => verb !== 'reset');
  const verb = random.pick(verbs);
  return random.pick(valid.filter((text) => text.split(' ')[0] === verb));
}

describe.skipIf(missing !== undefined)('ScienceWorld 1.3.0', () => {
  let original: Original;
  beforeAll(() => {
    original = startOriginal();
  });
  afterAll(() => original.close());

  it.each(CATALOGUE)(`$name: ${variations} variations, ${steps} valid actions each`, async ({ name, size }) => {
    for (let round = 0; round < variations; round++) {
      const random = Random.of(23, name, round);
      const variation = random.below(size);
      const simplifications = round === 2 ? 'easy' : '';
      const { error, description } = await original.load(name, variation, simplifications);
      const simulation = new Simulation(name, variation, simplificationsFor(name, readSimplifications(simplifications)));
      expect({ error, description }).toEqual({ error: '', description: simulation.taskDescription });
      let action = 'look around';
      for (let step = 0; step < steps; step++) {
        const context = `${name} ${variation}, step ${step}: ${action}`;
        expect({ context, ...simulation.step(action), moves: simulation.moves }).toEqual({
          context,
          ...(await original.step(action)),
        });
        let valid = simulation.peekValidTexts();
        if (step % listEvery === 0) {
          valid = simulation.validTexts();
          expect({ context, valid }).toEqual({ context, valid: await original.valid() });
        }
        action = pick(random, valid);
      }
    }
  });
});
