/** Examples of the reference: rewards. The body of each function is the example of what it is named after. */
import {
  answerOf,
  createFormat,
  defineReward,
  evaluate,
  loadEnvironment,
  openPolicy,
  playEpisode,
  routedScore,
  sampledTokens,
  scores,
} from 'agoge';

export const examples = {
  async defineReward() {
    const brief = defineReward({
      name: 'brief',
      each: ({ outcome, turns }) => (outcome.kind === 'finished' && outcome.success ? 1 / turns.length : 0),
    });
    const result = await evaluate('textcraft', { policies: ['expert'], tasks: '0-3', reward: brief, fresh: true });
    console.log(result.score().reward.mean); // less than 1: nothing is crafted in one turn
  },
  async answerOf() {
    const trajectory = await playEpisode({
      environment: await loadEnvironment('textcraft'),
      task: { env: 'textcraft', split: 'test', index: 17 },
      policy: await openPolicy('expert'),
      format: createFormat('direct'),
      limits: { turns: 30, tokensPerTurn: 64 },
      seed: 1,
    });
    console.log(answerOf(trajectory)); // what was said last
  },
  async sampledTokens() {
    const trajectory = await playEpisode({
      environment: await loadEnvironment('textcraft'),
      task: { env: 'textcraft', split: 'test', index: 17 },
      policy: await openPolicy('base'),
      format: createFormat('direct'),
      limits: { turns: 2, tokensPerTurn: 8 },
      seed: 1,
    });
    console.log(sampledTokens(trajectory) <= 16); // true
  },
  scores() {
    console.log(scores.gsm8k('So it is #### 42', '42').score); // 1
  },
  routedScore() {
    console.log(routedScore('openai/gsm8k')); // gsm8k
  },
};
