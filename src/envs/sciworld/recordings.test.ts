/** Every shared recording of ScienceWorld 1.3.0, replayed: same task, observations, scores and ends, through the simulator and the environment. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALL } from './catalogue.ts';
import { sciWorld } from './sciworld.ts';
import { Simulation } from './simulation.ts';

const shared = fileURLToPath(new URL('../../../../shared/data/sciworld/', import.meta.url));
const missing = !existsSync(shared);
if (missing) console.log(`skipped: recordings are not at ${shared}`);

interface Recording {
  readonly task: string;
  readonly variation: number;
  readonly desc: string;
  readonly inventory0: string;
  readonly steps: readonly (readonly [action: string, observation: string, score: number, completed: boolean])[];
}

function recordings(file: string): readonly Recording[] {
  if (missing) return [];
  const lines = readFileSync(shared + file, 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as Recording);
}

describe.skipIf(missing)('recordings of ScienceWorld 1.3.0', () => {
  for (const file of ['golden_gold_paths_1.3.0.jsonl', 'golden_random_walks_1.3.0.jsonl']) {
    it(`${file} is replayed byte for byte`, () => {
      const all = recordings(file);
      expect(all.length).toBeGreaterThan(0);
      const differing = all.filter((recording) => difference(recording) !== undefined);
      expect(differing.map((recording) => `${recording.task} ${recording.variation}: ${difference(recording)}`)).toEqual([]);
      console.log(`recordings equal: ${all.length - differing.length} of ${all.length} (${file})`);
    });
  }

  it('the environment gives the same words, and a reward that adds up to the score', () => {
    const env = sciWorld();
    const shown = new Map(ALL.map(({ task, number }, index) => [`${task.name} ${number}`, index]));
    for (const { task, variation, desc, steps } of recordings('golden_random_walks_1.3.0.jsonl').slice(0, 20)) {
      const episode = env.open({ env: 'sciworld', split: 'all', index: shown.get(`${task} ${variation}`) ?? -1 });
      expect(episode.observation).toBe(`${desc}\n${steps[0]?.[1]}`);
      let reward = 0;
      for (const [action, observation, score] of steps.slice(1)) {
        const step = episode.step(action);
        expect(step.observation).toBe(observation);
        reward += step.reward;
        expect(reward).toBeCloseTo(Math.round(100 * score) / 100, 10);
        if (step.done) break;
      }
    }
  });
});

/** The first thing that differs, or undefined. */
function difference({ task, variation, desc, inventory0, steps }: Recording): string | undefined {
  const simulation = new Simulation(task, variation);
  if (simulation.taskDescription !== desc) return 'the task';
  if (simulation.inventory() !== inventory0) return 'the inventory';
  for (const [i, [action, observation, score, completed]] of steps.entries()) {
    const step = simulation.step(action);
    if (step.observation !== observation) return `the answer to step ${i}, ${action}`;
    if (step.score !== score || step.isCompleted !== completed) return `the score of step ${i}, ${action}`;
  }
  return undefined;
}
