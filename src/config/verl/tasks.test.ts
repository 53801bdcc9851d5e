/** What a configuration of verl plays: rows that are questions, rows that name tasks, AgentGym's environments; and what it is paid. */
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { fromVerl, launchedAlone, type Converted } from '../from-verl.ts';
import { rlRecipe } from '../recipe/recipe.ts';
import type { RlRecipe } from '../recipe/rl-recipe.ts';

const rollout = 'actor_rollout_ref.rollout';

async function converted(...overrides: string[]): Promise<Converted & { readonly read: RlRecipe }> {
  const all = ['algorithm.adv_estimator=grpo', ...overrides];
  const result = await fromVerl(launchedAlone(all), { overrides: all });
  return { ...result, read: rlRecipe(result.recipe) };
}

const gsm8k = ['data.train_files=gsm8k/train.parquet', 'data.val_files=gsm8k/test.parquet'];

describe('rows that are questions', () => {
  it("verl's own examples: one reply a row, scored by its data source", async () => {
    const { read, notes, lost } = await converted(...gsm8k, 'data.val_max_samples=50');
    expect(read.tasks).toMatchObject([{ env: 'data', file: 'gsm8k/train.parquet' }]);
    expect(read.evaluate).toMatchObject({ panels: [{ env: 'data', file: 'gsm8k/test.parquet' }], choose: false, tasks: 50 });
    expect(read.agent).toMatchObject({ format: 'direct', prompt: null, max_turns: 1 });
    expect(notes.join('\n')).toMatch(/each row is a question/);
    expect(lost).toEqual([]);
  });

  it('several files are one list', async () => {
    const files = ["data.train_files=['a/train.parquet','b/train.parquet']", "data.val_files=['a/test.parquet']"];
    const { read } = await converted(...files);
    expect(read.tasks).toMatchObject([{ env: 'data', file: ['a/train.parquet', 'b/train.parquet'] }]);
  });

  it('with tools they have turns, and the settings of the tools', async () => {
    const tools = [
      `${rollout}.multi_turn.enable=True`,
      `${rollout}.multi_turn.tool_config_path=config/tools.yaml`,
      `${rollout}.multi_turn.max_assistant_turns=4`,
      `${rollout}.multi_turn.max_parallel_calls=2`,
      `${rollout}.multi_turn.max_tool_response_length=1024`,
    ];
    const { read, notes, recipe } = await converted(...gsm8k, ...tools);
    const settings = { tools: 'config/tools.yaml', parallel: 2, response: 1024 };
    expect(read.tasks).toMatchObject([{ env: 'data', settings }]);
    expect(read.evaluate.panels).toMatchObject([{ env: 'data', settings }]);
    expect(stringify(recipe)).not.toMatch(/[&*]a\d/);
    expect(read.agent).toMatchObject({ format: 'direct', max_turns: 4 });
    expect(notes.join('\n')).toMatch(/tools of config\/tools\.yaml/);
  });

  it('tools that are never called are named', async () => {
    const { lost, read } = await converted(...gsm8k, `${rollout}.multi_turn.tool_config_path=tools.yaml`);
    expect(lost.join('\n')).toMatch(/tool_config_path: tools\.yaml: multi_turn\.enable is off/);
    expect(read.tasks).toMatchObject([{ settings: {} }]);
  });

  it('a column of their own is named', async () => {
    const { read } = await converted(...gsm8k, 'data.prompt_key=question');
    expect(read.tasks).toMatchObject([{ settings: { prompt: 'question' } }]);
  });
});

describe('rows that name tasks', () => {
  it('an interaction file, or turns without tools: the row says what is played', async () => {
    for (const more of [`${rollout}.multi_turn.interaction_config_path=webshop.yaml`, `${rollout}.multi_turn.max_user_turns=9`]) {
      const { read } = await converted(...gsm8k, `${rollout}.multi_turn.enable=True`, more);
      expect(read.tasks).toMatchObject([{ env: null, file: 'gsm8k/train.parquet' }]);
      expect(read.agent).toMatchObject({ format: null, prompt: 'row' });
    }
  });

  it('interactions and tools together: the interaction plays, the tools are named as lost', async () => {
    const both = [
      `${rollout}.multi_turn.enable=True`,
      `${rollout}.multi_turn.interaction_config_path=webshop.yaml`,
      `${rollout}.multi_turn.tool_config_path=tools.yaml`,
    ];
    const { read, lost } = await converted(...gsm8k, ...both);
    expect(read.interactions).toBe('webshop.yaml');
    expect(read.tasks).toMatchObject([{ env: null }]);
    expect(lost.join('\n')).toMatch(/tool_config_path: tools\.yaml: an environment brings its own/);
  });
});

