/** Help of what trains and prepares training: train, sft, reward, sweep, study, recipes, config, export, model, data. */
import type { Texts } from './translator.ts';

export const trainHelp: Texts = {
  'train a policy by reinforcement learning: grpo, ppo, rloo, reinforce++, remax, …':
    '用强化学习训练策略：grpo、ppo、rloo、reinforce++、remax……',
  'a YAML file, or the name of a recipe that ships: textcraft-grpo (see agoge recipes)':
    'YAML 文件，或自带配方的名字：textcraft-grpo（见 agoge recipes）',
  'key.sub=value, as in Hydra: rollout.groups=16 agent.max_turns=[10,20,30]':
    'key.sub=value，写法同 Hydra：rollout.groups=16 agent.max_turns=[10,20,30]',
  'go on with a run from its latest checkpoint; overrides may make it longer: steps=60':
    '从最新检查点继续一个运行；可用覆盖项延长：steps=60',
  'print the resolved recipe and what it will need, then end': '打印解析后的配方和所需资源，然后结束',
  'where the engine computes: host (the CPU, default) or cuda (the card; see agoge gpu status); the same as engine.device=':
    '引擎在哪里计算：host（CPU，默认）或 cuda（显卡；见 agoge gpu status）；等同于 engine.device=',
  'print one JSON line per step': '每步打印一行 JSON',
  'a finished run goes on': '已完成的运行继续训练',
  'train one recipe over a grid of settings, in parallel; resumable; chooses on validation and ends with one table':
    '用同一配方并行训练一组设置；可续跑；按验证集选择，最后给出一张表',
  'a YAML file, or the name of a recipe that ships': 'YAML 文件，或自带配方的名字',
  'settings of all runs: steps=40': '所有运行共用的设置：steps=40',
  'values of one setting; repeat for more settings: --over seed=1,2,3': '一项设置的各个取值；多项设置就重复：--over seed=1,2,3',
  'runs at once; default: as many as there are cores for, one thread each': '同时进行的运行数；默认：核够几个就几个，每个一线程',
  'folder of the sweep below `output`; default: the run of the recipe, with -sweep':
    '扫描在 `output` 下的文件夹；默认：配方的 run 加 -sweep',
  'The same command again goes on with what is missing. Test tasks are never played: run agoge eval on the run you choose.':
    '再次运行同一命令会补上缺少的部分。测试任务从不被使用：选定运行后请用 agoge eval 评测。',
  'compare arms over seeds and environments from one plan: gains with intervals over seeds and tasks, equal-compute columns':
    '按一份计划在多个种子和环境上比较各组：增益带种子与任务的区间，并有等算力列',
  "a study's plan.yaml (docs/study.md)": '研究的 plan.yaml（docs/study.zh-CN.md）',
  'runs at once; default: as many as there are cores for, by the threads of the plan':
    '同时进行的运行数；默认：按计划的线程数，核够几个就几个',
  'where all runs compute, in place of what plan and recipes say: host or cuda (the card)':
    '所有运行在哪里计算，代替计划和配方所写的：host 或 cuda（显卡）',
  'runs at once on the card, beside those on cores; several share it': '显卡上同时进行的运行数，与核上的分开计；多个时共用显卡',
  'stop after so long: what runs is saved, and the table has what was finished': '到时间就停：进行中的会保存，表里是已完成的',
  'play only this environment of the plan now (repeatable)': '这次只做计划中的这个环境（可重复）',
  'where the small files, the table and the page go; default: studies/<name>': '小文件、表和页面写到哪里；默认：studies/<name>',
  'where runs with their weights lie; default: outputs/<name>': '带权重的运行放在哪里；默认：outputs/<name>',
  'list the runs with an estimate of their time, then end': '列出各运行和预计时间，然后结束',
  'print the table as JSON': '以 JSON 打印表',
  'repeats what the folder has': '重做该文件夹里的实验',
  'the table, from the small files alone': '只用小文件得出的表',
  'The same command again goes on with what is missing. A run that failed is named in the table and never counted as a zero.':
    '再次运行同一命令会补上缺少的部分。失败的运行在表中点名，从不算作零分。',
  'print the table of a study from its small files alone': '只用小文件打印一项研究的表',
  'print it as JSON': '以 JSON 打印',
  'list the recipes that ship, or print one to start your own from': '列出自带的配方，或打印其中一份作为自己的起点',
  'print this recipe': '打印这份配方',
  'only those that train on this environment': '只列在这个环境上训练的',
  'print them as JSON': '以 JSON 打印',
  'bring a recipe or a run of an earlier version into the words of this one, and say what changed':
    '把旧版本的配方或运行改写成本版本的写法，并说明改了什么',
  'write into recipes what defaults were before, where they have changed; runs keep them in any case':
    '默认值变过的，把以前的值写进配方；运行总是保留原来的值',
  'say what would change and write nothing': '只说明会改什么，什么都不写',
  'print changes and new texts as JSON': '以 JSON 打印改动和新的文本',
  'recipes, and folders of runs': '配方，以及运行的文件夹',
  'What changed is said; the file of before stays beside the new one as <name>.before.yaml. Comments stay.':
    '会说明改了什么；原文件留在新文件旁边，名为 <name>.before.yaml。注释保留。',
  'work with configuration files': '处理配置文件',
  "print the JSON schema of a recipe: editors complete and check it (yaml-language-server: '$schema=recipe.json')":
    "打印配方的 JSON schema，供编辑器补全和检查（yaml-language-server: '$schema=recipe.json'）",
  'which recipe': '哪种配方',
  'turn a verl or AgentGym-RL configuration into a recipe, naming what could not be carried over':
    '把 verl 或 AgentGym-RL 的配置转成配方，并指出哪些没能带过来',
  'a launch script (run_grpo.sh) or YAML file of verl or AgentGym-RL; without one, overrides alone':
    'verl 或 AgentGym-RL 的启动脚本（run_grpo.sh）或 YAML 文件；也可只给覆盖项',
  'arguments of the script, and Hydra overrides: actor_rollout_ref.rollout.n=8 +key=value':
    '脚本的参数，以及 Hydra 覆盖项：actor_rollout_ref.rollout.n=8 +key=value',
  "whose base values fill in: 0.2 to 0.9, or agentgym-rl (default: the newest, or AgentGym-RL's where its keys are used)":
    '缺省值取自哪个版本：0.2 到 0.9，或 agentgym-rl（默认：最新版；用到 AgentGym-RL 的键时取它的）',
  'which training of a script that starts several': '脚本启动多次训练时选第几次',
  'write the recipe here instead of printing it': '把配方写到这里，而不是打印',
  'print recipe, notes and losses as JSON': '以 JSON 打印配方、说明和丢失的设置',
  'the script is read, never run': '脚本只被读取，从不执行',
  'an agoge eval command': '得到一条 agoge eval 命令',
  'train a policy on conversations: AgentGym JSON, JSONL, parquet, or demonstrations played by experts':
    '用对话训练策略：AgentGym JSON、JSONL、parquet，或专家示范',
  'a YAML file, or the name of a recipe that ships: textcraft-imitation (see agoge recipes)':
    'YAML 文件，或自带配方的名字：textcraft-imitation（见 agoge recipes）',
  'key.sub=value, as in Hydra: optimizer.lr=3e-4 data.train=my.jsonl':
    'key.sub=value，写法同 Hydra：optimizer.lr=3e-4 data.train=my.jsonl',
  'print the resolved recipe, then end': '打印解析后的配方，然后结束',
  'print one JSON line per log entry': '每条日志打印一行 JSON',
  'a fresh model learns from experts': '一个全新的模型向专家学习',
  'train a reward model on preference pairs (prompt, chosen, rejected), with Bradley and Terry’s loss':
    '用偏好对（prompt、chosen、rejected）训练奖励模型，Bradley-Terry 损失',
  'a YAML file, or the name of a recipe that ships: reward-model (see agoge recipes)':
    'YAML 文件，或自带配方的名字：reward-model（见 agoge recipes）',
  'key.sub=value, as in Hydra: pairs.train=pairs.jsonl policy=hf:Qwen3-0.6B':
    'key.sub=value，写法同 Hydra：pairs.train=pairs.jsonl policy=hf:Qwen3-0.6B',
  'go on with a run from its latest checkpoint; overrides may make it longer: steps=600':
    '从最新检查点继续一个运行；可用覆盖项延长：steps=600',
  'generated pairs, in a few minutes': '生成的偏好对，几分钟',
  '/classify, as vLLM serves one': '/classify，与 vLLM 的接口相同',
  'write a recipe for another trainer: verl on Ray with our environments': '为别的训练器写出配方：Ray 上的 verl，用我们的环境',
  'write what verl reads: parquet, configuration, the adapter to `agoge serve`, and the script that runs it':
    '写出 verl 要读的东西：parquet、配置、连接 `agoge serve` 的适配器，以及运行脚本',
  'a recipe of agoge train': 'agoge train 的配方',
  'settings as key=value, as for agoge train': 'key=value 形式的设置，同 agoge train',
  'where to write': '写到哪里',
  'Hugging Face folder or name (default: the policy of the recipe, if it is hf:…)':
    'Hugging Face 文件夹或名字（默认：配方中的策略，如果它是 hf:…）',
  'release of verl: up to 0.7 an interaction is used, later an agent loop':
    'verl 的版本：0.7 及以前用 interaction，之后用 agent loop',
  'where `agoge serve` will listen, seen from the workers; several with commas':
    '从 worker 看 `agoge serve` 的地址；多个用逗号分隔',
  'tasks of an endless or large split at most': '无尽或很大的划分最多取多少任务',
  'GPUs per machine': '每台机器的 GPU 数',
  machines: '机器数',
  'checkpoints of other tools: convert them to Hugging Face folders': '其他工具的检查点：转成 Hugging Face 文件夹',
  "verl's FSDP shards, .pt, .bin and safetensors to a Hugging Face folder; merges LoRA adapters; runs no code of them":
    '把 verl 的 FSDP 分片、.pt、.bin 和 safetensors 转成 Hugging Face 文件夹；可合并 LoRA 适配器；不执行其中的任何代码',
  'a run, step or actor folder of verl, a Hugging Face folder, a PEFT adapter, or one file':
    'verl 的运行、步或 actor 文件夹、Hugging Face 文件夹、PEFT 适配器，或单个文件',
  'the folder to write': '要写入的文件夹',
  'the base model of an adapter; or where config.json and the tokenizer are':
    '适配器的基座模型；或 config.json 和分词器所在的位置',
  'a LoRA adapter (PEFT) to merge into the weights': '要合并进权重的 LoRA 适配器（PEFT）',
  'of a run’s folder: all, or numbers such as 20,40; each goes into <out>/global_step_…':
    '运行文件夹中的哪些步：all，或 20,40 这样的数字；各写入 <out>/global_step_…',
  'number type of the weights: keep, f32, bf16, f16': '权重的数值类型：keep、f32、bf16、f16',
  'largest file of weights': '单个权重文件的最大体积',
  'replace the folder if it exists': '文件夹已存在时替换它',
  "verl's shards, as its own merger writes them": 'verl 的分片，结果与它自己的合并工具一致',
  'every step of a run in one call': '一次转换一个运行的所有步',
  'an adapter, merged': '一个适配器，已合并',
  'convert, inspect, validate and make data: AgentGym JSON, verl parquet, chat JSONL, episodes':
    '转换、查看、检验和制作数据：AgentGym JSON、verl parquet、聊天 JSONL、各局记录',
  'Formats (recognised by content): agenttraj, ids, sampling, chat, verl-sft, verl-rl, episodes':
    '格式（按内容识别）：agenttraj、ids、sampling、chat、verl-sft、verl-rl、episodes',
  'convert files or a folder; the input format is recognised, the output follows --to or its extension':
    '转换文件或文件夹；自动识别输入格式，输出格式由 --to 或扩展名决定',
  'inputs (files, or one folder) and, last, the output (a file, or a folder for a folder)':
    '输入（若干文件或一个文件夹），最后是输出（文件；输入是文件夹时为文件夹）',
  'read as this format: agenttraj, ids, sampling, chat, verl-sft, verl-rl, episodes':
    '按这种格式读取：agenttraj、ids、sampling、chat、verl-sft、verl-rl、episodes',
  'write this format (default: by the extension of the output)': '写成这种格式（默认：由输出的扩展名决定）',
  'start of conversations: auto, keep, system (first message becomes the system message), agentgym':
    '对话的开头：auto、keep、system（第一条消息变成系统消息）、agentgym',
  'environment of tasks whose ids do not say it': 'id 中看不出环境时，任务属于哪个环境',
  'prompt of verl RL rows: auto, system, system+user': 'verl RL 数据行的提示词：auto、system、system+user',
  "verl's interaction_kwargs: both, session_id, or own (the environment's own key)":
    'verl 的 interaction_kwargs：both、session_id 或 own（环境自己的键）',
  'keep only solved conversations with at least two messages': '只保留已解出且至少有两条消息的对话',
  'keep only conversations with at least this reward': '只保留奖励不低于此值的对话',
  'write at most so many rows': '最多写这么多行',
  'leave out rows that cannot be read, and count them': '跳过读不了的行，并计数',
  'replace outputs that exist': '输出已存在时替换',
  'replace an output that exists': '输出已存在时替换',
  'report as JSON': '以 JSON 报告',
  'item ids → verl RL rows': 'item id → verl RL 数据行',
  'trajectories → verl SFT rows': '轨迹 → verl SFT 数据行',
  'solved samples → verl SFT rows': '解出的样本 → verl SFT 数据行',
  'a folder, file by file': '一个文件夹，逐个文件',
  'what is in files: format, counts, roles, lengths, categories, three rows, problems':
    '查看文件内容：格式、数量、角色、长度、类别、三行样例、问题',
  'files or folders': '文件或文件夹',
  'count lengths in tokens of this policy (base, run:…, hf:…)': '按这个策略的 token 计算长度（base、run:…、hf:…）',
  'how many rows to show': '显示多少行',
  'check every row: is it readable, does its task exist, does it replay with the recorded answers and reward':
    '检查每一行：能否读取、任务是否存在、重放能否得到记录的回答和奖励',
  'a setting of an environment, such as webshop.products=products_1k.json (repeatable)':
    '环境的一项设置，例如 webshop.products=products_1k.json（可重复）',
  'an environment of your own that rows come from: ./my-env.ts or a package (repeatable)':
    '数据行来自的自有环境：./my-env.ts 或一个包（可重复）',
  'how replies are read: auto (as they replay), 2024, 2025, adapt (first command), adapt-last (last line), direct, anywhere, interaction, first-action':
    '如何解析回复：auto（按能重放的方式）、2024、2025、adapt（第一条命令）、adapt-last（最后一行）、direct、anywhere、interaction、first-action',
  'write good rows (wrong labels put right) and bad rows into this folder': '把好行（错误标签已改正）和坏行写入这个文件夹',
  'how many bad rows to print': '打印多少坏行',
  'let a policy play tasks and keep the trajectories worth keeping (rejection sampling)':
    '让策略玩任务，保留值得保留的轨迹（拒绝采样）',
  'textcraft, webshop@http://host:36001, ./my-env.ts, …': 'textcraft、webshop@http://host:36001、./my-env.ts……',
  'base, run:<dir>, hf:<folder>, openai:<model>@<url>, expert, random':
    'base、run:<dir>、hf:<folder>、openai:<model>@<url>、expert、random',
  'output: .jsonl (sampling, with a summary beside it), .json (agenttraj), .parquet (verl-sft)':
    '输出：.jsonl（sampling，旁边附汇总）、.json（agenttraj）、.parquet（verl-sft）',
  'format of the output (default: by its extension; chat for messages)': '输出格式（默认：由扩展名决定；chat 为消息）',
  'which tasks: 0-99, 3,7,20-29, or a file of rows or item ids (default: all)':
    '哪些任务：0-99、3,7,20-29，或含数据行或 item id 的文件（默认：全部）',
  "verl's interaction file: servers and time-outs by name": 'verl 的 interaction 文件：按名字给出服务器和时限',
  'at most so many tasks': '最多这么多任务',
  'plays of each task': '每个任务玩几次',
  'success, best (of each task), or all': 'success、best（每个任务最好的）或 all',
  'keep what earned at least this': '保留奖励不低于此值的',
  'prompt format: react, direct, adapt, adapt-last, … (default: what a checkpoint was taught, else react)':
    '提示词格式：react、direct、adapt、adapt-last……（默认：检查点学过的，否则 react）',
  'replies per episode': '每局的回复数',
  'tokens per reply': '每次回复的 token 数',
  'sampling temperature': '采样温度',
  'ask for replies with or without thinking': '要求回复带或不带思考过程',
  'for one request to an endpoint': '一次端点请求的时限',
  'stop asking an endpoint when so much is spent (needs --price)': '花费达到此数后不再请求端点（需要 --price）',
  'episodes at once (endpoints: 16)': '同时进行的局数（端点：16）',
  'seed of the sampling, where the policy takes one': '采样的种子（策略支持时）',
  'Interrupted, failed episodes or a spent budget: the same command again goes on with what is missing.':
    '中断、有失败的局或预算用完：再次运行同一命令会补上缺少的部分。',
  "let an environment's expert play tasks: demonstrations for agoge sft": '让环境的专家玩任务：为 agoge sft 制作示范',
  'textcraft, babyai, ./my-env.ts, …': 'textcraft、babyai、./my-env.ts……',
  'output: .json (agenttraj), .jsonl (chat), .parquet (verl-sft)':
    '输出：.json（agenttraj）、.jsonl（chat）、.parquet（verl-sft）',
  'format of the output (default: by its extension)': '输出格式（默认：由扩展名决定）',
  'which tasks: 0-99 or 3,7,20-29 (default: all)': '哪些任务：0-99 或 3,7,20-29（默认：全部）',
  'at most so many tasks (needed for endless splits)': '最多这么多任务（无尽的划分必须给）',
  'prompt format: react, direct, adapt, adapt-last, …': '提示词格式：react、direct、adapt、adapt-last……',
  'split a file at random, exactly and repeatably, into two of the same format': '把一个文件随机、精确、可重复地分成同格式的两个',
  'the file': '文件',
  'output with most of the rows': '放大部分行的输出',
  'output with the share that is held out': '放留出部分的输出',
  'share of rows for the second output': '第二个输出所占的比例',
  'seed of the shuffle': '打乱顺序的种子',
  'keep rows of the same item together, so that no task is on both sides': '同一 item 的行放在一起，使任务不会两边都有',
  'keep one of rows that say the same, or one row of each item': '内容相同的行只留一行，或每个 item 只留一行',
  'output in the same format': '同格式的输出',
  'words (same messages), item (first of each item), best (highest reward of each item)':
    'words（消息相同）、item（每个 item 的第一行）、best（每个 item 奖励最高的）',
  "make tasks and demonstrations of a product's logged conversations: OpenAI chat logs, AI SDK telemetry, OpenTelemetry spans":
    '用产品日志中的对话制作任务和示范：OpenAI 聊天日志、AI SDK 遥测、OpenTelemetry span',
  'logs as JSON or JSONL': 'JSON 或 JSONL 日志',
  'folder to make (default: named after the first file)': '要创建的文件夹（默认：以第一个文件命名）',
  'name of the environment (default: that of the folder)': '环境的名字（默认：文件夹名）',
  'how conversations are judged: ./my-reward.ts, or a score (default: what the log says of them)':
    '如何评判对话：./my-reward.ts，或某种打分（默认：按日志的记录）',
  'a model judges them: openai:<model>@<url>, hf:…': '由模型评判：openai:<model>@<url>、hf:…',
  'by what the model judges': '模型按什么评判',
  'conversations that earned at least this went well': '奖励不低于此值的对话算成功',
  'share of the tasks for evaluations while training': '训练期间用于评测的任务比例',
  'share of the tasks that training never sees': '训练从不接触的任务比例',
  'replace what the folder has': '替换文件夹里的内容',
  'rewards from the log (reward, score, success)': '奖励取自日志（reward、score、success）',
};
