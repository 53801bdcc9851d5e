/** Errors of WebArena: its browsers, sites, tasks, judge and prompts (ENV_BROWSER_…, ENV_PAGE_…, ENV_WEBARENA_…). */
import type { Texts } from '../translator.ts';

export const webarenaErrors: Texts = {
  // Browsers and pages
  '… can be written by others, and a browser would be run from it: remove it, or name a browser with webarena.chromium=/path/to/chrome':
    '{1} 别人也能写入，而浏览器要从那里运行：请删除它，或用 webarena.chromium=/path/to/chrome 指定浏览器',
  '… did not start (…): …': '{1} 没有启动（{2}）：{3}',
  'an episode could not be opened; play the task again': '有一局无法打开；请重玩这个任务',
  'the browser of this episode is gone; play the task again': '这一局的浏览器不在了；请重玩这个任务',
  'the browser went away while a page was opened; play the task again': '打开页面时浏览器不在了；请重玩这个任务',
  'the browsers are closed: open the environment again': '浏览器已关闭：请重新打开环境',
  'the tabs of this episode are gone; play the task again': '这一局的标签页不在了；请重玩这个任务',
  "… is not a program: set webarena.chromium to Chrome's or Chromium's":
    '{1} 不是程序：请把 webarena.chromium 设为 Chrome 或 Chromium 的路径',
  'the reference actions of task … are Playwright’s, which no prompt here tells of: agoge webarena run --agent-type teacher_forcing plays them':
    '任务 {1} 的参考动作是 Playwright 的，这里的提示词都不介绍：agoge webarena run --agent-type teacher_forcing 可以玩',
  'nobody has written down how task … is solved: use another policy': '没有人写下任务 {1} 的解法：请用别的策略',
  'a page did not come in time, as on a machine with too much to do; …': '页面没有按时出现，机器可能太忙；{1}',
  'the page could not be read; play the task again': '页面无法读取；请重玩这个任务',
  'the action': '动作',
  'closing a tab': '关闭标签页',
  'reading a title': '读取标题',
  'a script of the task': '任务的脚本',
  'watching the page': '观察页面',
  'reading the page': '读取页面',
  'the site … cannot listen on port …: …': '网站 {1} 无法监听端口 {2}：{3}',
  // Tasks
  '… names "…", which has no accounts: use …': '{1} 写了“{2}”，它没有账号：请用 {3}',
  'task … has string_match without reference_answers by how they are compared: write {"must_include": […]} or its like':
    '任务 {1} 有 string_match，却没有按比较方式给出的 reference_answers：请写 {"must_include": [{2}]} 之类',
  'task … has url_match without reference_url: add it': '任务 {1} 有 url_match 却没有 reference_url：请加上',
  '"…" is not a helper that tasks may call: …': '“{1}”不是任务可以调用的辅助函数：{2}',
  'Unknown locator: …: begin it with document., [...document. or func:':
    '未知的 locator：{1}：请以 document.、[...document. 或 func: 开头',
  'Unknown matching rule: …: use "GOLD in PRED" as url_note': '未知的匹配规则：{1}：url_note 请用 "GOLD in PRED"',
  '… is not JSON: give a file in the form of test.raw.json': '{1} 不是 JSON：请给出 test.raw.json 那种形式的文件',
  '… is not a WebArena task (…): correct it after the official schema': '{1} 不是 WebArena 的任务（{2}）：请按官方格式改正',
  // Sites
  'the page does not load': '页面无法加载',
  '… redirects without end: go to another page': '{1} 不停地重定向：请去别的页面',
  '"…" is not an address: write it with http:// in front': '“{1}”不是地址：请在前面写上 http://',
  '… is outside of the configured sites: go to one of them': '{1} 在所配置的网站之外：请去其中之一',
  'the fast backend cannot evaluate "…": use document.querySelector(\'…\').outerText, or play this task with lane=browser':
    "快速后端不能计算“{1}”：请用 document.querySelector('{2}').outerText，或用 lane=browser 玩这个任务",
  'the fast backend does not know the selector "…": use tags, ids, classes and attributes':
    '快速后端不认识选择器“{1}”：请用标签、id、类和属性',
  'the shipped sites have no interface at …: play this task on the official sites':
    '自带网站在 {1} 没有接口：请在官方网站上玩这个任务',
  'the judge answered …, which is none of …: use a model that follows the question':
    '评判模型回答了 {1}，不在 {2} 之中：请用能按问题回答的模型',
  'signing in at … failed': '登录 {1} 失败',
  'signing in at …': '登录 {1}',
  'nobody could sign in for …: see whether the sites are up (agoge webarena check), then run this again':
    '没有人能为 {1} 登录：请检查网站是否在运行（agoge webarena check），然后重新运行',
  'nobody can sign in at "…": name some of …, or all': '“{1}”不能登录：请写其中一些：{2}，或 all',
  'signing in at … did not hold: check that the sites are up and their accounts are as published':
    '登录 {1} 没有保持住：请检查网站是否在运行、账号是否与公布的一致',
  'signing in at … (…) failed; check that the site is up': '登录 {1}（{2}）失败；请检查网站是否在运行',
  '… did not load; check that … is up': '{1} 没有加载；请检查 {2} 是否在运行',
  'Playwright’s locators find elements in a browser, and this page has none: add --set webarena.lane=browser':
    'Playwright 的 locator 在浏览器里找元素，而这个页面没有浏览器：请加上 --set webarena.lane=browser',
  'this task compares answers by meaning and there is no judge: name one with webarena.judge=openai:<model>, or leave the task out':
    '这个任务按含义比较答案，而没有评判模型：请用 webarena.judge=openai:<model> 指定，或去掉这个任务',
  'the judge … does not answer; check webarena.judge and OPENAI_API_KEY':
    '评判模型 {1} 没有响应；请检查 webarena.judge 和 OPENAI_API_KEY',
  '… is not an address of a configured site: correct the task': '{1} 不是所配置网站的地址：请改正任务',
  '… did not answer; check that the site is up': '{1} 没有响应；请检查网站是否在运行',
  'the first page … did not load; check that the site is up': '首页 {1} 没有加载；请检查网站是否在运行',
  '… did not load; check that the site is up': '{1} 没有加载；请检查网站是否在运行',
  'the site answered a question about … with …: check that it is up and its accounts are as published':
    '问网站 {1} 时，它回答了 {2}：请检查它是否在运行、账号是否与公布的一致',
  '… did not answer: start the containers (docs/webarena.md) and check again':
    '{1} 没有响应：请启动容器（docs/webarena.zh-CN.md），然后再检查',
  'WebArena has no address for …: set them beside … (any address will do for a site that is not needed), or unset all to play the sites that ship':
    'WebArena 没有 {1} 的地址：请与 {2} 一起设好（用不到的网站写任何地址都行），或全部不设，玩自带的网站',
  // Prompts
  '… has …: write it like the prompt files of WebArena, or as JSON':
    '{1} 里有 {2}：请写成 WebArena 提示词文件的样子，或写成 JSON',
  'the template has …: use {…}, and write other braces twice': '模板里有 {1}：请用 {{2}}，其他花括号请写两遍',
  'the action splitter … is no expression: write three backticks': 'action splitter {1} 不是正则：请写三个反引号',
  '… is not a prompt of WebArena (…): give a file of agent/prompts/raw or jsons':
    '{1} 不是 WebArena 的提示词（{2}）：请给出 agent/prompts/raw 或 jsons 里的文件',
};
