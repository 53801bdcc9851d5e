/** verl's optimizer keys of every spelling it has had, FSDP's and Megatron's, for RL and SFT. */
import type { Draft } from './draft.ts';

const schedules = ['constant', 'linear', 'cosine', 'wsd'];

export function optimizer(draft: Draft, from: string): void {
  const rate = draft.number(`${from}.lr`);
  if (rate !== undefined) draft.set('optimizer.lr', rate);
  draft.carry(`${from}.betas`, 'optimizer.betas');
  draft.carry(`${from}.weight_decay`, 'optimizer.weight_decay');
  warmup(draft, from);
  // The newest name wins; the older ones are null where it is used.
  const styles = ['lr_scheduler_type', 'warmup_style', 'lr_scheduler', 'lr_decay_style'].map((name) => {
    const key = `${from}.${name}`;
    return { key, gave: draft.gave(key), style: draft.text(key) };
  });
  const chosen = styles.find(({ gave, style }) => gave && style !== undefined) ?? styles.find(({ style }) => style !== undefined);
  if (chosen?.style !== undefined) {
    if (schedules.includes(chosen.style)) draft.set('optimizer.schedule', chosen.style);
    else draft.lose(chosen.key, `there is no schedule ${chosen.style} here, only ${schedules.join(', ')}`);
  }
  const ratio = draft.number(`${from}.min_lr_ratio`);
  const least = draft.number(`${from}.min_lr`);
  if (ratio !== undefined) draft.set('optimizer.min_ratio', ratio);
  else if (least !== undefined && rate !== undefined && rate > 0) draft.set('optimizer.min_ratio', least / rate);
  const cycles = draft.number(`${from}.num_cycles`);
  if (cycles !== undefined && cycles !== 0.5) draft.lose(`${from}.num_cycles`, `${cycles}: cosine falls once, half a cycle`);
  const start = draft.number(`${from}.lr_warmup_init`);
  if (start !== undefined && start !== 0) draft.lose(`${from}.lr_warmup_init`, `${start}: warm-up starts near zero`);
  const name = draft.text(`${from}.optimizer`);
  if (name !== undefined && !/^adamw?$/i.test(name)) draft.lose(`${from}.optimizer`, `${name}: there is AdamW only`);
}

function warmup(draft: Draft, from: string): void {
  const steps = draft.number(`${from}.lr_warmup_steps`);
  const names = ['lr_warmup_steps_ratio', 'warmup_steps_ratio'].map((name) => `${from}.${name}`);
  const ratios = names.map((key) => ({ key, gave: draft.gave(key), ratio: draft.number(key) }));
  const { key = '', ratio } =
    ratios.find(({ gave, ratio }) => gave && ratio !== undefined) ?? ratios.find(({ ratio }) => ratio !== undefined) ?? {};
  // As verl's engines have it: 0 steps and fewer stand for none said.
  if (steps !== undefined && steps > 0) draft.set('optimizer.warmup', steps);
  else if (ratio !== undefined && ratio >= 0 && ratio < 1) draft.set('optimizer.warmup', ratio);
  else if (ratio !== undefined) draft.lose(key, `${ratio}: a share of the steps is below 1`);
}

/** Adapters: rank 0 is none. */
export function lora(draft: Draft, from: string): void {
  const rank = Math.max(draft.number(`${from}.lora_rank`) ?? 0, draft.number(`${from}.lora.rank`) ?? 0);
  const alpha = draft.number(`${from}.lora_alpha`);
  const own = draft.number(`${from}.lora.alpha`);
  const targets = draft.take(`${from}.target_modules`);
  draft.take(`${from}.lora.target_modules`);
  if (rank === 0) return;
  draft.set('engine.lora', { rank, alpha: alpha ?? own ?? 16, targets: targets ?? 'all-linear' });
  draft.note(
    `adapters of rank ${rank} are kept as engine.lora: trained beside frozen weights, the critic's as well where there is one`,
  );
}
