/** verl's SFT configuration (sft_trainer and sft_trainer_engine) as a recipe for `agoge sft`. */
import type { Converted, Draft } from './draft.ts';
import { lora, optimizer } from './optimizer.ts';
import { common } from './rl.ts';

export function sftFromVerl(draft: Draft, name: string): Converted {
  draft.set('data.source', 'files');
  draft.carry('data.train_files', 'data.train');
  const validation = draft.gave('data.val_files') ? draft.take('data.val_files') : undefined;
  draft.take('data.val_files');
  if (validation !== undefined) draft.set('data.validation', validation);
  if (validation !== undefined && JSON.stringify(validation) === JSON.stringify(draft.value('data.train'))) {
    draft.note('the validation files are the training files: the validation loss will say nothing; consider data.hold_out');
  }
  const longest = draft.number('data.max_length');
  if (longest !== undefined) draft.set('data.max_tokens', longest);
  const cut = draft.text('data.truncation');
  draft.set('data.too_long', cut === undefined || cut === 'error' ? 'error' : 'cut');
  if (cut === 'left' || cut === 'middle')
    draft.note(`data.truncation ${cut}: here the end is cut, after the last whole turn that fits`);
  for (const key of ['data.train_max_samples', 'data.val_max_samples']) {
    const most = draft.number(key);
    if (most !== undefined && most > 0) draft.lose(key, `${most}: make a smaller file with agoge data convert --limit ${most}`);
  }
  const path = draft.text('model.partial_pretrain') ?? draft.text('model.path');
  if (path !== undefined) draft.set('policy', `hf:${path}`);
  lora(draft, 'model');
  const size = draft.number('data.train_batch_size');
  if (size !== undefined) draft.set('batch_conversations', size);
  optimizer(draft, 'optim');
  draft.carry('optim.clip_grad', 'optimizer.clip_norm');
  const steps = draft.number('trainer.total_training_steps');
  if (steps !== undefined && steps > 0) draft.set('steps', steps);
  draft.carry('trainer.total_epochs', 'data.epochs');
  draft.carry('trainer.seed', 'seed');
  const test = draft.number('trainer.test_freq') ?? -1;
  draft.set('validate.every', Math.max(0, test));
  rows(draft);
  const thinking = draft.flag('data.apply_chat_template_kwargs.enable_thinking');
  if (thinking !== undefined) draft.set('agent.thinking', thinking);
  common(draft, name);
  return draft.finish('sft', name);
}

/** Only conversations can be learned from: columns of questions and answers must be made into them first. */
function rows(draft: Draft): void {
  const many = draft.flag('data.multiturn.enable');
  for (const key of ['data.multiturn.messages_key', 'data.messages_key']) {
    const column = draft.text(key);
    if (column !== undefined && column !== 'messages') draft.lose(key, `${column}: the column must be called messages`);
  }
  if (many === false && draft.has('data.prompt_key') && draft.gave('data.prompt_key')) {
    draft.lose(
      'data.prompt_key',
      'rows of a question and an answer are not read: make them conversations with a column messages',
    );
  }
}
