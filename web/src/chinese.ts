/**
 * Sentences with values, in Chinese: why a run ended, how two policies compare. They are made of the data that files hold beside their
 * English sentences; an error's own sentence stays as it was written, with what kind of error it is before it.
 */
import type { Diagnosis, DiagnosisKind } from '../../src/run/diagnosis/diagnosis.ts';
import type { ErrorArea } from '../../src/core/error.ts';
import type { EvaluationComparison, RunSummary } from '../../src/dashboard/model.ts';

type Cause = NonNullable<RunSummary['cause']>;

/** The sentence as written is what an error adds. */
export function causeInChinese(cause: Cause, written: string): string {
  switch (cause.kind) {
    case 'no-signal':
      return `最近 ${String(cause.steps)} 步中，没有一组的奖励有差别：任务不是全部解决，就是全都够不着；请更换任务，或调高 rollout.samples`;
    case 'success':
      return `评估达到 ${cause.score.toFixed(3)}`;
    case 'patience':
      return `最近 ${String(cause.evaluations)} 次评估没有更好的结果`;
    case 'fall':
      return `成功率从 ${cause.from.toFixed(3)} 降到 ${cause.to.toFixed(3)}，连续 ${String(cause.evaluations)} 次评估没有恢复；最佳检查点已保留（@best）`;
    case 'minutes':
      return `设定的时间已用完（${Number(cause.minutes.toPrecision(3)).toString()} 分钟）`;
    case 'error':
      return `${errorInChinese(cause.code)}：${written} [${cause.code}]`;
  }
}

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
};

function share(part: number): string {
  return `${(100 * part).toFixed(0)} %`;
}

function change([before, after]: readonly [number, number]): string {
  return `${before.toFixed(2)} → ${after.toFixed(2)}`;
}

/** undefined where the file is of a version that has no data beside its sentence. */
export function comparisonInChinese({ first, second, found }: EvaluationComparison): string | undefined {
  if (!found) return undefined;
  const { n, success, reward, needed } = found;
  const [better, worse] = success.difference > 0 ? [second, first] : [first, second];
  if (success.p < 0.05)
    return `${better} 比 ${worse} 解决的任务更多：${gain(success.difference)}（n = ${String(n)}，${pText(success.p)}）`;
  const rest = needed === null ? '成功率没有差别' : `要确认这样大小的差别，大约需要 ${String(needed)} 个任务`;
  const unclear = `无法区分（n = ${String(n)}，${pText(success.p)}）；${rest}`;
  if (reward.p >= 0.05) return unclear;
  return `成功率${unclear}；${reward.difference > 0 ? second : first} 的奖励更高：${gain(reward.difference)}（${pText(reward.p)}）`;
}

function gain(difference: number): string {
  return `+${Math.abs(difference).toFixed(3)}`;
}

function pText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
}

/** What happens most often, and for all others the part of the project that they come from. */
const codes: Readonly<Record<string, string>> = {
  TRAIN_DISK_FULL: '磁盘已满',
  TRAIN_NOT_FINITE: '出现了非有限的数值',
  EVAL_CANNOT_WRITE: '无法写入轨迹',
  POLICY_ENDPOINT: '模型端点出错',
  POLICY_ENDPOINT_REFUSED: '模型端点拒绝了请求',
  GYM_UNREACHABLE: '无法连接环境服务器',
  GYM_CONNECTION_LOST: '与环境服务器的连接中断',
  GYM_SESSION_LOST: '环境会话已丢失',
  GYM_TIMED_OUT: '环境服务器超时',
  ENV_UNKNOWN_TASK: '没有这个任务',
  REPORT_NO_RUN: '这里没有这个运行',
  REPORT_NO_EPISODE: '没有这条轨迹',
  REPORT_OUTSIDE: '不在所显示的文件夹之内',
  REPORT_RUNNING: '仍在运行',
  CLI_INTERRUPTED: '已中断',
};

const areas: Readonly<Record<ErrorArea, string>> = {
  CORE: '内部错误',
  ENV: '环境出错',
  GYM: '环境服务器出错',
  AGENT: '智能体出错',
  POLICY: '策略出错',
  ENGINE: '引擎出错',
  MODEL: '模型出错',
  LEARN: '学习算法出错',
  TRAIN: '训练出错',
  EVAL: '评估出错',
  RUN: '运行目录出错',
  DATA: '数据出错',
  REPORT: '无法显示',
  CONFIG: '配置有误',
  CLI: '命令出错',
  SEARCH: '检索出错',
  SANDBOX: '沙箱出错',
  REWARD: '奖励计算出错',
};

export function errorInChinese(code: string): string {
  const [area = ''] = code.split('_');
  return codes[code] ?? (area in areas ? areas[area as ErrorArea] : '出错');
}
