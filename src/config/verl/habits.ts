/** Keys that verl's users write by habit, and what they are called in a recipe of ours: for the errors about unknown keys. */

type Names = Readonly<Record<string, string>>;

const both: Names = {
  'trainer.total_training_steps': 'steps',
  'trainer.experiment_name': 'run',
  'trainer.default_local_dir': 'output',
  'trainer.save_freq': 'checkpoint.every',
};
const rl: Names = {
  ...both,
  'actor_rollout_ref.rollout.n': 'rollout.samples',
  'actor_rollout_ref.rollout.temperature': 'rollout.temperature',
  'actor_rollout_ref.rollout.top_p': 'rollout.top_p',
  'actor_rollout_ref.rollout.top_k': 'rollout.top_k',
  'actor_rollout_ref.rollout.multi_turn.max_assistant_turns': 'agent.max_turns',
  'actor_rollout_ref.agentgym.max_rounds': 'agent.max_turns',
  'actor_rollout_ref.actor.optim.lr': 'optimizer.lr',
  'actor_rollout_ref.actor.grad_clip': 'optimizer.clip_norm',
  'actor_rollout_ref.actor.clip_ratio': 'algorithm.clip',
  'actor_rollout_ref.actor.ppo_epochs': 'update.epochs',
  'actor_rollout_ref.model.path': 'policy=hf:<path>',
  'algorithm.adv_estimator': 'algorithm.name',
  'data.train_batch_size': 'rollout.groups',
  'data.train_files': 'tasks=[{file: <path>}]',
  'data.val_files': 'evaluate.panels=[{file: <path>}]',
  'data.seed': 'seed',
  'trainer.total_epochs': 'epochs',
  'trainer.test_freq': 'evaluate.every',
};
const sft: Names = {
  ...both,
  'data.train_files': 'data.train',
  'data.val_files': 'data.validation',
  'data.max_length': 'data.max_tokens',
  'data.train_batch_size': 'batch_conversations',
  'model.partial_pretrain': 'policy=hf:<path>',
  'model.path': 'policy=hf:<path>',
  'optim.lr': 'optimizer.lr',
  'optim.clip_grad': 'optimizer.clip_norm',
  'trainer.total_epochs': 'data.epochs',
  'trainer.test_freq': 'validate.every',
  'trainer.seed': 'seed',
};
export const verlHabits = { rl, sft } as const;

/** Sections that verl has and a recipe of this kind does not. */
const sections = {
  rl: /^(actor_rollout_ref|trainer|data|reward_model|custom_reward_function|ray_kwargs)\b/,
  sft: /^(trainer|model|optim)\b/,
} as const;

/** What to say about an unknown key that is verl's, each setting of a section for itself; undefined when it is not verl's. */
export function verlHabit(kind: keyof typeof verlHabits, key: string, value: unknown): string[] | undefined {
  const here = Object.hasOwn(verlHabits[kind], key) ? verlHabits[kind][key] : undefined;
  if (here !== undefined) return [`unknown key "${key}": in verl; here it is ${here}`];
  if (!sections[kind].test(key)) return undefined;
  const inside = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (inside.length > 0) return inside.flatMap(([name, each]) => verlHabit(kind, `${key}.${name}`, each) ?? []);
  return [`unknown key "${key}": in verl; agoge config from-verl says what becomes of it here`];
}
