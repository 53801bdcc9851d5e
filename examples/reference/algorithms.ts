/** Examples of the reference: estimators, losses and their mathematics. The body of each function is the example of what it is named after. */
import {
  at,
  bootstrapMean,
  broadcast,
  crossEntropy,
  emptyLoss,
  estimateAdvantages,
  estimatorNames,
  estimatorOf,
  generalisedAdvantage,
  groupBy,
  importanceWeights,
  mcnemarExact,
  mean,
  pairedBootstrap,
  perGroup,
  perRow,
  policyLoss,
  policyLossNames,
  policyLossOf,
  ppoClip,
  preferenceLoss,
  registerEstimator,
  registerPolicyLoss,
  rejectionMask,
  sum,
  tokenWeights,
  valueLoss,
  variance,
  whiten,
} from 'agoge/learn';
import { Random } from 'agoge';

export const examples = {
  registerEstimator() {
    registerEstimator({
      name: 'plain',
      estimate: (rows) =>
        perRow(
          rows,
          rows.map(({ rewards }) => sum(rewards)),
        ),
    });
    const { advantages } = estimateAdvantages('plain', [{ group: 'a', rewards: [0, 1], turnEnds: [2] }]);
    console.log(advantages[0]); // 1, 1
  },
  estimatorOf() {
    console.log(estimatorOf('gae').needs); // ['critic']
  },
  estimatorNames() {
    console.log(estimatorNames.includes('grpo')); // true
  },
  perGroup() {
    const rows = [1, 0, 1, 1].map((reward, n) => ({ group: n < 2 ? 'a' : 'b', rewards: [reward], turnEnds: [1] }));
    const scores = perGroup(rows, (rewards) => rewards.map((reward) => reward - mean(rewards)));
    console.log(scores); // 0.5, -0.5, 0, 0
  },
  perRow() {
    const rows = [{ group: 'a', rewards: [0, 0, 1], turnEnds: [3] }];
    console.log(perRow(rows, [0.5]).advantages[0]); // 0.5, 0.5, 0.5
  },
  broadcast() {
    const rows = [{ group: 'a', rewards: [0, 1], turnEnds: [2] }];
    console.log(broadcast(rows, [3])[0]); // 3, 3
  },
  generalisedAdvantage() {
    const row = { group: 'a', rewards: [0, 0, 1], turnEnds: [3], values: [0.5, 0.5, 0.5] };
    const { advantages, returns } = generalisedAdvantage([row], { gamma: 1, lambda: 1, whitened: false });
    console.log(advantages[0], returns[0]); // 0.5, 0.5, 0.5 and 1, 1, 1
  },
  emptyLoss() {
    const result = emptyLoss(2);
    result.loss[0] = 1;
    console.log(result.gradient.length, result.clipped); // 2, 0
  },
  registerPolicyLoss() {
    const nothing = { name: 'nothing', loss: ({ logprobs }: { logprobs: ArrayLike<number> }) => emptyLoss(logprobs.length) };
    registerPolicyLoss(nothing);
    console.log(policyLossOf('nothing') === nothing); // true
  },
  policyLoss() {
    const row = { logprobs: [-1, -2], old: [-1, -2], advantages: [1, -1] };
    const { gradient } = policyLoss(policyLossOf('vanilla'), row, { clip: [0.2, 0.28] });
    console.log(gradient); // -1, 1
  },
  policyLossOf() {
    console.log(policyLossOf('gspo').perSequence); // true
  },
  policyLossNames() {
    console.log(policyLossNames.includes('vanilla')); // true
  },
  ppoClip() {
    const row = { logprobs: [-0.5], old: [-1], advantages: [1] };
    const { clipped, gradient } = ppoClip(row, { clip: [0.2, 0.2] });
    console.log(clipped, gradient[0]); // 1, 0: the ratio e^0.5 is above 1.2, so nothing is left to gain
  },
  valueLoss() {
    const { loss } = valueLoss({ values: [0.5], old: [0.5], returns: [1] }, 0.5);
    console.log(loss[0]); // 0.125
  },
  crossEntropy() {
    const { loss, gradient } = crossEntropy([[-1, -3]], [0.5]);
    console.log(loss, gradient[0]); // 2 and -0.5, -0.5
  },
  preferenceLoss() {
    const pair = { chosen: -10, rejected: -12, chosenReference: -11, rejectedReference: -11 };
    const { loss, rewardChosen } = preferenceLoss(pair, { beta: 0.1 });
    console.log(loss < Math.log(2), rewardChosen); // true, 0.1
  },
  tokenWeights() {
    console.log(tokenWeights([1, 3], 'token-mean')); // 0.25, 0.25
  },
  importanceWeights() {
    const rows = [{ train: [-1, -1], sampler: [-1, -2] }];
    const { weights } = importanceWeights(rows, { level: 'token', threshold: 2 });
    console.log(weights[0]); // 1, 2: the second is e, cut at 2
  },
  rejectionMask() {
    const rows = [{ train: [-1, -9], sampler: [-1, -1] }];
    const { mask } = rejectionMask(rows, [{ by: 'token_k1', threshold: 2 }]);
    console.log(mask[0]); // 1, 0
  },
  at() {
    const rewards = [0, 1];
    console.log(at(rewards, 1)); // 1; at(rewards, 2) throws LEARN_MISSING
  },
  groupBy() {
    console.log(groupBy(['a', 'b', 'a'], (letter) => letter).get('a')); // [0, 2]
  },
  mean() {
    console.log(mean([1, 0, 1, 0])); // 0.5
  },
  sum() {
    console.log(sum([1, 2, 3])); // 6
  },
  variance() {
    console.log(variance([1, 3])); // 2
  },
  whiten() {
    console.log(whiten([Float64Array.of(1), Float64Array.of(3)]).map(([first]) => first)); // about -0.71 and 0.71
  },
  bootstrapMean() {
    const { low, high } = bootstrapMean([1, 0, 1, 1, 0.5], Random.of(1, 'example'));
    console.log(low < 0.7 && 0.7 < high); // true
  },
  mcnemarExact() {
    console.log(mcnemarExact(10, 1)); // 0.0117…
  },
  pairedBootstrap() {
    const { difference, p } = pairedBootstrap([0, 0, 1, 0], [1, 1, 1, 0], Random.of(1, 'example'));
    console.log(difference, p); // 0.5 and how sure that is
  },
};
