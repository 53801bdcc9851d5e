/** A diagnosis in words: what is seen, and what to do about it. docs/not-learning.md says the same; a test holds them together. */
import type { Diagnosis, DiagnosisKind } from './diagnosis.ts';

/** What the numbers show. */
export function diagnosisText(found: Diagnosis): string {
  switch (found.kind) {
    case 'replies-flat':
      return `the share of right replies has stood at ${percent(found.level)} for ${found.steps} steps`;
    case 'success-flat':
      return `success has stood at ${percent(found.level)} for ${found.steps} steps`;
    case 'no-signal':
      return `no group of the last ${found.steps} steps had rewards that differ, so there was nothing to learn from`;
    case 'reward-up-success-down':
      return `the reward rises (${change(found.reward)}) while success falls (${change(found.success)}): it pays for something else`;
    case 'giving-up':
      return `success went to zero (${change(found.success)}) while episodes shrank (${change(found.turns)} turns): the reward pays for giving up`;
    case 'collapsed':
      return `success fell from ${found.success[0].toFixed(2)} at step ${found.peak} to ${found.success[1].toFixed(2)}`;
    case 'entropy-gone':
      return `the policy tries nothing any more: the entropy of its choices is ${found.entropy.toPrecision(2)}`;
    case 'replies-cut':
      return `${percent(found.share)} of the replies are cut off at the limit of tokens`;
    case 'context-full':
      return `${percent(found.share)} of the episodes end because the context is full`;
    case 'unreadable':
      return `no action can be read from ${percent(found.share)} of the replies`;
    case 'rate-too-high':
      return `one update moves the policy by a KL divergence of ${found.kl.toPrecision(2)} per token: the learning rate is too high`;
    case 'unlearned':
      return `imitation has made the policy worse: its success fell from ${found.success[0].toFixed(2)} before the first step to ${found.success[1].toFixed(2)}`;
  }
}

/** What to do about each. */
export const remedies: Readonly<Record<DiagnosisKind, string>> = {
  'replies-flat':
    'ask agoge doctor ENV --policy run:RUN which kind of turn is the wall; put what a reply needs into the last observation, begin with easier tasks, or start from a larger policy (policy: reader)',
  'success-flat':
    'play more episodes a step (rollout.groups), prefer tasks that are solved sometimes (rollout.prefer={}), or start from an earlier or a better imitation',
  'no-signal':
    'choose tasks that are solved sometimes: easier ones or more imitation where none is solved, harder ones where all are; or raise rollout.samples',
  'reward-up-success-down':
    'pay for success alone (reward: env), or make every other part of the reward too small to outweigh it',
  'giving-up':
    'take the price of turns and of failed actions out of the reward, or pay it only where the task was solved; go on from policy=run:RUN@best',
  collapsed:
    'go on from policy=run:RUN@best with a third of optimizer.lr, a KL penalty (algorithm.kl={}) or demonstrations (anchor)',
  'entropy-gone':
    'go on from an earlier checkpoint with a lower optimizer.lr and an entropy bonus (algorithm.entropy=0.01), or raise rollout.temperature',
  'replies-cut': 'raise agent.tokens_per_turn, or show the policy shorter replies (agoge sft, another agent.format)',
  'context-full':
    'lower agent.max_turns or shorten what the environment says, or take a policy with a longer context (agoge doctor ENV shows the tokens)',
  unreadable: 'show the policy the format first (agoge sft), or choose the one it was taught (agent.format)',
  'rate-too-high': 'divide optimizer.lr by three, or set algorithm.target_kl',
  unlearned:
    'go on from policy=run:RUN@best; show replies as the start was taught them (settings.expert, agent.format), or imitate with a third of optimizer.lr, or longer, until the new way is learned whole',
};

/** Both, in one line. */
export function diagnosisLine(found: Diagnosis): string {
  return `${diagnosisText(found)}. Remedy: ${remedies[found.kind]} (docs/not-learning.md#${found.kind})`;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}

function change([before, after]: readonly [number, number]): string {
  return `${before.toFixed(2)} → ${after.toFixed(2)}`;
}
