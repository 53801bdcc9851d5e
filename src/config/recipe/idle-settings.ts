/**
 * Settings of an RL recipe that change nothing as the rest of it stands: said before training, because a key that was set and had
 * no effect is read as a result. Looks at what the user wrote, so defaults never count.
 */
import { estimatorOf } from '../../learn/advantages/estimator.ts';
import { policyLossNames } from '../../learn/losses/policy-loss.ts';
import type { RlRecipe } from './rl-recipe.ts';

/** One sentence for each setting of `written` that has no effect. */
export function idleSettings(written: unknown, recipe: RlRecipe): string[] {
  const set = (key: string): boolean => has(written, key.split('.'));
  const { algorithm, rollout, optimizer, update } = recipe;
  const { estimator } = algorithm;
  const { needs = [], uses = [] } = estimatorOf(estimator);
  const idle: [key: string, because: false | string][] = [
    ['algorithm.gamma', !uses.includes('gamma') && `the estimator ${estimator} does not discount`],
    ['algorithm.lambda', !uses.includes('lambda') && `only GAE has it, and the estimator is ${estimator}`],
    ['algorithm.scale', !uses.includes('scale') && `the estimator ${estimator} does not scale by groups`],
    ['algorithm.step_weight', !uses.includes('stepWeight') && `only gigpo compares steps, and the estimator is ${estimator}`],
    ['algorithm.step_scale', !uses.includes('stepScale') && `only gigpo compares steps, and the estimator is ${estimator}`],
    ['algorithm.mistakes', algorithm.advice === 0 && 'algorithm.advice is 0'],
    ['rollout.refill', rollout.refill > 1 && !rollout.filter && 'nothing is filtered: set rollout.filter'],
    ['algorithm.clip', algorithm.preference !== null && 'pairs are learned without a ratio to clip'],
    ['algorithm.clip', algorithm.loss === 'gpg' && 'the loss gpg has no ratio to clip'],
    [
      'algorithm.dual_clip',
      algorithm.loss !== 'vanilla' &&
        policyLossNames.includes(algorithm.loss) &&
        `only the vanilla loss has it, and the loss is ${algorithm.loss}`,
    ],
    [
      'algorithm.target_kl',
      update.epochs * update.minibatches === 1 && 'a step has one optimizer step, and it is looked at after it',
    ],
    ['critic', !needs.includes('critic') && `the estimator ${estimator} needs no critic`],
    ['algorithm.entropy', algorithm.outcome === 0 && 'algorithm.outcome is 0, so only advice is learned'],
    ['optimizer.min_ratio', optimizer.schedule === 'constant' && 'the schedule is constant'],
    ['algorithm.renew', algorithm.kl === false && algorithm.preference === null && 'nothing is measured against a reference'],
    ['curriculum', recipe.curriculum !== false && !leveled(recipe) && 'all tasks are of one level: set tasks.<n>.level'],
    ['agent.every', !scheduled(recipe) && 'agent.max_turns is one number'],
    ['engine.card_memory', recipe.engine.device === 'host' && 'engine.device is host, which has no card'],
  ];
  const sentences = idle.flatMap(([key, because]) => (because !== false && set(key) ? [`${key} has no effect: ${because}`] : []));
  if (rollout.samples === 1 && needs.includes('groups') && algorithm.outcome > 0)
    sentences.push(
      `rollout.samples is 1, and ${estimator} compares samples of a task: nothing will be learned; set it to 2 or more`,
    );
  if (recipe.curriculum === false && leveled(recipe))
    sentences.push('tasks.level has no effect: there is no curriculum, so all entries are played from the start');
  if (recipe.steps !== null && optimizer.warmup >= recipe.steps)
    sentences.push(
      `optimizer.warmup is ${optimizer.warmup} and the run has ${recipe.steps} steps: the full rate is never reached`,
    );
  return sentences;
}

function leveled({ tasks }: RlRecipe): boolean {
  return new Set(tasks.map(({ level }) => level)).size > 1;
}

function scheduled({ agent, tasks }: RlRecipe): boolean {
  return [agent, ...tasks].some(({ max_turns: turns }) => Array.isArray(turns));
}

function has(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (typeof value !== 'object' || value === null || !(key in value)) return false;
  return has((value as Record<string, unknown>)[key], rest);
}
