/** What verl adds to the score of an answer: DAPO's punishment of long ones is carried, reward models and functions in Python are named. */
import type { Draft } from './draft.ts';

/** `response`: tokens of an answer at most, where the manager is not told. */
export function rewards(draft: Draft, response: number): void {
  const from = 'reward_model';
  const manager = draft.text(`${from}.reward_manager`);
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
  if (draft.flag(`${from}.enable`) === true)
    draft.lose(`${from}.enable`, 'name the reward model in the recipe: reward=[{use: reward_model, model: hf:<folder>}]');
}
