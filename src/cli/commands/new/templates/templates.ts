/** What `agoge new` writes: small, whole and working, to be changed line by line. */

/** File names with their texts. `$name` is the name that was given. */
export type Template = Readonly<Record<string, string>>;

const environment = `/** $name: find the key in one of three boxes, then unlock the door. Change the rules; \`agoge lint ./env.ts\` tells what they break. */
import { defineEnvironment } from 'agoge';

const colours = ['red', 'green', 'blue', 'yellow', 'grey', 'purple'];

interface Room {
  readonly boxes: readonly string[];
  readonly key: string;
  held: boolean;
  wrong: number;
}

export default defineEnvironment<Room>({
  name: '$name',
  version: '1', // change it whenever an observation or a reward changes
  splits: { train: Infinity, validation: 60, test: 100 },
  instructions: 'Find the key and unlock the door.',
  actions: { open: 'open {colour} box', unlock: 'unlock door' },
  turns: 6, // limits that evaluations keep unless others are given
  tokens: 16,

  start: (_task, random) => {
    const boxes = random.shuffle(colours).slice(0, 3);
    const key = random.pick(boxes);
    const observation = \`You see a \${boxes.join(' box, a ')} box. The key is in the \${key} box.\`;
    return { state: { boxes, key, held: false, wrong: 0 }, observation };
  },

  step: (room, action) => {
    const said = action.trim();
    if (said === 'unlock door') {
      return room.held ? { observation: 'The door opens.', reward: 1, done: true } : { observation: 'You have no key.' };
    }
    const colour = /^open (\\w+) box$/.exec(said)?.[1];
    if (colour === undefined || !room.boxes.includes(colour)) return { observation: 'Nothing happens.' };
    if (colour === room.key) {
      room.held = true;
      return { observation: 'You have the key.' };
    }
    room.wrong++;
    return { observation: 'The box is empty.', done: room.wrong === 2 };
  },

  choices: ({ boxes }) => [...boxes.map((colour) => \`open \${colour} box\`), 'unlock door'],
  solve: ({ held, key }) => (held ? 'unlock door' : \`open \${key} box\`),
});
`;

const environmentTest = `// node --test env.test.ts (Node 22.18 or newer reads TypeScript; before, use your test runner)
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLaws } from 'agoge';
import environment from './env.ts';

test('keeps the laws of environments', async () => {
  for await (const { law, violation } of checkLaws(environment, { cases: 20, expertTasks: 50, memorySteps: 5000 }))
    assert.equal(violation, undefined, law);
});
`;

const imitation = `# The expert shows what actions look like; stopped early, so that train.yaml has something left to learn.
# \`reader\` has learned to read rules and observations. \`base\` is half its size and twice as fast, and looks nothing up.
run: $name-sft
seed: 1
policy: reader
data:
  source: experts
  experts: [{ env: ./env.ts, split: train }]
  curriculum: { levels: 1 }
  max_turns: 6
batch_tokens: 1024
optimizer: { lr: 1e-3, warmup: 10 }
steps: 20
# Played before the first step too: where imitation makes it worse by more than noise, run:outputs/$name-sft@best is the start.
evaluate: { at_start: true, panels: [{ env: ./env.ts, split: validation }], max_turns: 6 }
`;

const reinforcement = `# GRPO from what imitation left. Small steps near the start, a stop when success falls, and the best checkpoint as the result:
# run:outputs/$name-grpo@best is never worse on the validation tasks than what it began with.
run: $name-grpo
seed: 1
policy: run:outputs/$name-sft@best
tasks: [{ env: ./env.ts, split: train }]
agent: { format: direct, max_turns: 6, tokens_per_turn: 16 }
rollout: { groups: 16, samples: 8 }
algorithm: { name: grpo, kl: { coefficient: 0.005 } }
optimizer: { lr: 2e-4, warmup: 5 }
steps: 40
evaluate: { every: 10, at_start: true, panels: [{ env: ./env.ts, split: validation }], max_turns: 6 }
stop: { fall: 2 }
`;

const environmentReadme = `# $name

An environment for Agoge, in one file: \`env.ts\`.

    agoge lint ./env.ts                                  does it keep the laws?
    agoge play ./env.ts                                  play it yourself
    agoge eval ./env.ts --policy expert --policy random  what can be reached, and the floor
    agoge doctor ./env.ts                                can the policy that sft.yaml starts from learn it, and in how many minutes?
    agoge sft sft.yaml                                   a small policy sees the expert play
    agoge train train.yaml                               and learns on by itself
    agoge eval ./env.ts --split test --policy run:outputs/$name-sft@best --policy run:outputs/$name-grpo@best
    agoge view --env ./env.ts                            curves and episodes, and your environment on the play page
    agoge serve ./env.ts                                 for others, over HTTP

It is a package as well. Install it where it is needed (\`npm install ../$name\`, or publish it), and \`$name\` is its name in commands and recipes:
the keyword \`agoge-environment\` in package.json says that it may be loaded.

    agoge eval $name --policy expert

As it is written here, success on the validation tasks is 0.23 to 1.00 after sft.yaml, depending on name and seed, and 0.88 to 1.00 after train.yaml.
`;

