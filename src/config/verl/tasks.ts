/**
 * What is played: AgentGym's tasks by their environment, rows that name tasks (`extra_info.interaction_kwargs`), or rows that are
 * questions with a ground truth (GSM8K and its kind), with verl's tools or without.
 */
import type { Draft } from './draft.ts';

const rollout = 'actor_rollout_ref.rollout';
const agentgym = 'actor_rollout_ref.agentgym';

export function tasks(draft: Draft, many: boolean): void {
  const env = draft.text(`${agentgym}.task_name`);
  const url = draft.text(`${agentgym}.env_addr`);
  const interactions = draft.text(`${rollout}.multi_turn.interaction_config_path`);
  if (interactions !== undefined) draft.set('interactions', interactions);
  const questions = env === undefined && interactions === undefined ? questionEntry(draft, many) : undefined;
  const unused = draft.text(`${rollout}.multi_turn.tool_config_path`);
  if (unused !== undefined)
    draft.lose(`${rollout}.multi_turn.tool_config_path`, `${unused}: an environment brings its own actions`);
  const where = questions ?? { ...(env === undefined ? {} : { env }), ...(url === undefined ? {} : { url }) };
  const [list, files] = [draft.take('data.train_file'), draft.take('data.train_files')];
  const first = draft.number('data.train_max_samples');
  const chosen = list ?? files;
  if (chosen !== undefined)
    draft.set('tasks', [{ ...where, file: chosen, ...(first !== undefined && first > 0 ? { to: first } : {}) }]);
  else if (env !== undefined) draft.set('tasks', [{ split: 'train', ...where, env }]);
  // AgentGym-RL's own loop asks in ReAct; rows say themselves how to reply, and whoever has the files reads it from them.
  if (questions) draft.set('agent.format', 'direct');
  else if (list !== undefined || files === undefined) draft.set('agent.format', 'react');
  else draft.set('agent.prompt', 'row');
  held(draft, where);
  if (draft.flag('data.shuffle') === false) draft.lose('data.shuffle', 'tasks come in a new order each epoch');
  const seed = draft.number('data.seed');
  if (seed !== undefined) draft.set('seed', seed);
  const timeout = draft.number(`${agentgym}.timeout`);
  if (timeout !== undefined) draft.set('agent.step_deadline', timeout * 1000);
  const retries = draft.number(`${agentgym}.max_retries`);
  if (retries !== undefined) draft.set('rollout.retries', retries);
}

/** Rows that are the tasks themselves: one reply each, or tools on the way to it. Undefined where turns are asked for without tools: such rows name tasks. */
function questionEntry(draft: Draft, many: boolean): Record<string, unknown> | undefined {
  const turns = `${rollout}.multi_turn`;
  const tools = draft.text(`${turns}.tool_config_path`);
  if (many && tools === undefined) return undefined;
  const settings: Record<string, unknown> = {};
  const column = draft.text('data.prompt_key');
  if (column !== undefined && column !== 'prompt') settings['prompt'] = column;
  if (!many && tools !== undefined)
    draft.lose(`${turns}.tool_config_path`, `${tools}: multi_turn.enable is off, so no tool is called`);
  if (many && tools !== undefined) {
    settings['tools'] = tools;
    const [parallel, response] = [draft.number(`${turns}.max_parallel_calls`), draft.number(`${turns}.max_tool_response_length`)];
    if (parallel !== undefined) settings['parallel'] = parallel;
    if (response !== undefined) settings['response'] = response;
    draft.note(`the tools of ${tools} are run here where their classes are known (docs/rewards.md); others are refused by name`);
  }
  draft.note('each row is a question, scored by its data_source as in verl: the environment data (docs/rewards.md)');
  return { env: 'data', ...(Object.keys(settings).length === 0 ? {} : { settings }) };
}

/** What is evaluated. */
function held(draft: Draft, where: Readonly<Record<string, unknown>>): void {
  const validation = draft.take('data.val_files');
  const most = draft.number('data.val_max_samples');
  if (validation === undefined || !draft.gave('data.val_files')) return;
  // A copy: shared settings would be written as an anchor and its alias.
  draft.set('evaluate.panels', [{ ...structuredClone(where), file: validation }]);
  draft.set('evaluate.choose', false);
  draft.note('as in verl, evaluations on val_files are watched and no best checkpoint is chosen by them (evaluate.choose)');
  if (most !== undefined && most > 0) draft.set('evaluate.tasks', most);
}
