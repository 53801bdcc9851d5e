/**
 * Three programs in a few lines each: the work of `agoge eval`, `agoge train` and `agoge serve`.
 *   npx tsx examples/programs.ts
 */
import { evaluate, serve, train } from 'agoge';
import numberHunt from './number-hunt.ts';

const result = await evaluate('wordle', { policies: ['random', 'expert'], tasks: '0-9' });
console.log(String(result));

const run = await train({
  policy: 'base',
  tasks: [{ env: numberHunt }],
  algorithm: { name: 'grpo' },
  agent: { max_turns: 8, tokens_per_turn: 8 },
  rollout: { groups: 4, samples: 4 },
  steps: 3,
});
for await (const step of run.steps) console.log(step.step, step.success);

await using server = await serve({ model: run.best(), name: 'hunter' });
const answer = await fetch(`${server.url}/models`);
console.log(await answer.text());