const environmentPackage = `{
  "name": "$name",
  "version": "1.0.0",
  "description": "An environment for Agoge: find the key, unlock the door",
  "type": "module",
  "exports": "./env.ts",
  "files": ["env.ts"],
  "keywords": ["agoge-environment"]
}
`;

const estimator = `/** $name: the best sample of a group is learned where it earned something, the others are left alone. Name it in a recipe: algorithm: { estimator: ./$name.ts } */
import { defineEstimator, perGroup, perRow } from 'agoge';

export default defineEstimator({
  name: '$name',
  needs: ['groups'],
  estimate: (rows) =>
    perRow(
      rows,
      perGroup(rows, (rewards) => {
        const best = Math.max(...rewards);
        // The least bad of failures is no example: that would teach to give up early.
        const worst = Math.max(0, Math.min(...rewards));
        return rewards.map((reward) => (best > worst && reward === best ? 1 : 0));
      }),
    ),
});
`;

const loss = `/** $name: the plain policy gradient, without ratios or clips. Name it in a recipe: algorithm: { loss: ./$name.ts } */
import { at, defineLoss, emptyLoss } from 'agoge';

export default defineLoss({
  name: '$name',
  loss: ({ logprobs, advantages }) => {
    const result = emptyLoss(logprobs.length);
    for (let t = 0; t < logprobs.length; t++) {
      result.loss[t] = -at(advantages, t) * at(logprobs, t);
      result.gradient[t] = -at(advantages, t);
    }
    return result;
  },
});
`;

const reward = `/** $name: what the environment paid, a little more for a short solution. Name it in a recipe (reward: ./$name.ts) or try it: agoge eval textcraft --policy base --reward ./$name.ts */
import { defineReward } from 'agoge';

export default defineReward({
  name: '$name',
  each: ({ outcome, turns }) => {
    const earned = outcome.kind === 'failed' ? 0 : outcome.reward; // what failed is played again, and never learned from
    const solved = outcome.kind === 'finished' && outcome.success;
    // Turns cost something only where the task was solved: a price on every turn pays for giving up.
    const length = solved ? Math.min(0.5, 0.02 * turns.length) : 0;
    return { reward: earned - length, parts: { earned, length } };
  },
});
`;

const format = `/** $name: replies are "DO: <action>". Name it in a recipe (agent: { format: ./$name.ts }) or try it: agoge eval textcraft --policy expert --format ./$name.ts */
import { defineFormat } from 'agoge';

export default defineFormat({
  name: '$name',
  opening: ({ task, actions }) =>
    [task, ...actions.map(({ template, description }) => \`\${template}: \${description}\`), 'Reply with "DO:" and the action.'].join('\\n'),
  read: (reply) => {
    const action = /DO: *(\\S.*)/.exec(reply)?.[1]?.trim();
    return action === undefined ? { action: null, problem: 'Say "DO:" and the action.' } : { action };
  },
  write: (action) => \`DO: \${action}\`,
});
`;

const policy = `/** $name: takes any action but the one before. Try it: agoge eval babyai --policy ./$name.ts --policy random */
import { definePolicy } from 'agoge';

export default definePolicy({
  name: '$name',
  act: ({ actions = [], messages, random }) => {
    const last = messages.at(-2)?.text;
    const others = actions.filter((action) => action !== last);
    return others.length > 0 ? random.pick(others) : 'look';
  },
});
`;

const algorithmRecipe = `# An algorithm of one's own: how episodes are compared (estimator.ts) and what is learned from it (loss.ts).
#   agoge train train.yaml
run: $name
seed: 1
policy: base
tasks: [{ env: textcraft, split: generated-short, settings: { depth: '2' } }]
agent: { format: direct, max_turns: 8, tokens_per_turn: 32 }
rollout: { groups: 16, samples: 8 }
algorithm: { name: grpo, estimator: ./estimator.ts, loss: ./loss.ts }
optimizer: { lr: 3e-4 }
steps: 30
evaluate: { every: 10, at_start: true, tasks: 48, max_turns: 8 }
`;

/** For each kind, its files. */
export const templates = {
  env: {
    'env.ts': environment,
    'env.test.ts': environmentTest,
    'sft.yaml': imitation,
    'train.yaml': reinforcement,
    'package.json': environmentPackage,
    'README.md': environmentReadme,
  },
  algorithm: {
    'estimator.ts': estimator.replaceAll('./$name.ts', './estimator.ts'),
    'loss.ts': loss.replaceAll('./$name.ts', './loss.ts'),
    'train.yaml': algorithmRecipe,
  },
  estimator: { '$name.ts': estimator },
  loss: { '$name.ts': loss },
  reward: { '$name.ts': reward },
  format: { '$name.ts': format },
  policy: { '$name.ts': policy },
} as const satisfies Readonly<Record<string, Template>>;
