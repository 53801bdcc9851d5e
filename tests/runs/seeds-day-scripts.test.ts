/**
 * The other half of that day, with the scripts and files themselves: a launch script trains on a parquet file whose prompts ask for the
 * bare action, the evaluation script plays what was trained, its results and older ones are read and summed up. The files are written
 * here in their form; where the recordings lie beside the clone, the official lists and sampled conversations are used too.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textCraft } from '../../src/envs/textcraft/textcraft.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const recordings = fileURLToPath(new URL('../../../shared/data/agentgym', import.meta.url));
/** The base policy's weights alone, as any model's. */
const weights = fileURLToPath(new URL('../../models/base', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-scripts-'));
const env = { ...process.env, HOME: folder, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}` };
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A command that must succeed. */
function run(command: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', env: { ...env, ...more } });
  expect(`${String(status)} ${status === 0 ? '' : stderr}`, args.join(' ')).toBe('0 ');
  return stdout;
}
const agoge = (...args: string[]): string => run(process.execPath, [cli, ...args]);
const lines = (path: string): string[] => readFileSync(join(folder, path), 'utf8').trim().split('\n');

/** As the rows of the seeds' TextCraft files open: a reader of ReAct understood none of the replies to it. */
const instruction = `You are a helpful assistant for a crafting game.
You can use actions like:
- get [count] [object]
- craft [count] [target] using [count] [ingredient], ...
- inventory

Your response should contain only the action.`;

const rowOf = (item: string): string =>
  JSON.stringify({
    data_source: 'textcraft',
    prompt: [{ role: 'system', content: instruction }],
    ability: 'crafting',
    reward_model: { style: 'interaction', ground_truth: '' },
    extra_info: { index: 0, interaction_kwargs: { name: 'textcraft', session_id: Number(item.replace(/\D+/g, '')) } },
  });

/** Variables with defaults, a health check, a configuration by its name, as in run_textcraft_grpo_train.sh. */
const trainScript = `#!/bin/bash
set -e
MODEL_PATH=\${MODEL_PATH:-"/Data/public/Qwen3-1.7B"}
DATA_DIR=\${DATA_DIR:-"/Data/Verl-Data/textcraft"}
BATCH=\${BATCH:-4}
if ! curl -s "http://127.0.0.1:36001/" > /dev/null; then echo "TextCraft server is down"; fi
python3 -m verl.trainer.main_ppo \\
    --config-path='/Data/verl/examples/config' \\
    --config-name='textcraft_grpo_train' \\
    data.train_files=$DATA_DIR/train.parquet \\
    data.train_batch_size=$BATCH \\
    actor_rollout_ref.model.path=$MODEL_PATH \\
    actor_rollout_ref.rollout.n=4 \\
    trainer.total_training_steps=2 \\
    trainer.experiment_name=textcraft_grpo 2>&1 | tee -a train.log
`;

const evalScript = `#!/bin/bash
# TextCraft 评测：单行输出，遇到 \\n 停止 (stop at \\n, max_new_tokens=40)，ADaPT
MODEL_PATH="\${MODEL_PATH:-/Data/public/Qwen3-1.7B}"
MAX_SAMPLES=\${MAX_SAMPLES:--1}
python examples/eval/eval_textcraft_qwen3_1.7b.py \\
    --model_path "$MODEL_PATH" --data_path "$DATA_DIR/test.parquet" --output_dir outputs/textcraft_eval \\
    --textcraft_server "$SERVER" --max_samples "$MAX_SAMPLES" --max_rounds 6 --max_new_tokens 40 --temperature 0.3 --do_sample
`;

let server: ChildProcess;
let url = '';

beforeAll(async () => {
  for (const name of ['bin', 'config', 'data']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'bin', 'agoge'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, { mode: 0o755 });
  server = spawn(process.execPath, [cli, 'serve', 'textcraft', '--port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  url = await new Promise<string>((resolve) =>
    server.stdout?.on('data', (chunk: Buffer) => {
      const found = /http:\/\/[\d.]+:\d+/.exec(chunk.toString())?.[0];
      if (found !== undefined) resolve(found);
    }),
  );
  const interaction = 'verl.interactions.textcraft_interaction.TextCraftInteraction';
  await writeFile(
    join(folder, 'config', 'textcraft_interaction.yaml'),
    `interaction:\n  - name: textcraft\n    class_name: ${interaction}\n    config:\n      env_server_base: "${url}"\n      timeout: 600\n`,
  );
  await writeFile(
    join(folder, 'config', 'textcraft_grpo_train.yaml'),
    `defaults:\n  - ppo_trainer\n  - _self_\ndata:\n  max_prompt_length: 1024\n  max_response_length: 800\n  return_raw_chat: True\nactor_rollout_ref:\n  rollout:\n    name: sglang\n    multi_turn:\n      enable: True\n      max_assistant_turns: 4\n      interaction_config_path: /Data/verl/examples/config/textcraft_interaction.yaml\nalgorithm:\n  adv_estimator: grpo\n`,
  );
  await writeFile(join(folder, 'run_textcraft_grpo_train.sh'), trainScript);
  await writeFile(join(folder, 'run_textcraft_eval.sh'), evalScript);
});
afterAll(async () => {
  server.kill('SIGTERM');
  await once(server, 'close');
});

/** The official items of a list where it lies here, else numbers of our own; the first so many. */
function items(list: string, count: number, from: number): string[] {
  const path = join(recordings, 'AgentGym-RL-Data', list);
  if (!existsSync(path)) {
    console.log(`${list} is not beside this clone: rows of our own numbers stand in`);
    return Array.from({ length: count }, (_, i) => `textcraft_${from + i}`);
  }
  return (JSON.parse(readFileSync(path, 'utf8')) as { item_id: string }[]).slice(0, count).map(({ item_id }) => item_id);
}

describe('TextCraft from the launch script to the summary', () => {
  it('rows that ask for the bare action are trained on as they ask, and every reply is read', async () => {
    for (const [name, list, count, from] of [
      ['train', 'train/textcraft_train.json', 8, 100],
      ['test', 'eval/textcraft_test.json', 3, 0],
    ] as const) {
      await writeFile(join(folder, `${name}.jsonl`), `${items(list, count, from).map(rowOf).join('\n')}\n`);
      agoge('data', 'convert', `${name}.jsonl`, `data/${name}.parquet`, '--from', 'verl-rl', '--to', 'verl-rl');
    }
    const data = { DATA_DIR: 'data' };
    const told = run(process.execPath, [cli, 'config', 'from-verl', 'run_textcraft_grpo_train.sh', '--out', 'grpo.yaml'], data);
    expect(told).toContain('0 settings could not be carried over');
    const recipe = readFileSync(join(folder, 'grpo.yaml'), 'utf8');
    expect(recipe).toMatch(/format: direct/);
    expect(recipe).toMatch(/only the action/);
    agoge('train', 'grpo.yaml', 'policy=base', 'agent.tokens_per_turn=24', '--no-view');
    const [first] = lines('outputs/textcraft_grpo/metrics/training_metrics.jsonl');
    const { data: metrics } = JSON.parse(first ?? '') as { data: Record<string, number> };
    expect(1 - (metrics['train/unreadable_replies'] ?? NaN)).toBeGreaterThan(0.9);
    // The very run that scored zeros: the prompt asks for one thing, and the reader wants another.
    const { status, stderr } = spawnSync(
      process.execPath,
      [cli, 'train', 'grpo.yaml', `policy=hf:${weights}`, 'agent.format=react', 'run=zeros', '--no-view'],
      { cwd: folder, env, encoding: 'utf8' },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/(?:none of the \d+ replies .* read as react|asks for the format direct)[\s\S]*only the action/);
  });

  it('the evaluation script plays the checkpoint on the same server, and stops at a newline', () => {
    const checkpoint = readdirSync(join(folder, 'outputs/textcraft_grpo/checkpoints')).findLast((name) =>
      name.startsWith('step_'),
    );
    const given = { DATA_DIR: 'data', SERVER: url, MODEL_PATH: `outputs/textcraft_grpo/checkpoints/${checkpoint ?? ''}` };
    run(process.execPath, [cli, 'config', 'from-verl', 'run_textcraft_eval.sh', '--out', 'eval.sh'], given);
    expect(readFileSync(join(folder, 'eval.sh'), 'utf8')).toContain(`agoge eval textcraft@${url}`);
    expect(readFileSync(join(folder, 'eval.sh'), 'utf8')).toContain("--stop '\\n'");
    run('sh', ['eval.sh']);
    const { panels, scores } = JSON.parse(readFileSync(join(folder, 'outputs/textcraft_eval/eval.json'), 'utf8')) as {
      panels: { format: string }[];
      scores: { episodes: number; scored: number; unreadable: number }[];
    };
    expect(panels[0]?.format).toMatch(/^adapt-last/);
    expect(scores[0]).toMatchObject({ episodes: 3, scored: 3 });
    expect(1 - (scores[0]?.unreadable ?? NaN)).toBeGreaterThan(0.9);
  });

  it('what it wrote replays, and so do results of their own interaction', async () => {
    const own = readdirSync(join(folder, 'outputs/textcraft_eval'), { recursive: true, encoding: 'utf8' }).find((name) =>
      /eval_results_[^/]*\.jsonl$/.test(name),
    );
    expect(JSON.parse(agoge('data', 'validate', join('outputs/textcraft_eval', own ?? ''), '--json'))).toMatchObject({
      rows: 3,
      good: 3,
    });
    // One that gave no action was told so by the interaction; the environment never heard of it.
    const { observation } = textCraft().open({ env: 'textcraft', split: 'test', index: 0 });
    const told =
      'Please provide a valid action. Example actions:\n- craft 1 blue dye using 1 lapis lazuli\n- get 9 slime ball\n- inventory';
    const said = [observation, 'think: what do I have?', told, '> inventory', 'Inventory: You are not carrying anything.'];
    const conversations = said.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content }));
    const episode = { item_id: 'textcraft_0', reward: 0, success: false, num_turns: 2, conversations };
    await mkdir(join(folder, 'theirs/SFT-global_step_80'), { recursive: true });
    await writeFile(join(folder, 'theirs/SFT-global_step_80/eval_results_20251217_110922.jsonl'), `${JSON.stringify(episode)}\n`);
    const report = agoge('data', 'validate', 'theirs/SFT-global_step_80/eval_results_20251217_110922.jsonl', '--json');
    expect(JSON.parse(report)).toMatchObject({ rows: 1, good: 1 });
  });

  it('one table has the run, its evaluation and the older results', () => {
    agoge('summary', 'outputs/textcraft_eval', 'theirs', '--out', 'summary');
    const [head, ...rows] = lines('summary.csv').map((line) => line.split(','));
    const column = (name: string): string[] => rows.map((row) => row[head?.indexOf(name) ?? -1] ?? '');
    expect(column('episodes')).toEqual(['3', '1']);
    expect(column('env').every((name) => name.startsWith('textcraft'))).toBe(true);
    expect(column('checkpoint')[1]).toBe('global_step_80');
  });
});

const sampled = join(recordings, 'Sampling', 'textcraft_gemini-3-pro-preview_20251211_210257.jsonl');

describe('conversations that the seeds have sampled', () => {
  it.skipIf(!existsSync(sampled))('replay word for word', () => {
    const { rows, good } = JSON.parse(agoge('data', 'validate', sampled, '--json')) as { rows: number; good: number };
    expect(rows).toBeGreaterThan(50);
    expect(good / rows).toBeGreaterThan(0.9);
  });
  if (!existsSync(sampled)) console.log(`skipped: ${sampled} is not beside this clone`);
});
