/**
 * A day of the people this project grew from, on small settings and without touching a file by hand: GRPO on WebShop with prepared
 * parquet and an interaction YAML against a running server, checkpoints × seeds and one summary; then conversations sampled from an
 * API in ADaPT's words, supervised training on them by epochs, and its automatic evaluation.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedEndpoint } from '../fixtures/scripted-endpoint.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-day-'));
const env = { ...process.env, HOME: folder };
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A command that must succeed. */
function agoge(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8', env });
  expect(`${status} ${status === 0 ? '' : stderr}`, args.join(' ')).toBe('0 ');
  return stdout;
}

/** The same beside what else this process does. */
async function agogeBeside(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  expect(`${code} ${code === 0 ? '' : text}`, args.join(' ')).toBe('0 ');
  return text;
}

const lines = (path: string): string[] => readFileSync(join(folder, path), 'utf8').trim().split('\n');
const json = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(folder, path), 'utf8')) as Record<string, unknown>;

describe('WebShop: GRPO from parquet through an interaction file', () => {
  let server: ChildProcess;
  let url = '';

  beforeAll(async () => {
    server = spawn(
      process.execPath,
      [cli, 'serve', 'webshop', '--port', '0', '--generated', '--set', 'webshop.size=60', '--set', 'webshop.page=3'],
      {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    url = await new Promise<string>((resolve) =>
      server.stdout?.on('data', (chunk: Buffer) => {
        const found = /http:\/\/[\d.]+:\d+/.exec(chunk.toString())?.[0];
        if (found !== undefined) resolve(found);
      }),
    );
    const ids = (from: number, count: number): string =>
      JSON.stringify(Array.from({ length: count }, (_, i) => ({ item_id: `webshop_${from + i}` })));
    await writeFile(join(folder, 'webshop_train.json'), ids(0, 8));
    await writeFile(join(folder, 'webshop_test.json'), ids(30, 3));
    await mkdir(join(folder, 'config'));
    await writeFile(
      join(folder, 'config', 'webshop_interaction.yaml'),
      `- name: webshop\n  _target_: verl.interactions.webshop_interaction.WebshopInteraction\n  config:\n    env_server_base: "${url}"\n    timeout: 600\n    max_retries: 3\n`,
    );
    // As in the seeds' guide, word for word where it matters.
    await writeFile(
      join(folder, 'config', 'webshop_grpo.yaml'),
      `hydra:
  searchpath:
    - file://verl/trainer/config
defaults:
  - ppo_trainer
  - _self_
data:
  train_files: ~/data/webshop/train.parquet
  val_files: ~/data/webshop/test.parquet
  max_prompt_length: 1024
  max_response_length: 3000
  train_batch_size: 32
  return_raw_chat: True
actor_rollout_ref:
  model:
    path: /Data/public/Qwen2.5-3B-Instruct
  rollout:
    name: sglang
    temperature: 0.7
    top_p: 0.9
    prompt_length: 1024
    response_length: 3000
    multi_turn:
      enable: True
      max_user_turns: 15
      max_assistant_turns: 15
      interaction_config_path: examples/sglang_multiturn/config/webshop_interaction.yaml
    agent:
      default_agent_loop: tool_agent
      num_workers: 4
algorithm:
  adv_estimator: grpo
trainer:
  total_epochs: 5
  save_freq: 1
  project_name: webshop_rl
  experiment_name: qwen2.5-3b-webshop
`,
    );
  });
  afterAll(async () => {
    server.kill('SIGTERM');
    await once(server, 'close');
  });

  it('ids become rows, the YAML a recipe, the recipe a run', () => {
    agoge('data', 'convert', 'webshop_train.json', 'data/webshop/train.parquet', '--prompt', 'system+user');
    agoge('data', 'convert', 'webshop_test.json', 'data/webshop/test.parquet', '--prompt', 'system+user');
    const script = [
      'data.train_batch_size=4',
      'data.max_response_length=900',
      'actor_rollout_ref.rollout.n=2',
      'actor_rollout_ref.rollout.multi_turn.max_user_turns=3',
      'trainer.total_epochs=2',
      'trainer.test_freq=2',
    ];
    const told = agoge('config', 'from-verl', 'config/webshop_grpo.yaml', ...script, '--out', 'webshop.yaml');
    expect(told).toContain('0 settings could not be carried over');
    const written = readFileSync(join(folder, 'webshop.yaml'), 'utf8');
    expect(written).toContain('interactions: config/webshop_interaction.yaml');
    expect(written).toContain('lr: 0.000001');
    // The small policy that ships stands in for the 3B model, in its own words.
    agoge('train', 'webshop.yaml', 'policy=base', 'agent.format=direct', 'agent.tokens_per_turn=24', '--no-view');
    const run = json('outputs/qwen2.5-3b-webshop/run.json');
    expect(run).toMatchObject({ status: 'finished', step: 4, steps: 4 });
    expect(run['best']).toBeUndefined();
    const panels = lines('outputs/qwen2.5-3b-webshop/metrics/evaluations.jsonl').map(
      (line) => JSON.parse(line) as { step: number; panel: string; n: number },
    );
    expect(panels.map(({ step, panel, n }) => [step, panel, n])).toEqual([
      [0, 'test.parquet', 3],
      [2, 'test.parquet', 3],
      [4, 'test.parquet', 3],
    ]);
    expect(json('outputs/qwen2.5-3b-webshop/checkpoints/step_000004/agent.json')['format']).toBe('direct');
  });

  it('all of it was played on the server of the interaction file', async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const opened = Number(/opened_total(?:\{[^}]*\})? (\d+)/.exec(metrics)?.[1] ?? 0);
    expect(opened, metrics).toBeGreaterThanOrEqual(4 * 4 * 2 + 3 * 3);
  });

  it('checkpoints × seeds are evaluated on the same rows and summed up', () => {
    const evaluation = [
      'eval',
      'webshop',
      '--interactions',
      'config/webshop_interaction.yaml',
      '--tasks',
      'data/webshop/test.parquet',
    ];
    agoge(
      ...evaluation,
      ...['--policy', 'run:outputs/qwen2.5-3b-webshop@all', '--seeds', '2', '--limit', '2', '--prompt', 'row'],
      ...['--max-turns', '3', '--max-tokens', '24', '--out', 'outputs/eval-webshop', '--no-view'],
    );
    agoge('summary', 'outputs/eval-webshop', 'outputs/qwen2.5-3b-webshop', '--out', 'results/summary');
    const [head, ...rows] = lines('results/summary.csv').map((line) => line.split(','));
    expect(head?.slice(2, 8)).toEqual(['model', 'checkpoint', 'seed', 'episodes', 'missing', 'success']);
    const steps = readdirSync(join(folder, 'outputs/qwen2.5-3b-webshop/checkpoints')).filter((name) => name.startsWith('step_'));
    const evaluated = rows.filter((row) => row[1] === 'all').map((row) => [row[3], row[4]]);
    expect(evaluated).toEqual(
      steps.map((name) => `step_${Number(name.slice(5))}`).flatMap((step) => ['all', '0', '1'].map((seed) => [step, seed])),
    );
    expect(existsSync(join(folder, 'results/summary.md'))).toBe(true);
  });
});

