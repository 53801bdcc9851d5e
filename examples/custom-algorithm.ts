/**
 * An algorithm of one's own as a library: an estimator and a loss, made known by name, and a run that uses them. Run as it is:
 *   npx tsx examples/custom-algorithm.ts
 * In a recipe the two stand in files of their own: algorithm: { estimator: ./mine.ts, loss: ./other.ts }.
 */
import { registerEstimator, registerPolicyLoss, rlRecipe, startRl } from 'agoge';
import { at, defineEstimator, defineLoss, emptyLoss, mean, perGroup, perRow } from 'agoge/learn';

/** Rewards against the middle one of their group: a single lucky sample moves it less than the mean. */
const median = defineEstimator({
  name: 'median',
  needs: ['groups'],
  estimate: (rows) =>
    perRow(
      rows,
      perGroup(rows, (rewards) => {
        const sorted = [...rewards].sort((a, b) => a - b);
        const middle = mean([at(sorted, Math.floor((sorted.length - 1) / 2)), at(sorted, Math.ceil((sorted.length - 1) / 2))]);
        return rewards.map((reward) => reward - middle);
      }),
    ),
});

/** The plain policy gradient: −A·log π. */
const plain = defineLoss({
  name: 'plain',
  loss: ({ logprobs, advantages }) => {
    const result = emptyLoss(logprobs.length);
    for (let t = 0; t < logprobs.length; t++) {
      result.loss[t] = -at(advantages, t) * at(logprobs, t);
      result.gradient[t] = -at(advantages, t);
    }
    return result;
  },
});

registerEstimator(median, './median.ts');
registerPolicyLoss(plain, './plain.ts');
await startRl(
  rlRecipe({
    run: 'custom-algorithm',
    policy: 'base',
    tasks: [{ env: 'textcraft', split: 'generated-short', settings: { depth: '2' } }],
    agent: { format: 'direct', max_turns: 8, tokens_per_turn: 32 },
    rollout: { groups: 16, samples: 8 },
    algorithm: { estimator: './median.ts', loss: './plain.ts' },
    optimizer: { lr: 3e-4 },
    steps: Number(process.argv[2] ?? 20),
  }),
  {
    signal: new AbortController().signal,
    events: { onStep: ({ step, metrics }) => console.log(`step ${step}  reward ${String(metrics['critic/score/mean'])}`) },
  },
);
