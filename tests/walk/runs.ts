/**
 * Small runs of every kind, made by the commands themselves, to be walked through: a demo, RL, imitation, a reward model, a study, an
 * evaluation of several policies, and what failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFixtureRun } from '../fixture-run.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const rl = `
policy: base
tasks: [{ env: textcraft, split: generated-short }]
agent: { max_turns: 6, tokens_per_turn: 16 }
rollout: { groups: 4, samples: 4 }
algorithm: { name: grpo }
optimizer: { lr: 1e-4 }
steps: 6
evaluate: { at_start: true, at_end: true, every: 2, tasks: 8, max_turns: 6 }
`;
const sft = `
policy: { fresh: { preset: xxs, vocabulary: 400, context: 256, tokenizer_samples: 20 } }
data: { source: experts, experts: [{ env: textcraft, generated: true }], max_tokens: 256 }
batch_tokens: 256
steps: 20
evaluate: { at_start: true, at_end: true, panels: [{ env: textcraft, split: generated-short-test }], tasks: 4, max_turns: 3, choose: false }
log: { every: 2 }
`;
const start = `run: start${sft.replace(/evaluate: .*/, 'evaluate: { at_end: false }')}`;
const reward = `
policy: { fresh: { preset: xxs, vocabulary: 400, context: 256 } }
pairs: { source: generated, level: 1 }
batch_pairs: 8
steps: 6
validate: { every: 3, pairs: 20 }
log: { every: 1 }
`;
const plan = `
study: tiny
question: Does it end as it should?
seeds: [1]
environments:
  textcraft: { panels: { fresh: { split: generated-short-test, tasks: 2, samples: 1, max_turns: 2, max_tokens: 12 } } }
arms:
  start: { recipe: start.yaml }
`;

/** Makes them below `folder`; gives the folder that a dashboard is opened on. */
export async function makeRuns(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries({ rl, sft, start, reward, plan }))
    await writeFile(join(folder, `${name}.yaml`), text);
  const agoge = (line: string, wanted = 0): void => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...line.split(' ')], { cwd: folder, encoding: 'utf8' });
    if (status !== wanted) throw new Error(`agoge ${line} ended with ${String(status)}\n${stdout}\n${stderr}`);
  };
  agoge(
    'eval textcraft babyai webshop --policy base --policy expert --policy random --baseline random --tasks 0-5 --out outputs/worlds --no-view',
  );
  agoge('eval textcraft --policy base --tasks 0-5 --seed 2 --temperature 1 --out outputs/again --no-view');
  agoge('eval textcraft --policy openai:none@http://127.0.0.1:9/v1 --tasks 0-1 --retries 0 --out outputs/nobody --no-view', 1);
  agoge('train rl.yaml run=rl --no-view');
  agoge('sft sft.yaml run=imitation --no-view');
  agoge('reward reward.yaml run=judge');
  agoge('study plan.yaml --results results');
  agoge('demo --seconds 5 --no-view');
  const outputs = join(folder, 'outputs');
  const failed = await writeFixtureRun(join(outputs, 'sweep/a-run-with-a-name-that-is-much-too-long-lr-0.0001-seed-1'), {
    steps: 3,
    groups: 1,
    samples: 2,
    skill: 0.1,
  });
  await failed.update({ status: 'failed', reason: 'the loss is not finite', diagnosis: [{ kind: 'no-signal', steps: 7 }] });
  return outputs;
}
