/** Errors of the dashboard and its pages (REPORT_…), of files of one's own, and of calls that take too long. */
import type { Texts } from '../translator.ts';

export const reportErrors: Texts = {
  'this is not a play: …; save it from the play page': '这不是一次游玩：{1}；请从游玩页面保存',
  '"…" is not the name of an environment: play one of those offered': '“{1}”不是环境的名字：请从提供的环境中选一个',
  'the body is not JSON: send what the play page sends': '请求体不是 JSON：请按游玩页面的格式发送',
  "this is not a note: …; write it on the run's page": '这不是笔记：{1}；请在运行的页面上写',
  'this is no play: send { task, actions } with at most 500 actions': '这不是一次游玩：请发送 { task, actions }，最多 500 个动作',
  'the filter "…" is not usable: …': '筛选条件“{1}”不能用：{2}',
  '"…" is missing: add ?…=…': '缺少“{1}”：请加上 ?{2}={3}',
  '"…" is given … times: give it 1 to … times': '“{1}”给了 {2} 次：请给 1 到 {3} 次',
  'cannot listen on …:…': '无法监听 {1}:{2}',
  '… cannot be removed': '无法删除 {1}',
  'an episode cannot be read': '有一局无法读取',
  '… is a folder: choose another name': '{1} 是文件夹：请换一个名字',
  '… is there and is not a report: choose another name, or replace it with --force':
    '{1} 已存在，而且不是报告：请换一个名字，或用 --force 替换它',
  '… is there and is not a report: choose another name': '{1} 已存在，而且不是报告：请换一个名字',
  'nothing was removed: send {"confirm": "…"} to remove this run for good':
    '没有删除任何东西：要彻底删除这个运行，请发送 {"confirm": "{1}"}',
  'there is nothing at …: start at /': '{1} 处什么都没有：请从 / 开始',
  'there is no episode … in this run: choose one from the list': '这个运行里没有第 {1} 局：请从列表中选',
  'the built page has no place for a report: run `npm run build` again':
    '构建好的页面里没有放报告的位置：请重新运行 `npm run build`',
  'that is outside the folder that is shown: choose a run from the list': '那在所显示的文件夹之外：请从列表中选一个运行',
  '"…" is a link out of the folder that is shown: open its target by its own path':
    '“{1}”是指向所显示文件夹之外的链接：请用目标自己的路径打开',
  '"…" is the folder that is shown: open the folder above it to remove it there':
    '“{1}”就是所显示的文件夹：要删除它，请打开它的上一级文件夹',
  '"…" is running: end it first': '“{1}”正在运行：请先结束它',
  'two runs are called …: give runs with names of their own': '有两个运行都叫 {1}：请给出名字不同的运行',
  'the token is missing or wrong: open the whole address that was printed, token included':
    '令牌缺失或不对：请打开打印出来的完整地址，包括令牌',
  'what is sent here has at most … bytes: send less': '发到这里的内容最多 {1} 字节：请少发一些',
  // Files of one's own
  '… was an object of the program that began this: start that program again to go on':
    '{1} 是最初那个程序里的对象：请重新启动那个程序来继续',
  'there is no file …: give the path of a .ts or .js file that exports …':
    '没有文件 {1}：请给出导出 {2} 的 .ts 或 .js 文件的路径',
  '… cannot be loaded: …': '{1} 无法加载：{2}',
  '… cannot be loaded (…): correct it and try again': '{1} 无法加载（{2}）：请改正后重试',
  // Calls that take too long, and what was called
  '… took longer than … ms: raise the limit, or see why it hangs': '{1} 超过 {2} 毫秒：请调高时限，或查明它为什么卡住',
  '… did not end within … ms: give another one': '{1} 在 {2} 毫秒内没有结束：请换一个',
  '… was stopped: …': '{1} 已停止：{2}',
  'its deadline passed': '时限已过',
  '… failed': '{1} 失败',
  'a reply of …': '{1} 的一次回复',
  'a call of …': '{1} 的一次调用',
  'a step of …': '{1} 的一步',
  'the expert of …': '{1} 的专家',
  'opening …': '打开 {1}',
  'opening a task': '打开任务',
  'a step (…)': '一步（{1}）',
  'the tasks of …/…': '{1}/{2} 的任务',
  'a step': '一步',
  'reward …': '奖励 {1}',
  'the pattern of the tokenizer': '分词器的正则',
  'a pattern of policy.fresh.phrases': 'policy.fresh.phrases 的一个正则',
};
