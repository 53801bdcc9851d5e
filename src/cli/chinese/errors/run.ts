/** Errors of runs, training, policies, rewards and the dashboard: RUN_…, TRAIN_…, POLICY_…, AGENT_…, REWARD_…, REPORT_…. */
import type { Texts } from '../translator.ts';

export const runErrors: Texts = {
  '… cannot be read: remove it, and name the format yourself': '{1} 无法读取：请删除它，并自己指定格式',
  '… cannot be read: remove the folder and resume from an earlier checkpoint': '{1} 无法读取：请删除该文件夹，从更早的检查点续跑',
  'not an episode record (…: …); it may come from another version: write it again':
    '不是一局的记录（{1}：{2}）；可能来自别的版本：请重新写出',
  '…/… and … cannot be read: start a new run, from its weights with policy=run:…':
    '{1}/{2} 和 {3} 无法读取：请用 policy=run:{4} 从它的权重开始新的运行',
  '… is being written by process …: wait for it or end it first': '{1} 正由进程 {2} 写入：请等它，或先结束它',
  '… holds a run already: choose another name for this one by run=<name>': '{1} 里已有一个运行：请用 run=<name> 给这次另取名字',
  '… holds a run already: go on with it by --resume …, or choose another name by run=<name>':
    '{1} 里已有一个运行：请用 --resume {2} 继续它，或用 run=<name> 另取名字',
  '… is a link out of its folder: put the thing itself there, or link the whole folder':
    '{1} 是指向文件夹之外的链接：请把内容本身放进来，或链接整个文件夹',
  '… was written by a newer agoge (version …; this one reads up to …): update with npm install agoge@latest':
    '{1} 由更新的 agoge 写出（版本 {2}；这里最高读到 {3}）：请用 npm install agoge@latest 更新',
  '… is not a plain file: remove it': '{1} 不是普通文件：请删除它',
  '… holds no run (no …): give the folder of a run, such as outputs/textcraft-grpo':
    '{1} 里没有运行（没有 {2}）：请给出运行的文件夹，例如 outputs/textcraft-grpo',
  'there are no results of a study in …: …': '{1} 里没有研究的结果：{2}',
  'no setting of … … has a validation to choose by: read the logs in …':
    '{1} {2} 的设置都没有可供选择的验证结果：请看 {3} 中的日志',
  '…; read ….log, then give the plan again': '{1}；请看 {2}.log，然后再次运行该计划',
  'its start, … with seed …, did not end; read the log of that one': '它的起点 {1}（种子 {2}）没有结束；请看那一个的日志',
  'its evaluation did not end: read ….log': '它的评测没有结束：请看 {1}.log',
  'no episode of its evaluation has a result: read ….log': '它的评测没有一局有结果：请看 {1}.log',
  '… is no result of a study: …': '{1} 不是研究的结果：{2}',
  '… has more than …, which is no file of a run: move it away': '{1} 超过 {2}，不是运行的文件：请移走',
  'trainer.json in the checkpoint of step … is not of … of this version (…: …): remove that checkpoint, or start a new run from its weights with policy=run:<folder>':
    '第 {1} 步检查点中的 trainer.json 不属于本版本的 {2}（{3}：{4}）：请删除该检查点，或用 policy=run:<folder> 从它的权重开始新的运行',
  '… can no longer be written to, the disk is full: free some space, then go on from its last checkpoint with: …':
    '{1} 无法再写入，磁盘已满：请腾出空间，然后从最后的检查点继续：{2}',
  'the run has ended': '运行已结束',
  'the recipe says neither steps nor epochs: give one of them': '配方里既没有 steps 也没有 epochs：请给出一个',
  'epochs count passes over the tasks, and a generated split has no end: set steps instead':
    'epochs 按遍数计，而生成的划分没有尽头：请改用 steps',
  'step … was not sampled; report this': '第 {1} 步没有采样；请报告',
  'the recipe asks for no pairs; report this': '配方没有要求偏好对；请报告',
  'the engine gave no scores for row …; report this': '引擎没有给出第 {1} 行的分数；请报告',
  'training failed; the run can be resumed from its last checkpoint': '训练失败；可以从最后的检查点续跑',
  'training could not start': '训练无法开始',
  '… was taught to answer in the format …, the recipe asks for …: leave agent.format out, or teach it the other one with agoge sft first (hf:<checkpoint folder> starts from the weights alone)':
    '{1} 学的是格式 {2}，配方要求 {3}：请去掉 agent.format，或先用 agoge sft 教它另一种（hf:<checkpoint folder> 只取权重）',
  '… is written in the format … (… of … replies), the recipe asks for …: leave agent.format out, or make the data with --format …':
    '{1} 用的是格式 {2}（{4} 条回复中的 {3} 条），配方要求 {5}：请去掉 agent.format，或用 --format {6} 重新制作数据',
  '… needs …: the caller must open one': '{1} 需要 {2}：须由调用者打开',
  'pairs are compared with a reference policy: the caller must open one': '偏好对要与参考策略比较：须由调用者打开',
  '…: start another run from its last checkpoint (policy=run:<this run>) with a lower …':
    '{1}：请从它最后的检查点另起一个运行（policy=run:<this run>），并调低 {2}',
  'an engine behind a wire does not show its weights, so they cannot be averaged or copied: leave evaluate.average and algorithm.renew out, or train with the embedded engine':
    '远端的引擎不给出权重，无法取平均或复制：请去掉 evaluate.average 和 algorithm.renew，或用内嵌引擎训练',
  'a Tinker server trains no value head, so there is no critic: use an estimator without one (algorithm.name=grpo, rloo or reinforce++), or the embedded engine':
    'Tinker 服务器不训练价值头，因此没有 critic：请用不需要它的估计（algorithm.name=grpo、rloo 或 reinforce++），或内嵌引擎',
  'of a thousand demonstrations none fits data.max_tokens=…: raise it, or set data.too_long=cut':
    '一千条示范中没有一条放得进 data.max_tokens={1}：请调高，或设 data.too_long=cut',
  'engine.tinker is …: give the address of a server, such as http://127.0.0.1:8000':
    'engine.tinker 是 {1}：请给出服务器地址，例如 http://127.0.0.1:8000',
  'no group of step … could be completed (… lost; failures: …; the last: …): see the log, then resume the run':
    '第 {1} 步没有一组能完成（丢失 {2} 组；失败：{3}；最后一次：{4}）：请看日志，然后续跑',
  '… has no expert here, and algorithm.advice needs one: play it in this process, or choose another algorithm':
    '{1} 在这里没有专家，而 algorithm.advice 需要：请在本进程中玩它，或换一种算法',
  'the expert of … follows its own plan only and cannot advise: choose another algorithm than distill, and algorithm.advice=0':
    '{1} 的专家只按自己的计划走，不能给建议：请不要用 distill，并设 algorithm.advice=0',
  '… has no expert here: demonstrate it on files, or play it in this process':
    '{1} 在这里没有专家：请用文件示范，或在本进程中玩它',
  'the expert of … solved none of sixteen tasks within … turns: raise data.max_turns, or see agoge lint …':
    '{1} 的专家在 {2} 轮之内十六个任务一个也没解出：请调大 data.max_turns，或查看 agoge lint {3}',
  '… has no expert': '{1} 没有专家',
  '… has no generator with a difficulty: set generated: false and name a split':
    '{1} 没有可调难度的生成器：请设 generated: false 并指定划分',
  'adapters beside weights that have learned nothing would learn little: set engine.lora=null, or name a policy':
    '权重什么都没学过，给它加适配器学不到多少：请设 engine.lora=null，或指定策略',
  '… has no replies to learn: check that it is the file you meant': '{1} 里没有可学的回复：请检查是不是你要的文件',
  'every task of … is also played by an evaluation that the best checkpoint is chosen by: evaluate on other tasks, or set evaluate.choose=false':
    '{1} 的每个任务都用在了选择最好检查点的评测里：请在别的任务上评测，或设 evaluate.choose=false',
  'data.experts is empty: name an environment to demonstrate': 'data.experts 是空的：请给出要示范的环境',
  '… has … tasks, not …; report this': '{1} 有 {2} 个任务，不是 {3} 个；请报告',
  '…/… has no tasks: choose another split': '{1}/{2} 没有任务：请选别的划分',
  'the panel … has … tasks, and at most … can be kept from training: choose some with from and to':
    '面板 {1} 有 {2} 个任务，最多只能为评测留出 {3} 个：请用 from 和 to 选一些',
  '…/… has … tasks, none from … to …: correct from and to': '{1}/{2} 有 {3} 个任务，没有 {4} 到 {5} 的：请改正 from 和 to',
  'there are no tasks to train on: add an entry to tasks': '没有可训练的任务：请在 tasks 中加一项',
  'an episode of … has no sampled tokens: train a policy that runs on an engine (base, run:…, hf:…)':
    '{1} 的一局没有采样的 token：请训练在引擎上运行的策略（base、run:{2}、hf:{3}）',
  '… was made by a program with a trainer of its own: start that program again to go on with it':
    '{1} 由自带训练器的程序生成：请重新启动那个程序来继续',
  'the names of … say several splits (…): give each its own entry': '{1} 的名字分属几个划分（{2}）：请各写一项',
  'the checkpoint was made with another list of tasks: resume with the recipe it has':
    '检查点用的是另一份任务列表：请用它自己的配方续跑',
  'a demonstration could not be played': '有一条示范无法进行',
  'a thread that plays demonstrations ended; set data.threads=0': '制作示范的线程结束了；请设 data.threads=0',
  'data.threads play environments of this process for its own engine: set data.threads=0':
    'data.threads 只能为本进程的引擎玩本进程的环境：请设 data.threads=0',
  'no pair fits … tokens: raise pairs.max_tokens, or train a model with a longer context':
    '没有偏好对放得进 {1} 个 token：请调高 pairs.max_tokens，或训练上下文更长的模型',
  '… has … tokens, more than …: raise data.max_tokens, or set data.too_long to cut or skip':
    '{1} 有 {2} 个 token，超过 {3}：请调高 data.max_tokens，或把 data.too_long 设为 cut 或 skip',
  'none of … conversations has a turn to learn within … tokens: raise data.max_tokens, or train a model with a longer context':
    '{1} 个对话中没有一个在 {2} 个 token 之内有可学的轮次：请调高 data.max_tokens，或训练上下文更长的模型',
  '… exports no policy: export one as default, made by definePolicy':
    '{1} 没有导出策略：请用 definePolicy 定义并作为 default 导出',
  'the budget of $… is spent ($…): what was played is kept; raise --budget to go on':
    '预算 ${1} 已用完（${2}）：玩过的都已保留；调高 --budget 即可继续',
  'a conversation is opened once: append observations to it': '对话只能打开一次：之后请追加观察',
  'a reply has … tokens and … log-probabilities: a policy returns one for each token':
    '回复有 {1} 个 token、{2} 个对数概率：策略应为每个 token 各返回一个',
  'a reply has no text, or a log-probability that is not a number: a policy returns the text and one number for each token':
    '回复没有文字，或对数概率不是数：策略应返回文字，并为每个 token 返回一个数',
  'the endpoint gave …, … times: see whether it is up, or lower --concurrency':
    '端点给出 {1}，共 {2} 次：请检查它是否在运行，或调低 --concurrency',
  'an answer of the endpoint is larger than … bytes: look at the endpoint, or raise max_answer':
    '端点的一次回答超过 {1} 字节：请检查端点，或调高 max_answer',
  '… at … refused the request with status …: …; …': '{2} 上的 {1} 以状态 {3} 拒绝了请求：{4}；{5}',
  'an expert needs an environment to look at: use it in episodes': '专家需要看得到环境：请在一局中使用',
  '… has no expert: choose another policy': '{1} 没有专家：请换一个策略',
  'the reference actions end before the task: complete them': '参考动作在任务完成之前就结束了：请补全',
  'the expert gave up on …: report this task': '专家放弃了 {1}：请报告这个任务',
  'nobody can be asked here: use agoge play': '这里没有人可问：请用 agoge play',
  'a person needs an environment to look at: use it in episodes': '人需要看得到环境：请在一局中使用',
  '… has no checkpoint @…: it has …': '{1} 没有检查点 @{2}：它有 {3}',
  'there are no checkpoints in …: name the folder of a run, such as outputs/<run>, or make that run first':
    '{1} 里没有检查点：请给出运行的文件夹，例如 outputs/<run>，或先做那个运行',
  '… wants a key, and OPENAI_API_KEY is not set: export OPENAI_API_KEY=…, or name a server of your own (openai:<model>@http://127.0.0.1:8000/v1)':
    '{1} 需要密钥，而 OPENAI_API_KEY 没有设置：请 export OPENAI_API_KEY={2}，或给出自己的服务器（openai:<model>@http://127.0.0.1:8000/v1）',
  '… is not a model: name one with base, run:, hf: or gguf:': '{1} 不是模型：请用 base、run:、hf: 或 gguf: 给出',
  'there is no folder …: check the name': '没有文件夹 {1}：请检查名字',
  "… holds no model in Hugging Face layout: merge verl's shards first with agoge model convert … …":
    '{1} 里没有 Hugging Face 布局的模型：请先用 agoge model convert {2} {3} 合并 verl 的分片',
  '… needs an environment to look at: use it in episodes': '{1} 需要看得到环境：请在一局中使用',
  '… gave a … for turn …: return the action as text, or { reply }': '{1} 在第 {3} 轮给出 {2}：请返回文字形式的动作，或 { reply }',
  'random play needs an environment to look at: use it in episodes': '随机策略需要看得到环境：请在一局中使用',
  'the recording … cannot be read; name an episodes.jsonl.gz': '录像 {1} 无法读取；请给出 episodes.jsonl.gz',
  'a replay needs to know the task: use it in episodes': '重放需要知道任务：请在一局中使用',
  'there is no recording of … to replay: choose its tasks with --tasks': '没有 {1} 的录像可重放：请用 --tasks 选录过的任务',
  "the recording of … ended after … replies and the task did not: check the environment's version and settings":
    '{1} 的录像在 {2} 次回复后结束，而任务没有：请检查环境的版本和设置',
  'the chat template cannot be read; give another one with --chat-template': '聊天模板无法读取；请用 --chat-template 换一个',
  'the chat template refused the conversation; give another one with --chat-template':
    '聊天模板拒绝了这个对话；请用 --chat-template 换一个',
  'the chat template rewrites earlier turns, so what was sampled would not be what is trained on: give an append-only one with --chat-template <file>, or --chat-template plain':
    '聊天模板会改写前面的轮次，采样到的就不是训练用的：请用 --chat-template <file> 给出只追加的模板，或 --chat-template plain',
  '… at … answered with …: is --tokenizer that of the model it serves?':
    '{2} 上的 {1} 回答了 {3}：--tokenizer 是它所提供模型的分词器吗？',
  '… at … is served by llama-cpp-python, which takes prompts as texts and tells no ids: leave --tokenizer out':
    '{2} 上的 {1} 由 llama-cpp-python 提供，它只接受文字的提示词，不给出 token 编号：请去掉 --tokenizer',
  '… was cancelled; run it again': '{1} 已取消；请重新运行',
  'reward … was cancelled; run it again': '奖励 {1} 已取消；请重新运行',
  'a reply of … is none': '{1} 的一次回复不是回复',
  'closing the session': '关闭会话',
  'the episode failed elsewhere; nothing to do': '这一局在别处失败；不用处理',
  'the chat template': '聊天模板',
  'none of the … replies of the first step could be read as …, so nothing was played.\n  the agent was told: …\n  it replied: …\n  it was answered: …\nChoose the agent.format that the prompt asks for, teach the policy the format with agoge sft, or set stop.unreadable=false where a reward teaches it':
    '第一步的 {1} 条回复没有一条能按 {2} 解析，所以什么都没有执行。\n  告诉智能体的是：{3}\n  它回复：{4}\n  它得到的回答：{5}\n请选提示词所要求的 agent.format，或先用 agoge sft 教会策略这种格式；如果要靠奖励来教，请设 stop.unreadable=false',
  'the episode took longer than … ms: raise its deadline': '这一局超过 {1} 毫秒：请调高时限',
  'the episode of … broke; report this': '{1} 的一局出错；请报告',
  'the first observation of … is a …, not a text': '{1} 的第一条观察是 {2}，不是文字',
  'instance "…" of … is already started: finish it first': '{2} 的实例“{1}”已经开始：请先结束它',
  '… has no instance "…": start it first': '{1} 没有实例“{2}”：请先开始它',
  'this environment has no worked example: leave --few-shot out, or bring a prompt file':
    '这个环境没有示例：请去掉 --few-shot，或给出提示词文件',
  '… answers with more than … bytes: look at that server': '{1} 的回答超过 {2} 字节：请检查那个服务器',
  '"…" is not a task: write it as environment/split#index, for example textcraft/test#17':
    '“{1}”不是任务：请写成 environment/split#index，例如 textcraft/test#17',
  '… answers with …, that it is elsewhere: give the address it has now': '{1} 回答 {2}，说它在别处：请给出现在的地址',
  '… exports no reward: export a function of (trajectory, task, truth) as default, or a function group of (trajectories, task, truth)':
    '{1} 没有导出奖励：请把 (trajectory, task, truth) 的函数作为 default 导出，或导出 (trajectories, task, truth) 的函数 group',
  'there is no reward "…": choose one of …, or a file of your own (./my-reward.ts)':
    '没有奖励“{1}”：请从中选一个：{2}，或用自己的文件（./my-reward.ts）',
  'verl has no score for the data source "…": name one in reward (…) or write your own, reward: ./my-reward.ts':
    'verl 没有数据来源“{1}”的打分：请在 reward 中指定（{2}），或自己写：reward: ./my-reward.ts',
  'reward … gave …: return a finite number': '奖励 {1} 给出 {2}：请返回有限的数',
  'reward … took longer than … s: make it faster or raise reward.timeout':
    '奖励 {1} 超过 {2} 秒：请让它更快，或调高 reward.timeout',
  '… has no ground truth to score against: use reward: env, or tasks of the environment data':
    '{1} 没有可对照的标准答案：请用 reward: env，或环境 data 的任务',
  'the judge … gave no score (it said …): choose a model that follows instructions':
    '评判模型 {1} 没有给分（它说 {2}）：请换一个听从指令的模型',
  'the dashboard is not built: run `npm run build` in the clone': '仪表盘还没有构建：请在克隆的仓库里运行 `npm run build`',
  'there is no run "…" here: choose one from the list': '这里没有运行“{1}”：请从列表中选',
  'a report has 1 to … runs, not …: give a folder with fewer': '一份报告含 1 到 {1} 个运行，不能是 {2} 个：请给出更少的文件夹',
  'port … on … is taken: choose another with --port, or 0 for a free one':
    '{2} 的端口 {1} 已被占用：请用 --port 换一个，或用 0 取空闲端口',
  '… does not answer: start it again, then resume the run': '{1} 没有响应：请重新启动它，然后续跑',
  'the server of engine.sampler could not … (…: …): …': 'engine.sampler 的服务器无法{1}（{2}：{3}）：{4}',
  '… has the weights that another run gave it, and adapters belong on those it starts with: start it again':
    '{1} 里是别的运行给它的权重，而适配器要加在它启动时的权重上：请重新启动它',
};
