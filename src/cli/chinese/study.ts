/** What `agoge study` says: its plan, its progress, its tables. */
import type { Texts } from './translator.ts';

export const studyTexts: Texts = {
  'all {n} runs are in …; give --results another folder to make them again':
    '{1} 个运行都在 {2} 中；要重做请给 --results 换一个文件夹',
  '{n} of {n} runs to do, {n} at once; runs in …, results in …':
    '{2} 个运行中还有 {1} 个要做，同时 {3} 个；运行在 {4}，结果在 {5}',
  '{n} of {n} runs to do, {n} at once; results in …': '{2} 个运行中还有 {1} 个要做，同时 {3} 个；结果在 {4}',
  'the page is …; see the runs with: agoge view …': '页面在 {1}；查看各运行：agoge view {2}',
  'time is up: {n} of {n} runs are left; go on with: …': '时间到：{2} 个运行中还剩 {1} 个；继续：{3}',
  'time is up: all {n} runs had finished': '时间到：{1} 个运行都已完成',
  '…: {n} of {n} runs finished': '{1}：{3} 个运行中完成了 {2} 个',
  '…: {n} of {n} runs finished, {n} failed': '{1}：{3} 个运行中完成了 {2} 个，失败 {4} 个',
  '{n} of {n} runs to do, {n} at once on the card; runs in …, results in …':
    '{2} 个运行中还有 {1} 个要做，显卡上同时 {3} 个；运行在 {4}，结果在 {5}',
  '{n} of {n} runs to do, {n} at once on the card; results in …': '{2} 个运行中还有 {1} 个要做，显卡上同时 {3} 个；结果在 {4}',
  '{n} of {n} runs to do, {n} at once on cores, {n} at once on the card; runs in …, results in …':
    '{2} 个运行中还有 {1} 个要做，CPU 上同时 {3} 个，显卡上同时 {4} 个；运行在 {5}，结果在 {6}',
  '{n} of {n} runs to do, {n} at once on cores, {n} at once on the card; results in …':
    '{2} 个运行中还有 {1} 个要做，CPU 上同时 {3} 个，显卡上同时 {4} 个；结果在 {5}',
  // The plan
  'seed {n}': '种子 {1}',
  'to do': '待做',
  finished: '已完成',
  failed: '失败',
  'until its recipe ends': '到配方结束为止',
  'until its recipe ends, and {n} more to choose settings': '到配方结束为止，另有 {1} 个用于选择设置',
  '{n} min, and {n} more to choose settings': '{1} 分钟，另有 {2} 个用于选择设置',
  'how long training takes is not known; evaluations come on top': '训练要多久还不知道；评测另计',
  'training takes about {n} minutes; evaluations come on top': '训练约需 {1} 分钟；评测另计',
  'training takes about {n} minutes, and {n} runs whose time is not known; evaluations come on top':
    '训练约需 {1} 分钟，另有 {2} 个运行的时间还不知道；评测另计',
  // On its way
  '{bar} {value}/{total} runs · {label}': '{bar} {value}/{total} 个运行 · {label}',
  '… seed_…: begins': '{1} seed_{2}：开始',
  '… seed_…: goes on after step {n}': '{1} seed_{2}：从第 {3} 步之后继续',
  '… seed_…: trained': '{1} seed_{2}：训练完成',
  '…: is evaluated on …': '{1}：正在 {2} 上评测',
  '…: evaluated on …': '{1}：已在 {2} 上评测',
  '…: … ({n} on validation)': '{1}：{2}（验证 {3}）',
  '[…] … seed {n}: failed: …': '[{1}] {2} seed {3}：失败：{4}',
  // Tables
  'Nothing has been evaluated here yet.': '这里还没有评测过。',
  '…, {n} tasks × {n} samples at temperature {n}, panel …': '{1}，{2} 个任务 × {3} 个样本，温度 {4}，面板 {5}',
  '| arm': '做法',
  '| seeds': '种子',
  '| start': '起点',
  '| end [95 %]': '终点 [95 %]',
  '| gain [95 %]': '增益 [95 %]',
  '| pass@1 → pass@{n} at start': '起点的 pass@1 → pass@{1}',
  '| at end': '终点的',
  '| episodes': '局数',
  '| tokens': 'token',
  '| updates': '更新次数',
  '| core-minutes': '核·分钟',
  '| compared': '比较',
  '| difference [95 %]': '差别 [95 %]',
  '… (after …)': '{1}（在 {2} 之后）',
  '{n} (processor {n})': '{1}（处理器 {2}）',
  '… (one seed)': '{1}（一个种子）',
  '{n}/{n}, {n} failed': '{1}/{2}，失败 {3}',
  '|| more': '更多',
  '|| less': '更少',
  '|| not distinguishable': '无法区分',
  '* …, seed {n}: **failed** (…)': '* {1}，种子 {2}：**失败**（{3}）',
  '* …: {n} episodes have no result; those tasks are averaged over the others': '* {1}：{2} 局没有结果；这些任务按其余各局取平均',
  '* …: … was chosen on validation among …': '* {1}：验证后选定 {2}，候选为 {3}',
};
