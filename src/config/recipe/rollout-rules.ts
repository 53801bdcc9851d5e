/** Ways of sampling that some algorithms cannot learn from: refused before anything is played. */
import { AgogeError } from '../../core/error.ts';
import { estimatorOf } from '../../learn/advantages/estimator.ts';
import type { RlRecipe } from './rl-recipe.ts';

export function checkRollout(name: string, { rollout, algorithm, engine }: RlRecipe): void {
  const { estimator, advice } = algorithm;
  const { needs = [], uses = [] } = estimatorOf(estimator);
  const refuse = (what: string): never => {
    throw new AgogeError('CONFIG_INVALID', `${name}: ${what}`);
  };
  if (engine.sampler !== null) {
    if (engine.tinker !== null || engine.kind === 'tinker')
      refuse('a Tinker server samples what it trains: leave engine.sampler out, or train with the embedded engine');
    if (rollout.temperature !== 1 || rollout.top_p !== null || rollout.top_k !== null)
      refuse(
        "engine.sampler tells log-probabilities of the model's own distribution: set rollout.temperature=1, without top_p and top_k",
      );
  }
  if (rollout.branch > 0) {
    const episodes = needs.includes('critic') || needs.includes('greedy') || uses.includes('stepWeight');
    if (episodes || !needs.includes('groups'))
      refuse(
        `rollout.branch compares the actions of one turn, and the estimator ${estimator} needs whole episodes: use algorithm.name=grpo or rloo`,
      );
    if (rollout.samples < 2) refuse('rollout.branch looks for the turn where samples part: set rollout.samples to 2 or more');
    if (advice > 0) refuse('rollout.branch learns single turns, and algorithm.advice whole episodes: choose one of them');
  }
  if (algorithm.truncation === 'bootstrap' && !needs.includes('critic'))
    refuse(
      `algorithm.truncation=bootstrap asks a critic what would have come, and the estimator ${estimator} has none: use algorithm.name=ppo, or truncation=mask`,
    );
  if (algorithm.restart && rollout.staleness > 0)
    refuse(
      'algorithm.restart goes back to the first weights to learn, and sampling ahead would sample from them: set rollout.staleness=0',
    );
  if (algorithm.preference !== null) {
    if (rollout.samples < 2) refuse('pairs need two samples of a task: set rollout.samples to 2 or more');
    if (advice > 0 || needs.includes('critic'))
      refuse('algorithm.preference learns from pairs alone: leave algorithm.advice and critics out');
  }
  if (rollout.probe === null) return;
  if (needs.includes('greedy') || !needs.includes('groups'))
    refuse(
      `rollout.probe looks whether samples of a task differ, which says nothing to the estimator ${estimator}: leave it out`,
    );
  if (rollout.probe >= rollout.samples)
    refuse(
      `rollout.probe is ${rollout.probe} of ${rollout.samples} samples, so nothing is left to add: lower it, or raise rollout.samples`,
    );
  if (!rollout.filter)
    refuse('rollout.probe leaves out tasks whose first samples end alike: set rollout.filter=true, or leave probe out');
}