describe("AgentGym's environments", () => {
  const gym = ['actor_rollout_ref.agentgym.task_name=textcraft', 'actor_rollout_ref.agentgym.env_addr=http://127.0.0.1:36001'];
  it('play a list of item ids on their server', async () => {
    const { read } = await converted(...gym, 'data.train_file=textcraft_train.json', 'actor_rollout_ref.agentgym.max_retries=5');
    const server = { env: 'textcraft', url: 'http://127.0.0.1:36001' };
    expect(read.tasks).toMatchObject([{ ...server, file: 'textcraft_train.json' }]);
    expect(read.agent).toMatchObject({ format: 'react', prompt: null });
    expect(read.rollout.retries).toBe(5);
  });
  it('without a list, their training split', async () => {
    expect((await converted(...gym)).read.tasks).toMatchObject([{ env: 'textcraft', split: 'train' }]);
  });
});

describe('what is paid', () => {
  const buffer = '+reward_model.reward_kwargs.overlong_buffer_cfg';
  const shaped = [`${buffer}.enable=True`, `${buffer}.len=4096`, `${buffer}.penalty_factor=0.5`, `${buffer}.log=False`];

  it("DAPO's punishment of long answers is carried", async () => {
    const { read, lost } = await converted(
      ...gsm8k,
      'reward_model.reward_manager=dapo',
      ...shaped,
      '+reward_model.reward_kwargs.max_resp_len=8192',
    );
    expect(read.reward.parts).toMatchObject([{ use: 'env' }, { use: 'overlong', max: 8192, buffer: 4096, penalty: 0.5 }]);
    expect(lost).toEqual([]);
  });
  it('its length is that of responses where the manager is not told', async () => {
    const { read } = await converted(...gsm8k, 'reward_model.reward_manager=dapo', 'data.max_response_length=9000', ...shaped);
    expect(read.reward.parts[1]).toMatchObject({ max: 9000 });
  });
  it('another manager ignores it, and that is said', async () => {
    const { read, notes } = await converted(...gsm8k, ...shaped);
    expect(read.reward.parts).toMatchObject([{ use: 'env' }]);
    expect(notes.join('\n')).toMatch(/no effect in verl with the manager naive/);
  });
  it('a reward model is never dropped as not needed', async () => {
    const model = ['reward_model.enable=True', 'reward_model.model.path=some/rm'];
    const { read, lost } = await converted(...gsm8k, ...model);
    expect(read.reward.parts).toMatchObject([{ use: 'reward_model', model: 'hf:some/rm' }]);
    expect(lost).toEqual([]);
    const nameless = await converted(...gsm8k, 'reward_model.enable=True');
    expect(nameless.lost.join('\n')).toMatch(/reward_model\.enable: name the reward model/);
    expect((await converted(...gsm8k, 'reward_model.enable=False')).lost).toEqual([]);
  });
});

describe('what cannot be carried is named', () => {
  it.each<[string[], RegExp]>([
    [
      ['custom_reward_function.path=r.py', 'custom_reward_function.name=score'],
      /custom_reward_function\.path: r\.py \(score\) is Python/,
    ],
    [['reward_model.reward_manager=mine'], /reward_model\.reward_manager: mine: a manager of your own/],
    [['algorithm.filter_groups.enable=True', 'algorithm.filter_groups.metric=acc'], /filter_groups\.metric: acc/],
  ])('%j', async (overrides, named) => expect((await converted(...gsm8k, ...overrides)).lost.join('\n')).toMatch(named));
  it.each<[string[], RegExp]>([
    [['reward_model.reward_manager=prime'], /reward_manager prime/],
    [['algorithm.filter_groups.enable=True', 'algorithm.filter_groups.metric=seq_reward'], /filter_groups\.metric seq_reward/],
  ])('or noted: %j', async (overrides, named) =>
    expect((await converted(...gsm8k, ...overrides)).notes.join('\n')).toMatch(named),
  );
});

describe('the critic', () => {
  it.each<[string[], boolean]>([
    [['algorithm.adv_estimator=gae', 'actor_rollout_ref.model.path=m', 'critic.model.path=m'], false],
    [['algorithm.adv_estimator=gae', 'actor_rollout_ref.model.path=m', 'critic.model.path=other'], true],
    [['actor_rollout_ref.model.path=m', 'critic.model.path=other'], false],
  ])('%j: is its model lost? %s', async (overrides, want) => {
    const { lost } = await converted(...gsm8k, ...overrides);
    expect(lost.some((line) => line.startsWith('critic.model.path:'))).toBe(want);
  });
});

it('a launch of verl’s generation is no training', async () => {
  const overrides = ['data.path=test.parquet', 'data.output_path=out.parquet', 'model.path=m', 'rollout.temperature=1.0'];
  await expect(fromVerl(launchedAlone(overrides), { overrides })).rejects.toThrow(/generation or evaluation: .*use agoge eval/);
});
