/** Errors of single environments: their settings, files, tasks and steps (ENV_…). */
import type { Texts } from '../translator.ts';

export const envErrors: Texts = {
  // Any environment
  'this agent has asked for nothing: open another episode': '这个智能体没有提出任何请求：请另开一局',
  '… is over: open another episode': '{1} 已结束：请另开一局',
  "… ended without asking its model: give it the baseURL of run's second argument":
    '{1} 没有请求模型就结束了：请把 run 第二个参数的 baseURL 给它',
  'the agent failed at … (let run return 0 where the policy is to blame)':
    '智能体在 {1} 处失败（如果是策略的问题，请让 run 返回 0）',
  'an argument is missing: give it': '缺少一个参数：请给出',
  '… exports no environment: export one as default, by defineEnvironment or as an object with name, version, splits, tasks, open and instructions':
    '{1} 没有导出环境：请作为 default 导出一个，用 defineEnvironment，或含 name、version、splits、tasks、open 和 instructions 的对象',
  '…: repair its open()': '{1}：请修好它的 open()',
  "the environment's state is no JSON: show by state() what viewers are to draw":
    '环境的状态不是 JSON：请用 state() 给出要画出来的内容',
  "the environment's answer to … is no step (…): repair its step()": '环境对 {1} 的回答不是一步（{2}）：请修好它的 step()',
  '… gave the reward …: give a number': '{1} 给出的奖励是 {2}：请给出数',
  "…'s … gives a promise: write it as an async function, so that its expert waits":
    '{1} 的 {2} 返回 promise：请写成 async 函数，这样它的专家才会等待',
  "…'s … gave no observation: return { observation: 'a text' }": "{1} 的 {2} 没有给出观察：请返回 { observation: 'a text' }",
  '…\'s … gave "…", which means nothing: …': '{1} 的 {2} 给出了“{3}”，它没有含义：{4}',
  'the environment failed; call start_task again': '环境出错；请重新调用 start_task',
  'there is no environment "…" (…): give your own as env in the recipe': '没有环境“{1}”（{2}）：请在配方中用 env 给出自己的',
  '… has no task in any split: there is nothing to check': '{1} 的任何划分里都没有任务：没有可检查的',
  unexpected: '意外错误',
  // Settings
  '….… is …: set it to …': '{1}.{2} 是 {3}：请设为{4}',
  '….… is …: …': '{1}.{2} 是 {3}：{4}',
  'searchqa.… is …: set it to …': 'searchqa.{1} 是 {2}：请设为{3}',
  'babyai has no level "…": choose from all, …, or …': 'babyai 没有关卡“{1}”：请从 all、{2} 或 {3} 中选',
  'invented.kind has no "…": …': 'invented.kind 没有“{1}”：{2}',
  'sciworld.simplifications has "…": choose from …': 'sciworld.simplifications 里有“{1}”：请从中选：{2}',
  'searchqa.dataset is "…", which … cannot be of: choose one of …':
    'searchqa.dataset 是“{1}”，而 {2} 不可能属于它：请从中选一个：{3}',
  '….questions stands alone: set ….recorded as well, …': '只设了 {1}.questions：请同时设 {2}.recorded，{3}',
  'webarena.judge is "…": write openai:<model>[@<base URL>]': 'webarena.judge 是“{1}”：请写成 openai:<model>[@<base URL>]',
  'webarena.tasks names …, which cannot be read: give a task file or a folder':
    'webarena.tasks 写的 {1} 无法读取：请给出任务文件或文件夹',
  'webarena.sites names "…": …': 'webarena.sites 里有“{1}”：{2}',
  // Tasks
  'alfworld has no split "…": ……': 'alfworld 没有划分“{1}”：{2}{3}',
  'alfworld has items 0 to …, not …: choose one of them': 'alfworld 的 item 是 0 到 {1}，没有 {2}：请从中选一个',
  'list index out of range: choose a game from 0 to …': '编号超出范围：请选 0 到 {1} 的游戏',
  'game … is one of the official … games, which were not given: set alfworld.games to a folder that has them':
    '游戏 {1} 属于官方的 {2} 游戏，而这些没有给出：请把 alfworld.games 设为含有它们的文件夹',
  '… is one of the official … games, which are not among those given: …': '{1} 属于官方的 {2} 游戏，而给出的游戏里没有：{3}',
  'alfworld/… …, not …: pick one of them, or another split': 'alfworld/{1} {2}，没有 {3}：请从中选一个，或换一个划分',
  'babyai/… …, not …: pick one of them, or one of the endless split "generated"':
    'babyai/{1} {2}，没有 {3}：请从中选一个，或选没有尽头的划分 "generated" 里的',
  'babyai has no task …: a data_idx is a whole number from 0 to …': 'babyai 没有任务 {1}：data_idx 是 0 到 {2} 的整数',
  'The game … is not valid.': '游戏 {1} 无效。',
  'The game … starts on the goal: choose one of 0 to ….': '游戏 {1} 一开始就在目标上：请选 0 到 {2} 中的一个。',
  'maze/… …, not …: pick one of them': 'maze/{1} {2}，没有 {3}：请从中选一个',
  'wordle/… …, not …: pick one of them': 'wordle/{1} {2}，没有 {3}：请从中选一个',
  '…/… …, not …: pick one of them': '{1}/{2} {3}，没有 {4}：请从中选一个',
  'sciworld has no item …: choose one of 0 to …': 'sciworld 没有 item {1}：请选 0 到 {2} 中的一个',
  'sciworld/… has no task …: choose one of 0 to …': 'sciworld/{1} 没有任务 {2}：请选 0 到 {3} 中的一个',
  'the files have no question …: choose one of split "all"': '文件里没有问题 {1}：请从划分 "all" 中选',
  'BIRD\'s folder has no item …: choose one of split "all"': 'BIRD 的文件夹里没有 item {1}：请从划分 "all" 中选',
  'there is no item "…": give the goal as a name ("oak planks") or an item id':
    '没有物品“{1}”：请用名字（"oak planks"）或物品 id 给出目标',
  'textcraft/… counts its tasks from 0: … is not one of them': 'textcraft/{1} 的任务从 0 开始编号：{2} 不在其中',
  '…/…#… found no question with one answer: try another seed': '{1}/{2}#{3} 没有找到只有一个答案的问题：请换一个种子',
  '…/… has tasks 0 to …, not …: pick one of them…': '{1}/{2} 的任务是 0 到 {3}，没有 {4}：请从中选一个{5}',
  '… has no item …; without files of its own it has … generated ones (split "all"): set ….… to …':
    '{1} 没有 item {2}；没有自己的文件时，它有 {3} 个生成的（划分 "all"）：请把 {4}.{5} 设为{6}',
  'webarena has no task …: choose one of split "…", or set webarena.tasks to the file that has it (test.raw.json of WebArena)':
    'webarena 没有任务 {1}：请从划分“{2}”中选，或把 webarena.tasks 设为含有它的文件（WebArena 的 test.raw.json）',
  'webshop has goals 0 to … with these products, not …: …': 'webshop 用这些商品有目标 0 到 {1}，没有 {2}：{3}',
  '… has no AgentGym number, so … cannot play it: choose a split of …': '{1} 没有 AgentGym 编号，{2} 不能玩它：请选 {3} 的划分',
  '… is no task of a trace: make the file with agoge data import': '{1} 不是由轨迹得到的任务：请用 agoge data import 制作文件',
  '… cannot be read: make it with agoge data import': '{1} 无法读取：请用 agoge data import 制作',
  // Files of SearchQA and BIRD
  "…_tables.json does not describe …: fetch BIRD's files again": '{1}_tables.json 没有描述 {2}：请重新获取 BIRD 的文件',
  "… cannot be read (…): fetch BIRD's files again": '{1} 无法读取（{2}）：请重新获取 BIRD 的文件',
  "… is not BIRD's at … (…): fetch BIRD's files again": '{1} 在 {2} 处不是 BIRD 的格式（{3}）：请重新获取 BIRD 的文件',
  "… has neither train/train.json nor dev/dev.json: give BIRD's folder as it is unpacked":
    '{1} 里既没有 train/train.json 也没有 dev/dev.json：请给出 BIRD 解压后的文件夹',
  'files cannot be read here: leave sqlgym.bird out, or run agoge in Node':
    '这里不能读文件：请去掉 sqlgym.bird，或在 Node 中运行 agoge',
  '… has no table …: correct its line': '{1} 没有表 {2}：请改正它那一行',
  '… is not there: unpack …_databases, or set sqlgym.databases to those that are':
    '{1} 不在：请解压 {2}_databases，或把 sqlgym.databases 设为已有的',
  '… has no question about …: check sqlgym.databases': '{1} 里没有关于 {2} 的问题：请检查 sqlgym.databases',
  'the gold query of "…" was stopped (…): raise sqlgym.seconds or sqlgym.memory, or leave the question out':
    '“{1}”的标准查询被中止（{2}）：请调高 sqlgym.seconds 或 sqlgym.memory，或去掉这个问题',
  '… holds no passages: give wiki-18.jsonl or a file like it': '{1} 里没有段落：请给出 wiki-18.jsonl 或类似的文件',
  '… cannot be read (…): check the path, or fetch the file again': '{1} 无法读取（{2}）：请检查路径，或重新获取文件',
  '… is not JSON: repair it or fetch the file again': '{1} 不是 JSON：请修好，或重新获取文件',
  '… has no id or no contents: give one {"id", "contents"} a line': '{1} 没有 id 或 contents：请每行给一个 {"id", "contents"}',
  '… cannot be read (…): give JSON, JSONL or parquet': '{1} 无法读取（{2}）：请给出 JSON、JSONL 或 parquet',
  "… has no question or no golden_answers: give FlashRAG's or AgentGym's rows":
    '{1} 没有 question 或 golden_answers：请给出 FlashRAG 或 AgentGym 的数据行',
  '… holds no questions: give a file with some': '{1} 里没有问题：请给出有问题的文件',
  // Files of ALFWorld and WebShop
  '… has a grammar without a task sentence: fetch the game again or leave it out':
    '{1} 的 grammar 里没有任务句子：请重新获取这个游戏，或去掉它',
  '… is not whole JSON (…): fetch the game again or leave it out': '{1} 不是完整的 JSON（{2}）：请重新获取这个游戏，或去掉它',
  '… is not a JSON object: fetch the game again or leave it out': '{1} 不是 JSON 对象：请重新获取这个游戏，或去掉它',
  '… has no …: fetch the game again or leave it out': '{1} 没有 {2}：请重新获取这个游戏，或去掉它',
  'the game cannot be read': '游戏无法读取',
  'the PDDL problem …: …': 'PDDL 问题{1}：{2}',
  '… holds no games: give a game.tw-pddl, a folder with some (json_2.1.1), or a .jsonl or .jsonl.gz of games':
    '{1} 里没有游戏：请给出 game.tw-pddl、含有它们的文件夹（json_2.1.1），或游戏的 .jsonl、.jsonl.gz',
  'files cannot be read here: leave alfworld.games out, or run agoge in Node':
    '这里不能读文件：请去掉 alfworld.games，或在 Node 中运行 agoge',
  'no home … could be drawn in … tries: choose another seed': '尝试 {2} 次也没能生成房屋 {1}：请换一个种子',
  '… has an instruction but no instruction_attributes: name at least one, or remove the instruction':
    '{1} 有 instruction 却没有 instruction_attributes：请至少写一个，或删除 instruction',
  'the pricing of … is …: write it as "$9.99", "$9.99 to $19.99" or ""':
    '{1} 的 pricing 是 {2}：请写成 "$9.99"、"$9.99 to $19.99" 或 ""',
  '… is not an object: repair the record or leave it out': '{1} 不是对象：请修好这条记录，或去掉它',
  '… has a bad or missing "…" (…): repair the record or leave it out': '{1} 的“{2}”缺失或不对（{3}）：请修好这条记录，或去掉它',
  '… is not an object of attributes by asin: give items_ins_v2.json': '{1} 不是按 asin 给出属性的对象：请给出 items_ins_v2.json',
  '… is not JSON (…): repair the file or fetch it again': '{1} 不是 JSON（{2}）：请修好文件，或重新获取',
  '…: fetch the file again': '{1}：请重新获取文件',
  '… has "…" between its records: give a JSON array of objects': '{1} 的记录之间有“{2}”：请给出对象的 JSON 数组',
  '… holds no products: give a JSON array with at least one': '{1} 里没有商品：请给出至少含一个商品的 JSON 数组',
  'the catalogue has no products: give a file with at least one': '商品目录是空的：请给出至少含一个商品的文件',
  'no product has an instruction, so there is nothing to shop for: set webshop.attributes to the file with the instructions':
    '没有一个商品有 instruction，没有可买的目标：请把 webshop.attributes 设为含 instruction 的文件',
  'files cannot be read here: leave webshop.products out, or run agoge in Node':
    '这里不能读文件：请去掉 webshop.products，或在 Node 中运行 agoge',
  '… cannot be read (…): check the path': '{1} 无法读取（{2}）：请检查路径',
  // Tools and their recordings
  '… has no .json or .jsonl file: put recorded answers there (docs/tools.md)':
    '{1} 里没有 .json 或 .jsonl 文件：请把录下的回答放进去（docs/tools.zh-CN.md）',
  'entry … of … is neither {"tool", "input", "answer"} nor a conversation: correct or remove it':
    '{2} 的第 {1} 项既不是 {"tool", "input", "answer"} 也不是对话：请改正或删除',
  'the files of … have no recorded call: check that they are of this environment':
    '{1} 的文件里没有录下的调用：请检查它们是否属于这个环境',
  "line … of … is no question with goal and subgoals: give AgentGym's Toolusage/data file":
    '{2} 的第 {1} 行不是带 goal 和 subgoals 的问题：请给出 AgentGym 的 Toolusage/data 文件',
  "… has … questions, AgentGym's items count to …: give the whole file":
    '{1} 有 {2} 个问题，而 AgentGym 的 item 数到 {3}：请给出完整的文件',
  '… is not JSON: repair the file': '{1} 不是 JSON：请修好文件',
  '… cannot be read: check the path': '{1} 无法读取：请检查路径',
  '… cannot be read as a folder: check the path': '{1} 不能作为文件夹读取：请检查路径',
  'files cannot be read here: leave recorded and questions out, or run agoge in Node':
    '这里不能读文件：请去掉 recorded 和 questions，或在 Node 中运行 agoge',
  'the MCP server … did not answer … in … s; check that it runs': 'MCP 服务器 {1} 在 {3} 秒内没有回答 {2}；请检查它是否在运行',
  'the MCP server … cannot be asked; check that it runs': '无法请求 MCP 服务器 {1}；请检查它是否在运行',
  'the MCP server … refuses … (…): check its tools': 'MCP 服务器 {1} 拒绝了 {2}（{3}）：请检查它的工具',
  '… answers … (…): check the address': '{1} 回答 {2}（{3}）：请检查地址',
  '… ended its answer without a result: ask again': '{1} 的回答里没有结果就结束了：请重新请求',
  'the episode is over: open another one': '这一局已结束：请另开一局',
  '… cannot be started, …: run it by hand to see why': '{1} 无法启动，{2}：请手工运行它，看看原因',
  '… ended with …: run it by hand to see why': '{1} 以 {2} 结束：请手工运行它，看看原因',
  '… ended with … (it said: …): run it by hand to see why': '{1} 以 {2} 结束（它说：{3}）：请手工运行它，看看原因',
  'the request was given up; ask again': '请求已放弃；请重新请求',
  // Rows of one's own
  '… cannot be read (…): give parquet, JSON, JSONL or CSV': '{1} 无法读取（{2}）：请给出 parquet、JSON、JSONL 或 CSV',
  '… has no prompt (columns: …): name its column with data.prompt': '{1} 没有提示词（各列：{2}）：请用 data.prompt 指定它的列',
  '… has no ground truth: name its column with data.answer': '{1} 没有标准答案：请用 data.answer 指定它的列',
  'the ground truth … is no text: correct reward_model.ground_truth': '标准答案 {1} 不是文本：请改正 reward_model.ground_truth',
  '… cannot be read: give a YAML file of tools, or names (…)': '{1} 无法读取：请给出工具的 YAML 文件，或名字（{2}）',
  'a program cannot be written from its tests: give rows with extra_info.answer':
    '不能由测试反推程序：请给出带 extra_info.answer 的数据行',
  '… holds no rows: give a file with some': '{1} 里没有数据行：请给出有数据行的文件',
  // Harnesses of others
  '… (said by …): look there': '{1}（{2} 所说）：请到那里查看',
  'has not said how many tasks it has in … s': '在 {1} 秒内没有说出它有多少任务',
  'said "…", which is no answer': '说了“{1}”，这不是回答',
  '… has … tasks, and … is to have those from … to before …: choose a range within them':
    '{1} 有 {2} 个任务，而 {3} 要的是从 {4} 到 {5} 之前的：请选择其中的范围',
};
