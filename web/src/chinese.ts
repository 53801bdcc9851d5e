/**
 * Sentences with values, in Chinese: why a run ended, how two policies compare. They are made of the data that files hold beside their
 * English sentences; an error's own sentence stays as it was written, with what kind of error it is before it.
 */
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
