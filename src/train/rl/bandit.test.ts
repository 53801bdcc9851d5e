/**
 * A bandit, where what each algorithm should end at is known: the best arm, or with a divergence or an entropy in the loss the softmax of
 * the payments. One token is one episode, so nothing but the algorithm is in the way.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import { algorithms } from '../../config/recipe/algorithm-keys.ts';
import type { Sample, SampleRequest } from '../../engine/engine.ts';
import type { Environment } from '../../envs/environment.ts';
import { RunDirectory } from '../../run/run-directory.ts';
import type { StepSummary } from '../run/events.ts';
import { trainRl } from './trainer.ts';
import { TabularEngine } from '../fixtures/tabular-engine.fixture.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-bandit-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What an arm pays; any other word pays nothing. */
const pays: Readonly<Record<string, number>> = { red: 0.1, blue: 1, left: 0.4, right: 0.6 };
const words = Object.keys(pays);

const bandit: Environment = {
  name: 'bandit',
  version: '1',
  splits: ['train'],
  instructions: { task: 'Choose.', actions: [] },
  tasks: () => ({ size: Infinity, info: (index) => ({ category: '', itemId: `bandit_${index}` }) }),
  open: () => ({
    observation: '?',
    step: (action) => ({ observation: '?', reward: pays[action] ?? 0, done: true, success: action === 'blue' }),
    [Symbol.asyncDispose]: async () => undefined,
  }),
  expert: () => ({ follows: true, next: () => 'blue' }),
};

/** Remembers what it was asked, so that its distribution there can be read off. */
class Watched extends TabularEngine {
  private asked: readonly number[] = [];
  override sample(request: SampleRequest): Promise<Sample> {
    this.asked = [...request.prompt];
    return super.sample(request);
  }
  async distribution(): Promise<number[]> {
    const data = Array.from({ length: this.model.vocabulary }, (_, token) => {
      const tokens = Int32Array.from([...this.asked, token]);
      return { tokens, mask: Uint8Array.from(tokens, (_, t) => (t === this.asked.length ? 1 : 0)) };
    });
    return (await this.forward(data)).map(({ scores }) => Math.exp(scores[0] ?? NaN));
  }
}

/** The chance of every token after training: the mean over the last third of the steps. */
async function learned(name: string, given: Record<string, unknown>): Promise<Map<string, number>> {
  const recipe = rlRecipe({
    run: name,
    tasks: [{ env: 'bandit' }],
    agent: { max_turns: 1, tokens_per_turn: 1 },
    rollout: { groups: 2, samples: 12 },
    steps: 12,
    optimizer: { lr: 0.8, schedule: 'linear', min_ratio: 0.2 },
    evaluate: { at_end: false },
    checkpoint: { every: 0, at_end: false },
    log: { episodes: 0, drift: 0, agreement: false },
    ...given,
  });
  const facts = { name, kind: 'rl' as const, title: name, seed: 1, steps: recipe.steps, versions: {}, environments: {} };
  const directory = await RunDirectory.create(join(folder, name), '', facts);
  const engine = new Watched({ words, seed: 1 });
  const seen: Promise<number[]>[] = [];
  const parts = {
    engine,
    reference: new TabularEngine({ words, seed: 1 }),
    ...(recipe.algorithm.estimator === 'gae' ? { critic: new TabularEngine({ words, head: 'value' }) } : {}),
    environment: async () => bandit,
  };
  const onStep = ({ step, steps }: StepSummary): void => {
    if (step > (2 * (steps ?? 0)) / 3) seen.push(engine.distribution());
  };
  await trainRl(recipe, parts, directory, { signal: new AbortController().signal, events: { onStep } });
  const each = await Promise.all(seen);
  const mean = (token: number): number => each.reduce((sum, p) => sum + (p[token] ?? 0), 0) / each.length;
  return new Map(
    Array.from({ length: engine.model.vocabulary }, (_, token) => [engine.model.tokenizer.decode([token]), mean(token)]),
  );
}

describe('a bandit', () => {
  it.each(Object.keys(algorithms))('%s comes to the best arm', async (name) => {
    const algorithm = { name, ...(name === 'gspo' ? { clip: 0.2 } : {}) };
    const more = name === 'evol' ? { update: { epochs: 6 } } : {};
    const chances = await learned(name, { algorithm, ...more });
    expect(chances.get('blue')).toBeGreaterThan(name === 'evol' ? 0.25 : 0.7); // chance: 0.125; evol begins anew at each step
  });

  // Where the loss is −E[r] + β·KL(π ‖ uniform), or −E[r] − β·H(π), the best policy is the softmax of r/β.
  const beta = 0.5;
  it.each([
    ['KL in the loss', { kl: { coefficient: beta, estimator: 'k2' } }],
    ['KL in the reward', { kl: { coefficient: beta, in: 'reward', estimator: 'k1' } }],
    ['entropy', { entropy: beta }],
  ])('with %s: to the softmax of what is paid', async (label, given) => {
    const chances = await learned(label.replaceAll(' ', '-'), {
      steps: 60,
      rollout: { groups: 1, samples: 48 },
      optimizer: { lr: 0.2, schedule: 'linear' },
      algorithm: { name: 'rloo', ...given },
    });
    const total = [...chances.keys()].reduce((sum, word) => sum + Math.exp((pays[word] ?? 0) / beta), 0);
    for (const [word, chance] of chances)
      expect(Math.abs(chance - Math.exp((pays[word] ?? 0) / beta) / total), word).toBeLessThan(0.03);
  });
});
