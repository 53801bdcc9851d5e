/** A diagnosis in Chinese, for the dashboard and the command line: what is seen, and what to do about it. words.ts has the English. */
import type { Diagnosis, DiagnosisKind } from './diagnosis.ts';

/** Why a run does not learn. */
export function diagnosisInChinese(found: Diagnosis): string {
  switch (found.kind) {
    case 'replies-flat':
      return `正确回复的比例在 ${String(found.steps)} 步内停在 ${share(found.level)}`;
    case 'success-flat':
      return `成功率在 ${String(found.steps)} 步内停在 ${share(found.level)}`;
    case 'no-signal':
      return `最近 ${String(found.steps)} 步中没有一组的奖励有差别，没有可学的东西`;
    case 'reward-up-success-down':
      return `奖励上升（${change(found.reward)}）而成功率下降（${change(found.success)}）：奖励付给了别的东西`;
    case 'giving-up':
      return `成功率降到零（${change(found.success)}），轨迹同时变短（轮数 ${change(found.turns)}）：奖励在鼓励放弃`;
    case 'collapsed':
      return `成功率从第 ${String(found.peak)} 步的 ${found.success[0].toFixed(2)} 降到 ${found.success[1].toFixed(2)}`;
    case 'entropy-gone':
      return `策略不再尝试新的动作：其选择的熵只有 ${found.entropy.toPrecision(2)}`;
    case 'replies-cut':
      return `${share(found.share)} 的回复在词元上限处被截断`;
    case 'context-full':
      return `${share(found.share)} 的轨迹因上下文已满而结束`;
    case 'unreadable':
      return `${share(found.share)} 的回复无法解析出动作`;
    case 'rate-too-high':
      return `一次更新使每个词元的 KL 散度达到 ${found.kl.toPrecision(2)}：学习率过高`;
    case 'unlearned':
      return `模仿使策略变差了：成功率从第一步之前的 ${found.success[0].toFixed(2)} 降到 ${found.success[1].toFixed(2)}`;
  }
}

/** What to do about it. */
export const remediesInChinese: Readonly<Record<DiagnosisKind, string>> = {
  'replies-flat':
    '用 agoge doctor ENV --policy run:RUN 查看卡在哪一类轮次；把回复所需的内容放进最近的观察，从更容易的任务开始，或从更大的策略开始（policy: reader）',
  'success-flat': '每步采样更多轨迹（rollout.groups），偏向有时能解决的任务（rollout.prefer={}），或从更早或更好的模仿检查点开始',
  'no-signal': '选择有时能解决的任务：全部失败时换更容易的任务或多做模仿，全部成功时换更难的任务；或调高 rollout.samples',
  'reward-up-success-down': '只为成功付奖励（reward: env），或把奖励的其他部分缩小到不能压过成功',
  'giving-up': '去掉奖励中按轮数和失败动作的扣分，或只在任务成功时才扣；从 policy=run:RUN@best 继续',
  collapsed: '从 policy=run:RUN@best 继续，并把 optimizer.lr 降到三分之一，或加上 KL 惩罚（algorithm.kl={}）或示范（anchor）',
  'entropy-gone': '从更早的检查点继续，调低 optimizer.lr 并加熵奖励（algorithm.entropy=0.01），或调高 rollout.temperature',
  'replies-cut': '调高 agent.tokens_per_turn，或让策略学会更短的回复（agoge sft、另一种 agent.format）',
  'context-full': '调低 agent.max_turns 或缩短环境的文本，或换上下文更长的策略（agoge doctor ENV 会显示词元数）',
  unreadable: '先让策略学会格式（agoge sft），或选它学过的格式（agent.format）',
  'rate-too-high': '把 optimizer.lr 除以三，或设置 algorithm.target_kl',
  unlearned:
    '从 policy=run:RUN@best 继续；按起点学过的方式示范（settings.expert、agent.format），或把 optimizer.lr 降到三分之一，或模仿得更久，直到完整学会新的方式',
};

function share(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}

function change([before, after]: readonly [number, number]): string {
  return `${before.toFixed(2)} → ${after.toFixed(2)}`;
}
