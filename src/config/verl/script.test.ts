/** Scripts in the manner of the seeds: variables with defaults, a log, a server that is asked for, an evaluation after the training. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rlRecipe, sftRecipe } from '../recipe/recipe.ts';
import { commandText } from './evaluation.ts';
import { fromScript } from './script.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-script-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
await mkdir(join(folder, 'config'));
await mkdir(join(folder, 'rl'));

async function script(name: string, text: string): Promise<string> {
  const path = join(folder, 'rl', name);
  await writeFile(path, text);
  return path;
}

const training = `#!/bin/bash
set -e
MODEL_PATH=\${MODEL_PATH:-"/Data/public/Qwen3-1.7B"}
BATCH=\${BATCH:-64}
SERVER=$(curl -s "http://127.0.0.1:36002/" 2>&1)
if [[ "$SERVER" == *"TextCraft"* ]]; then echo up; else echo down; exit 1; fi
cd /Data/wyh/verl
python3 -m verl.trainer.main_ppo \\
    --config-path='/Data/wyh/verl/examples/config' \\
    --config-name='textcraft_grpo_train' \\
    data.train_batch_size=$BATCH \\
    actor_rollout_ref.model.path=$MODEL_PATH \\
    reward_model.reward_manager=prime \\
    trainer.experiment_name=grpo_$(date +%Y) 2>&1 | tee -a log
`;
await writeFile(
  join(folder, 'config', 'textcraft_grpo_train.yaml'),
  'defaults: [ppo_trainer, _self_]\ndata: {train_files: train.parquet}\nactor_rollout_ref: {rollout: {multi_turn: {enable: true, max_assistant_turns: 25, interaction_config_path: /Data/x/config/textcraft_interaction.yaml}}}\nalgorithm: {adv_estimator: grpo}\n',
);

const evaluation = `#!/bin/bash
# 单行输出 (stop at \\n, max_new_tokens=150), ADaPT
MODEL_PATH="\${MODEL_PATH:-/Data/public/Qwen3-1.7B}"
MAX_SAMPLES=\${MAX_SAMPLES:--1}
DO_SAMPLE="--do_sample"
python examples/eval/eval_textcraft_qwen3_1.7b.py \\
    --model_path "$MODEL_PATH" --data_path "/Data/eval/test.parquet" --output_dir outputs/textcraft_eval \\
    --textcraft_server http://127.0.0.1:36003 --max_samples "$MAX_SAMPLES" --max_rounds 40 --max_length 8192 \\
    --max_new_tokens 150 --temperature 0.3 --top_p 0.95 --gpu_memory_utilization 0.9 --odd_key 3 $DO_SAMPLE 2>&1 | tee log
`;

describe('a training script', () => {
  it('becomes the recipe of what it starts, with the file that it names', async () => {
    const made = await fromScript(await script('run_grpo.sh', training), { args: ['trainer.total_epochs=3'] });
    if (made.kind !== 'training') throw new Error('not a training');
    const { converted } = made;
    expect(rlRecipe(converted.recipe, 'x')).toMatchObject({
      policy: 'hf:/Data/public/Qwen3-1.7B',
      rollout: { groups: 64 },
      agent: { max_turns: 25, prompt: 'row' },
      epochs: 3,
      // No validation files: the original evaluates nothing of its own.
      evaluate: { at_start: false, at_end: false, every: 0 },
    });
    expect(converted.recipe['run']).toMatch(/^grpo_20\d\d$/);
    expect(converted.notes.join()).toContain('reward_manager prime');
  });
  it('says which file it misses, and what it starts nothing of', async () => {
    const lost = await script('lost.sh', training.replace('textcraft_grpo_train', 'nowhere_to_be_found'));
    await expect(fromScript(lost)).rejects.toThrow(/names the configuration .*nowhere_to_be_found\.yaml/);
    await expect(fromScript(await script('none.sh', 'echo hello'))).rejects.toThrow(/starts no training or evaluation/);
    const lacking = await script('lacking.sh', `: "\${AGOGE_TEST_MODEL:?set it to your model}"\n${training}`);
    await expect(fromScript(lacking)).rejects.toMatchObject({
      code: 'CONFIG_LAUNCH_LACKS',
      message: expect.stringMatching(
        /lacking\.sh does not go on without AGOGE_TEST_MODEL \("set it to your model"\): set it before the command, as in AGOGE_TEST_MODEL=value$/,
      ) as string,
    });
    const asks = await script('asks.sh', `MODEL_PATH=\${1:?usage: asks.sh MODEL}\n${training}`);
    await expect(fromScript(asks)).rejects.toThrow(/without 1 \("usage: asks.sh MODEL"\): give the script's arguments behind it/);
    await expect(fromScript(asks, { args: ['/models/x'] })).resolves.toMatchObject({ kind: 'training' });
  });
  it('with several trainings asks which', async () => {
    const sweep = await script(
      'sweep.sh',
      'for lr in 1e-6 1e-5; do\npython3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=a.parquet actor_rollout_ref.actor.optim.lr=$lr trainer.experiment_name=lr_$lr\ndone\n',
    );
    await expect(fromScript(sweep)).rejects.toThrow(/starts 2 trainings \(1: lr_1e-6; 2: lr_1e-5\): choose one with --launch/);
    const second = await fromScript(sweep, { launch: 2 });
    expect(second.kind === 'training' && second.converted.recipe['run']).toBe('lr_1e-5');
  });
});

describe('an evaluation script', () => {
  it('becomes an agoge eval command, with what was lost', async () => {
    const made = await fromScript(await script('run_textcraft_eval.sh', evaluation));
    if (made.kind !== 'evaluation') throw new Error('not an evaluation');
    const [first] = made.evaluations;
    expect(commandText(first?.command ?? [])).toBe(
      [
        'agoge eval textcraft@http://127.0.0.1:36003',
        '--policy hf:/Data/public/Qwen3-1.7B',
        '--tasks /Data/eval/test.parquet',
        '--max-turns 40',
        '--max-tokens 150',
        '--max-context 8192',
        '--temperature 0.3',
        '--top-p 0.95',
        '--out outputs/textcraft_eval',
        '--format adapt-last',
        "--stop '\\n'",
      ].join(' \\\n  '),
    );
    expect(first?.lost).toEqual(['odd_key: "3"']);
  });
  it('of AgentGym-RL (main_generation) too', async () => {
    const text =
      'python3 -m verl.agent_trainer.main_generation data.path=AgentEval/babyai data.n_samples=1 agentgym.task_name=babyai agentgym.env_addr=http://127.0.0.1:36005 agentgym.max_rounds=20 model.path=m rollout.temperature=1 rollout.max_tokens=512 rollout.max_model_len=32768\n';
    const made = await fromScript(await script('babyai_eval.sh', text));
    expect(made.kind === 'evaluation' && commandText(made.evaluations[0]?.command ?? []).replace(/ \\\n /g, '')).toBe(
      'agoge eval babyai@http://127.0.0.1:36005 --policy hf:m --tasks AgentEval/babyai --samples 1 --max-turns 20 --max-tokens 512 --max-context 32768 --temperature 1 --format react',
    );
  });
  it('after a supervised training is the evaluation at its end; without one there is none', async () => {
    const sft =
      'torchrun --nnodes=1 --nproc_per_node=$1 -m verl.trainer.fsdp_sft_trainer data.train_files=sft.parquet data.multiturn.enable=true model.partial_pretrain=m trainer.experiment_name=s $@\n';
    await script('run_textcraft_eval.sh', evaluation);
    const after = `${sft}if [ $? -eq 0 ]; then\n  CKPT=$(ls -d x/global_step_* | tail -1)\n  if [ -n "$CKPT" ]; then\n    export MODEL_PATH="$CKPT"\n    export MAX_SAMPLES=100\n    cd /Data/wyh/eval\n    bash run_textcraft_eval.sh\n  fi\nfi\n`;
    const made = await fromScript(await script('sft_and_eval.sh', after), { args: ['2', '/tmp/x', 'trainer.total_epochs=2'] });
    if (made.kind !== 'training') throw new Error('not a training');
    expect(sftRecipe(made.converted.recipe, 'x')).toMatchObject({
      data: { epochs: 2 },
      agent: { max_turns: 40, tokens_per_turn: 150, stop: ['\n'] },
      evaluate: {
        at_end: true,
        every: 0,
        tasks: 100,
        temperature: 0.3,
        panels: [{ file: '/Data/eval/test.parquet', env: 'textcraft' }],
      },
    });
    const alone = await fromScript(await script('sft_alone.sh', sft));
    expect(alone.kind === 'training' && sftRecipe(alone.converted.recipe, 'x').evaluate).toMatchObject({
      at_end: false,
      panels: [],
    });
  });
});