describe('TextCraft: ADaPT conversations from an API, then SFT by epochs', () => {
  it('sampled, converted, learned, evaluated', async () => {
    await using endpoint = await startScriptedEndpoint();
    const policy = `openai:gemini-2.5@${endpoint.url}`;
    await agogeBeside(
      ...['data', 'sample', 'textcraft', '--policy', policy, '--format', 'adapt', '--tasks', '60-71', '--thinking', 'off'],
      ...['--out', 'sampled.jsonl'],
    );
    expect(JSON.stringify(endpoint.requests[0])).toContain('"chat_template_kwargs":{"enable_thinking":false}');
    agoge('data', 'convert', 'sampled.jsonl', 'sft.parquet', '--success-only');
    await writeFile(join(folder, 'sft_run.yaml'), 'defaults:\n  - sft_trainer\n  - _self_\n');
    const script = [
      ...['data.train_files=sft.parquet', 'data.multiturn.enable=true', 'data.train_batch_size=2', 'data.max_length=2048'],
      ...['model.partial_pretrain=Qwen/Qwen3-1.7B', 'optim.lr=1e-4', 'optim.lr_warmup_steps_ratio=0.25'],
      ...['trainer.total_epochs=2', 'trainer.experiment_name=textcraft_sft'],
    ];
    agoge('config', 'from-verl', 'sft_run.yaml', ...script, '--out', 'sft.yaml');
    const panel = 'evaluate.panels=[{env: textcraft, split: validation}]';
    const small = ['evaluate.tasks=3', 'agent.max_turns=3', 'agent.tokens_per_turn=40', 'log.every=1', '--no-view'];
    const told = agoge('sft', 'sft.yaml', 'policy=base', panel, ...small);
    expect(told).toMatch(/evaluation after step 12: textcraft\/validation success .*, reward /);
    expect(told).toMatch(/best success \d\.\d{3} at step 12/);
    const rates = lines('outputs/textcraft_sft/metrics/training_metrics.jsonl').map(
      (line) => (JSON.parse(line) as { data: Record<string, number> }).data['train/lr'] ?? 0,
    );
    expect(rates).toHaveLength(12);
    expect(rates[0]).toBeCloseTo(1e-4 / 3, 9);
    expect(Math.max(...rates)).toBeGreaterThan(9e-5);
    expect(rates.at(-1)).toBeLessThan(2e-5);
    const record = json('outputs/textcraft_sft/checkpoints/step_000012/agent.json');
    expect(record).toMatchObject({ format: 'adapt', tokens_per_turn: 40 });
    expect(readFileSync(join(folder, 'outputs/textcraft_sft/summary.txt'), 'utf8')).toContain('step_12');
    agoge(
      'eval',
      'textcraft',
      '--policy',
      'run:outputs/textcraft_sft',
      '--tasks',
      '0-1',
      '--max-turns',
      '2',
      '--max-tokens',
      '40',
      '--out',
      'outputs/eval-sft',
      '--no-view',
    );
    expect(json('outputs/eval-sft/eval.json')['panels']).toMatchObject([{ format: expect.stringMatching(/^adapt/) as string }]);
    const { status, stderr } = spawnSync(
      process.execPath,
      [cli, 'sft', 'sft.yaml', 'run=other', 'policy=base', panel, 'agent.format=direct'],
      { cwd: folder, encoding: 'utf8', env },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/sft\.parquet is written in the format adapt .* the recipe asks for direct/);
  });
});
