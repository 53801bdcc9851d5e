/** What `agoge new agent` writes: an agent in the words of an SDK, and around it everything that evaluates, trains and serves its model. */
import { sdks, type Sdk } from './agent-sdks.ts';
import type { Template } from './templates.ts';

/** The files of a new agent. `$name` is the name that was given; `agoge` is where npm finds this package, if it lies nowhere above. */
export function agentTemplate(sdk: Sdk, agoge?: string): Template {
  const { title, agent, dependencies } = sdks[sdk];
  const manifest = {
    name: '$name',
    version: '1.0.0',
    private: true,
    type: 'module',
    dependencies: { ...(agoge === undefined ? {} : { agoge }), ...dependencies },
  };
  return {
    'agent.ts': agent,
    'tasks.ts': tasks,
    'env.ts': environment,
    'env.test.ts': test,
    'sft.yaml': imitation,
    'train.yaml': reinforcement,
    'serve.ts': serving,
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'README.md': readme(title, Object.keys(dependencies)),
  };
}

const tasks = `/** The tasks: what is in the box? One look with the tool answers it. Put your own here: questions, and what an answer is worth. */
import type { Random, TaskRef } from 'agoge';

const colours = ['red', 'green', 'blue', 'yellow', 'grey', 'purple'];
const words = ['apple', 'stone', 'river', 'lamp', 'paper', 'cloud', 'iron', 'wool'];

export const splits = { train: Infinity, validation: 60, test: 100 };

export interface Question {
  readonly asked: string;
  readonly box: string;
  readonly boxes: ReadonlyMap<string, string>;
}

export function question(random: Random): Question {
  const three = random.shuffle(colours).slice(0, 3);
  const boxes = new Map(three.map((colour) => [colour, random.pick(words)]));
  const box = random.pick(three);
  return { asked: \`What is in the \${box} box?\`, box, boxes };
}

/** What an answer is worth. */
export function worth(answer: string, { box, boxes }: Question): number {
  return answer.trim() === boxes.get(box) ? 1 : 0;
}

/** The expert: looks into the box, then says what it was shown. Demonstrations are made of it; leave it out where nobody knows. */
export function solve(_task: TaskRef, shown: string, turn: number, random: Random): string {
  return turn === 0 ? JSON.stringify({ name: 'look', arguments: { box: question(random).box } }) : shown;
}
`;

const environment = `/** The agent as an environment: its model calls come to Agoge, and its answer is worth something. */
import { defineAgent } from 'agoge';
import { answer } from './agent.ts';
import { question, solve, splits, worth } from './tasks.ts';

export default defineAgent({
  name: '$name',
  version: '1', // change it whenever a prompt, a tool or a reward changes
  splits,
  solve,
  run: async (_task, provider, random) => {
    const asked = question(random);
    return worth(await answer(asked.asked, asked.boxes, provider), asked);
  },
});
`;

const test = `// node --test env.test.ts (Node 22.18 or newer reads TypeScript; before, use your test runner)
import assert from 'node:assert/strict';
import { test } from 'node:test';
import environment from './env.ts';

const task = { env: '$name', split: 'test', index: 0 };

/** Plays with what is said at each turn; gives what was earned. */
async function play(say: (shown: string) => string): Promise<number> {
  const episode = await environment.open(task);
  try {
    let shown = episode.observation;
    for (let turn = 0; turn < 5; turn++) {
      const { observation, reward, done } = await episode.step(say(shown));
      if (done) return reward;
      shown = observation;
    }
    return 0;
  } finally {
    await episode[Symbol.asyncDispose]();
  }
}

test('the expert is right', async () => {
  const expert = environment.expert?.(task);
  assert.equal(await play((shown) => expert?.next(shown) ?? ''), 1);
});

test('a guess earns nothing', async () => {
  assert.equal(await play(() => 'I do not know'), 0);
});
`;

const imitation = `# The base policy sees the expert call the tool; stopped early, so that train.yaml has something left to learn.
run: $name-sft
seed: 1
policy: base
data:
  source: experts
  experts: [{ env: ./env.ts, split: train }]
  curriculum: { levels: 1 }
  max_turns: 3
batch_tokens: 1536
optimizer: { lr: 2e-3, warmup: 10, embedding_rate: 4 }
steps: 50
evaluate: { at_start: true, panels: [{ env: ./env.ts, split: validation }], max_turns: 3 }
`;

const reinforcement = `# GRPO on the agent's own model calls, from what imitation left.
run: $name-grpo
seed: 1
policy: run:outputs/$name-sft@best
tasks: [{ env: ./env.ts, split: train }]
agent: { max_turns: 3, tokens_per_turn: 40 }
rollout: { groups: 16, samples: 8 }
algorithm: { name: grpo }
optimizer: { lr: 3e-4 }
steps: 40
evaluate: { every: 10, at_start: true, panels: [{ env: ./env.ts, split: validation }], max_turns: 3 }
`;

const serving = `/**
 * The trained policy behind OpenAI's API, and the agent in front of it, as in the product: plays the test tasks over HTTP, then goes on serving.
 *   node serve.ts [policy]   (Node 22.18 or newer reads TypeScript; before, npx tsx serve.ts)
 */
import { Random, serve } from 'agoge';
import { answer } from './agent.ts';
import { question, splits, worth } from './tasks.ts';

const policy = process.argv[2] ?? 'run:outputs/$name-grpo@best';
const server = await serve({ model: policy, name: '$name', port: Number(process.env['PORT'] ?? 8000) });
console.log(\`\${policy} answers at \${server.url} as $name\`);

let earned = 0;
for (let index = 0; index < splits.test; index++) {
  const asked = question(Random.of(0, '$name', 'test', index)); // the same task as $name/test#index in an evaluation
  const said = await answer(asked.asked, asked.boxes, { baseURL: server.url, apiKey: 'none', model: '$name' });
  earned += worth(said, asked);
}
console.log(\`success on \${splits.test} test tasks: \${(earned / splits.test).toFixed(3)}\`);
console.log('Ctrl-C ends the server');
`;

const readme = (title: string, packages: readonly string[]): string => `# $name

An agent ${title}, and what trains its model. Nothing in \`agent.ts\` knows of Agoge: it asks an OpenAI-compatible endpoint.

| file | what it is |
|---|---|
| \`agent.ts\` | the agent, with its prompt and its tool |
| \`tasks.ts\` | questions, what an answer is worth, an expert that knows |
| \`env.ts\` | the agent as an environment, for every command of Agoge |
| \`env.test.ts\` | the expert is right, a guess is not |
| \`sft.yaml\`, \`train.yaml\` | imitation, then reinforcement learning |
| \`serve.ts\` | the trained policy served, and the agent asking it |

    npm install                                               ${packages.length > 0 ? packages.join(', ') : 'nothing but Agoge itself'}
    agoge eval ./env.ts --policy expert --policy base         what can be reached, and the start
    agoge sft sft.yaml                                        the base policy sees the expert play
    agoge train train.yaml                                    and learns on by itself
    agoge eval ./env.ts --split test --max-turns 3 --max-tokens 40 --policy run:outputs/$name-sft@best --policy run:outputs/$name-grpo@best
    agoge view                                                curves and episodes
    node serve.ts                                             the test tasks once more, over HTTP

\`agoge serve --model run:outputs/$name-grpo@best --name $name --port 8000\` does the serving alone.
`;
