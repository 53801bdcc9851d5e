/** What verl adds to or puts in place of the environment's score: DAPO's punishment of long answers and reward models are carried, Python is named. */
import type { Draft } from './draft.ts';

/** `response`: tokens of an answer at most, where the manager is not told. */
export function rewards(draft: Draft, response: number): void {
  const from = 'reward_model';
  const manager = managerOf(draft);
  const buffer = `${from}.reward_kwargs.overlong_buffer_cfg`;
  const shaped = draft.flag(`${buffer}.enable`) === true;
  const [length, penalty] = [draft.number(`${buffer}.len`), draft.number(`${buffer}.penalty_factor`)];
  const max = draft.number(`${from}.reward_kwargs.max_resp_len`) ?? response;
  draft.take(`${buffer}.log`);
  if (shaped && manager !== 'dapo')
    draft.note(`overlong_buffer_cfg has no effect in verl with the manager ${manager ?? 'naive'}, and none here`);
  else if (shaped && length === undefined)
    draft.lose(`${buffer}.enable`, 'it needs len, the tokens over which the punishment grows');
  else if (shaped) draft.set('reward', ['env', { use: 'overlong', max, buffer: length, penalty: penalty ?? 1 }]);
  rewardModel(draft);
  ownFunction(draft);
}

/** Managers differ in how many rewards they compute at once, but for DAPO's shaping. */
function managerOf(draft: Draft): string | undefined {
  const names = ['reward_model.reward_manager', 'reward_manager.name', 'reward.reward_manager.name'];
  const given = names.filter((key) => draft.gave(key));
  const [key] = given;
  const values = names.map((name) => draft.text(name));
  const manager = values.find((value) => value !== undefined);
  if (key === undefined || manager === undefined) return manager;
  if (/^(naive|prime|batch|dapo)$/.test(manager))
    draft.note(`reward_manager ${manager}: rewards of many episodes are computed at once here (reward.manager)`);
  else draft.lose(key, `${manager}: a manager of your own; write what it pays as a reward (agoge new reward my-reward)`);
  return manager;
}

/** In verl the score of a reward model stands in place of the function's. */
function rewardModel(draft: Draft): void {
  const from = 'reward_model';
  const on = draft.flag(`${from}.enable`) === true;
  const [path, tokenizer] = [draft.text(`${from}.model.path`), draft.text(`${from}.model.input_tokenizer`)];
  if (!on) return;
  if (path === undefined)
    draft.lose(`${from}.enable`, 'name the reward model in the recipe: reward=[{use: reward_model, model: hf:<folder>}]');
  else {
    if (draft.value('reward') !== undefined) draft.note('the reward model stands in place of every other reward, as in verl');
    draft.set('reward', [{ use: 'reward_model', model: `hf:${path}` }]);
  }
  if (tokenizer !== undefined)
    draft.lose(`${from}.model.input_tokenizer`, `${tokenizer}: conversations are written by the reward model's own template`);
}

function ownFunction(draft: Draft): void {
  for (const from of ['custom_reward_function', 'reward.custom_reward_function']) {
    const [path, name] = [draft.text(`${from}.path`), draft.text(`${from}.name`)];
    if (path !== undefined)
      draft.lose(
        `${from}.path`,
        `${path}${name === undefined ? '' : ` (${name})`} is Python: write it as a reward (agoge new reward my-reward) and set reward=./my-reward.ts`,
      );
  }
}
