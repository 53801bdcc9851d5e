/** Errors of the command line and of recipes: CLI_…, CONFIG_…, and what the operating system refuses. */
import type { Texts } from '../translator.ts';

export const commandErrors: Texts = {
  'the server did not start: … (its log is …)': '服务器没有启动：{1}（日志在 {2}）',
  '… exists, and what is there is not played again: give another --out': '{1} 已存在，里面的内容不会重做：请换一个 --out',
  'the command fails without any fault (exit code …, "…"): see … and repair that first':
    '没有故障时命令也失败（退出码 {1}，“{2}”）：请查看 {3}，先修好它',
  'the dashboard could not start': '仪表盘无法启动',
  'the dashboard did not start in time': '仪表盘没有按时启动',
  'the dashboard ended with …': '仪表盘以 {1} 结束',
  'the dashboard could not answer': '仪表盘无法回答',
  '… will not work here: do what the arrows say': '{1} 在这里用不了：请按箭头所指处理',
  'engine.device: cuda will not work here: do what the arrows say': 'engine.device: cuda 在这里用不了：请按箭头所指处理',
  'interrupted; nothing was compared: the logs are in …': '已中断；没有做比较：日志在 {1}',
  'interrupted; …': '已中断；{1}',
  'interrupted; what was played and learned is kept. Go on with: agoge demo --resume …':
    '已中断；玩过的和学到的都已保留。继续：agoge demo --resume {1}',
  'interrupted: …': '已中断：{1}',
  '{n} of {n} runs are left; go on with: …': '{2} 个运行中还剩 {1} 个；继续：{3}',
  'all {n} runs had finished': '{1} 个运行都已完成',
  'interrupted (…)': '已中断（{1}）',
  'interrupted by …': '被 {1} 中断',
  'interrupted by …; nothing was begun': '被 {1} 中断；还没有开始任何工作',
  'interrupted …; go on with: agoge … --resume …': '已中断（{1}）；继续：agoge {2} --resume {3}',
  'before the first step was done': '第一步还没有完成',
  'after step {n}, which is saved': '第 {1} 步之后，这一步已保存',
  'within step {n}; no step is saved yet': '在第 {1} 步当中；还没有保存任何一步',
  'within step {n}; step {n} is the last one that is saved': '在第 {1} 步当中；最后保存的是第 {2} 步',
  'no server runs in the background…: running on …': '后台没有运行中的服务器{1}：正在使用的端口：{2}',
  'the command waits for something that never comes (a promise that nobody resolves): look for a step or a reply of your own code that does not end':
    '命令在等一件永远不会发生的事（没有人 resolve 的 promise）：请检查你自己代码里不会结束的 step 或 reply',
  '… of … runs failed: the table says why; give the same command again to try them again':
    '{2} 个运行中有 {1} 个失败：原因见表；再次运行同一命令会重试它们',
  '… of … runs did not end: read ….log, then give the same command again':
    '{2} 个运行中有 {1} 个没有结束：请看 {3}.log，然后再次运行同一命令',
  '…; the system gives no more memory: raise the limit (ulimit -v unlimited) or free some':
    '{1}；系统不再给内存：请提高限制（ulimit -v unlimited）或释放一些',
  '…; it is not allowed here: change its permissions, or choose another place': '{1}；这里没有权限：请改权限，或换一个位置',
  '…; that place can only be read: choose another folder': '{1}；那里只能读：请换一个文件夹',
  '…; the disk is full: free some space and run the same command again': '{1}；磁盘已满：请腾出空间，再运行同一命令',
  '…; your share of the disk is used up: free some space and run the same command again':
    '{1}；你的磁盘配额已用完：请腾出空间，再运行同一命令',
  '…; too many files are open: raise the limit (ulimit -n 4096) and run again':
    '{1}；打开的文件太多：请提高限制（ulimit -n 4096）后重试',
  '…; it is not there: check the name': '{1}；不存在：请检查名字',
  '…; something else stands there already: choose another place': '{1}；那里已有别的东西：请换一个位置',
  '…; a file stands where a folder is needed: choose another place': '{1}；需要文件夹的地方是一个文件：请换一个位置',
  '…; a folder stands where a file is needed: name a file': '{1}；需要文件的地方是一个文件夹：请给出文件',
  '…; the port is taken: end its owner, or choose another with --port':
    '{1}；端口已被占用：请结束占用它的程序，或用 --port 换一个',
  '…; this machine does not have that address: give another with --host': '{1}；这台机器没有这个地址：请用 --host 换一个',
  '…; there is no such host: check the name and the network': '{1}；没有这台主机：请检查名字和网络',
  '…; nobody answers there: start the server, or check address and port': '{1}；那里没有响应：请启动服务器，或检查地址和端口',
  'unexpected error (run again with --verbose for the stack): …': '意外错误（加 --verbose 重新运行可看调用栈）：{1}',
  'still saving what is done; Ctrl-C again ends at once, without it':
    '正在保存已完成的工作；再按一次 Ctrl-C 会立即结束，不再保存',
  'busy with code that does not end; Ctrl-C again ends it at once': '正忙于不会结束的代码；再按一次 Ctrl-C 立即结束',
  'ended by the second Ctrl-C, busy with code that does not end (a step or reward of your own?): what was saved is whole, start it again to go on':
    '被第二次 Ctrl-C 结束：正忙于不会结束的代码（你自己的 step 或 reward？）；已保存的内容是完整的，重新启动即可继续',
  '… counts memory and goes without an environment: name who should learn it with --policy, or leave the environment out':
    '{1} 用来计算内存，不与环境一起使用：请用 --policy 指定要学习的策略，或不写环境',
  '… goes with an environment: agoge doctor ENV … …': '{1} 要与环境一起使用：agoge doctor ENV {2} {3}',
  '… does not learn: name a policy with weights, such as base, reader, run:… or gguf:…':
    '{1} 不会学习：请给出有权重的策略，例如 base、reader、run:{2} 或 gguf:{3}',
  '"…" is no seed: write --chaos 7, --chaos 7:disk or --chaos 7:step-fails,kill-write':
    '“{1}”不是种子：请写 --chaos 7、--chaos 7:disk 或 --chaos 7:step-fails,kill-write',
  'there is no profile or fault "…"…: see agoge chaos list': '没有故障方案或故障“{1}”{2}：见 agoge chaos list',
  'a server that comes back needs its address: give --port, and one process':
    '会重启的服务器需要固定地址：请给出 --port，并只用一个进程',
  'the shell "…" is not known: name one of …': '不认识 shell“{1}”：请从中选一个：{2}',
  'name the input and then the output: agoge data convert in.json out.parquet':
    '先写输入，再写输出：agoge data convert in.json out.parquet',
  '… exists: name another folder, or replace it with --force': '{1} 已存在：请换一个文件夹，或用 --force 替换',
  '… exists: choose another folder, or replace it with --force': '{1} 已存在：请换一个文件夹，或用 --force 替换',
  '… has no step "…", only …: write --steps all, or numbers of those':
    '{1} 没有第“{2}”步，只有 {3}：请写 --steps all，或其中的数字',
  '… is not a demo: go on with agoge train --resume …': '{1} 不是演示：请用 agoge train --resume {2} 继续',
  '--run adds a report to a site that is written: give --out too': '--run 是给写出的站点附上报告：请同时给出 --out',
  'the demo plays …, not "…": train with a recipe, for example recipes/babyai-grpo.yaml':
    '演示只玩 {1}，不玩“{2}”：请用配方训练，例如 recipes/babyai-grpo.yaml',
  'the demo begins with reader or base, not "…": train others with a recipe, for example agoge train textcraft-grpo policy=hf:my-model':
    '演示从 reader 或 base 开始，不能从“{1}”开始：请用配方训练别的策略，例如 agoge train textcraft-grpo policy=hf:my-model',
  '"…" is no release of verl that is known here: give 0.5 to 0.9': '“{1}”不是这里认识的 verl 版本：请给出 0.5 到 0.9',
  'there is no folder …: give a run directory, or start one with `agoge demo`':
    '没有文件夹 {1}：请给出运行目录，或用 `agoge demo` 开始一个',
  'the policies were taught different formats (…): name one with --format, or evaluate them apart and compare':
    '这些策略学的格式不同（{1}）：请用 --format 指定一种，或分开评测再比较',
  'there is no data format "…": choose one of …': '没有数据格式“{1}”：请从中选一个：{2}',
  'choose one: --judge asks a model, --reward a function': '请二选一：--judge 由模型评判，--reward 由函数评判',
  '--rubric says by what a model judges: give --judge as well': '--rubric 是模型评判的标准：请同时给出 --judge',
  '--validation and --test leave nothing to train on: make them smaller': '--validation 和 --test 没有留下可训练的任务：请调小',
  '--judge reads one gold set: agoge eval gold.jsonl --judge openai:<model>@<url>':
    '--judge 读取一个标准答案集：agoge eval gold.jsonl --judge openai:<model>@<url>',
  '… starts … trainings (…): choose one with --launch <number>': '{1} 启动 {2} 次训练（{3}）：请用 --launch <number> 选一次',
  '"…" is no name: use small letters, digits and dashes, as in my-env':
    '“{1}”不能作名字：请用小写字母、数字和连字符，例如 my-env',
  '--sdk is for agents: leave it out, or say agoge new agent …': '--sdk 只用于智能体：请去掉，或写 agoge new agent {1}',
  '… is there already: choose another name, or remove it first': '{1} 已经存在：请换一个名字，或先删除它',
  '… takes a positive number, not "…"': '{1} 要一个正数，不能是“{2}”',
  '… takes a whole number from 0 to …, not "…"': '{1} 要 0 到 {2} 的整数，不能是“{3}”',
  '--… … will not do (…): see agoge webarena run --help': '--{1} {2} 不行（{3}）：见 agoge webarena run --help',
  'no task has a number from … to …: …': '没有编号在 {1} 到 {2} 之间的任务：{3}',
  'a prompt agent needs --instruction-path: give a file of WebArena’s agent/prompts (raw or JSON)':
    'prompt 智能体需要 --instruction-path：请给出 WebArena 的 agent/prompts 中的文件（raw 或 JSON）',
  '--instruction-path … cannot be read: give a prompt file': '--instruction-path {1} 无法读取：请给出提示词文件',
  '--split … is none of …: choose one of them': '--split {1} 不在 {2} 之中：请从中选一个',
  'no site has an address: set SHOPPING, SHOPPING_ADMIN, REDDIT, GITLAB, WIKIPEDIA, MAP and HOMEPAGE (docs/webarena.md)':
    '没有任何网站的地址：请设置 SHOPPING、SHOPPING_ADMIN、REDDIT、GITLAB、WIKIPEDIA、MAP 和 HOMEPAGE（docs/webarena.zh-CN.md）',
  '… has no extension that says how to write it: end it with …': '从 {1} 的扩展名看不出写成什么格式：请以 {2} 结尾',
  '… is not written as …: end the output with …': '{1} 不能写成 {2}：请让输出以 {3} 结尾',
  '… has no tokenizer to count with: name base, run:<dir> or hf:<folder>':
    '{1} 没有可用来计数的分词器：请给出 base、run:<dir> 或 hf:<folder>',
  'no recipe "…" ships: …': '没有自带配方“{1}”：{2}',
  'see agoge recipes': '见 agoge recipes',
  'did you mean "…"?': '是不是想写“{1}”？',
  'no recipe trains on "…": choose one of …': '没有在“{1}”上训练的配方：请从中选一个：{2}',
  '…@… is served already: use that address itself': '{1}@{2} 已经有服务器：请直接用那个地址',
  'one server serves environments or a model: start two, on two ports': '一个服务器只提供环境或模型：请启动两个，用两个端口',
  '--tinker serves a model: name it, for example --model base --tinker':
    '--tinker 提供的是模型：请指定，例如 --model base --tinker',
  'nothing to serve: name an environment, for example agoge serve textcraft':
    '没有要提供的东西：请给出环境，例如 agoge serve textcraft',
  '--server … cannot be used: write key=number with a key of …': '--server {1} 不可用：请写 key=number，键为 {2} 之一',
  '"…" is not a setting: write --set environment.key=value, for example textcraft.edition=2024':
    '“{1}”不是设置：请写 --set environment.key=value，例如 textcraft.edition=2024',
  '--set … is for "…", which is not among …: name it in the command too':
    '--set {1} 是给“{2}”的，它不在 {3} 之中：请在命令里也写上它',
  'no shape is called "…": use …': '没有叫“{1}”的大小：请用 {2}',
  'the share must lie between 0 and 1, not …': '比例须在 0 和 1 之间，不能是 {1}',
  '--only …: …': '--only {1}：{2}',
  'there is nothing to sweep: give --over key=a,b': '没有要扫描的设置：请给出 --over key=a,b',
  '… is of a sweep of …: give this one its own --name': '{1} 属于 {2} 的扫描：请给这一次另取 --name',
  '… is of a sweep of … as it was before it was changed: give this one its own --name, or remove that folder':
    '{1} 属于改动之前的 {2} 的扫描：请给这一次另取 --name，或删除那个文件夹',
  'two points of the grid are one run, …: give each value once': '网格中有两点是同一个运行 {1}：每个值只给一次',
  'a sweep gives each run its … itself: leave it out of --over': '扫描自己会给每个运行 {1}：请不要把它放进 --over',
  '"…" is no list of values: write --over optimizer.lr=1e-4,3e-4': '“{1}”不是取值列表：请写 --over optimizer.lr=1e-4,3e-4',
  '… is swept twice: give all its values in one --over': '{1} 扫描了两次：请把所有取值写在一个 --over 里',
  'there is no task "…" in …: give a number, an item id, or …/…#0': '{2} 中没有任务“{1}”：请给出编号、item id，或 {3}/{4}#0',
  'the tasks of … lie in several splits of … (…): make a file of each': '{1} 的任务分属 {2} 的几个划分（{3}）：请各写一个文件',
  '"…" is not a range of tasks: write --tasks 0-99 or 3,7,20-29': '“{1}”不是任务范围：请写 --tasks 0-99 或 3,7,20-29',
  '…/… has no end: say how many tasks with --count': '{1}/{2} 没有尽头：请用 --count 说明多少任务',
  '… renders its own chat template: leave --chat-template out, or set it where the endpoint is served':
    '{1} 自己渲染聊天模板：请去掉 --chat-template，或在提供端点的地方设置',
  '… takes no chat_template_kwargs: leave --thinking out; a vLLM, SGLang or Agoge endpoint takes it':
    '{1} 不接受 chat_template_kwargs：请去掉 --thinking；vLLM、SGLang 或 Agoge 端点接受它',
  'the token is empty: give one, or leave the option out': '令牌为空：请给出一个，或去掉该选项',
  '--host … can be reached from other machines: add --token <secret>': '--host {1} 可从其他机器访问：请加上 --token <secret>',
  'there are no base values of verl … here: choose one of …': '这里没有 verl {1} 的缺省值：请从中选一个：{2}',
  'chaos needs the whole run, to compare it with one without faults: give a recipe, not --resume':
    'chaos 要跑完整个运行，好与无故障的比较：请给出配方，而不是 --resume',
  'a demo goes on as it was chosen then: leave --… out, or begin another one without --resume':
    '演示会按当初的选择继续：请去掉 --{1}，或不带 --resume 重新开始一个',
  'a resumed run keeps its recipe: give either --resume or a recipe': '续跑的运行沿用原来的配方：--resume 和配方只能给一个',
  'nothing to train: give a recipe, for example …': '没有要训练的东西：请给出配方，例如 {1}',
  '… exports no prompt format: export one as default, made by defineFormat':
    '{1} 没有导出提示词格式：请用 defineFormat 定义并作为 default 导出',
  '… exports no …: export one as default, made by …': '{1} 没有导出 {2}：请用 {3} 定义并作为 default 导出',
  '… exports no recipe: export an object as default, as train() takes it':
    '{1} 没有导出配方：请把 train() 接受的对象作为 default 导出',
  '"…" is not an override: write it as key.sub=value, for example rollout.groups=16':
    '“{1}”不是覆盖项：请写成 key.sub=value，例如 rollout.groups=16',
  'the value of "…" cannot be read: quote it, or write lists as [a,b]': '“{1}”的值无法读取：请加引号，列表写成 [a,b]',
  '…: the list there …, there is no "…": name one that is there': '{1}：那里的列表{2}，没有“{3}”：请写其中有的',
  '"…" is not a policy (…): write one of …': '“{1}”不是策略（{2}）：请写其中之一：{3}',
  '… is not YAML: …; correct the line': '{1} 不是 YAML：{2}；请改正这一行',
  '… cannot be read (…): write it with fewer aliases': '{1} 无法读取（{2}）：请少用别名',
  'a budget needs prices to count with: give --price as well, such as --price 0.15,0.60':
    '计算预算需要价格：请同时给出 --price，例如 --price 0.15,0.60',
  '…, and the best checkpoint is chosen by them: what was chosen by the test tasks has a score on them that is too good and can no longer be compared. Evaluate on validation (leave evaluate.split out) and run agoge eval on test afterwards; or set evaluate.choose=false to watch without choosing':
    '{1}，而最好的检查点要按它们来选：按测试任务选出来的检查点在测试任务上分数偏高，无法再作比较。请在 validation 上评测（去掉 evaluate.split），之后再用 agoge eval 在 test 上评测；或设 evaluate.choose=false，只看不选',
  '…: stop.patience and stop.success choose by the evaluations, which evaluate.choose=false forbids: leave one of them out':
    '{1}：stop.patience 和 stop.success 要按评测来选择，而 evaluate.choose=false 不允许：请去掉其中一个',
  'the interaction file is not understood at …: …; write a list of name, _target_, config':
    '读不懂 interaction 文件的 {1}：{2}；请写成 name、_target_、config 的列表',
  'the interaction file names "…" twice: give each another name': 'interaction 文件两次用了“{1}”：请各取不同的名字',
  'the interaction file … cannot be read: give the path of a YAML file': '无法读取 interaction 文件 {1}：请给出 YAML 文件的路径',
  'the interaction file is not YAML; correct it': 'interaction 文件不是 YAML；请改正',
  '…: … Correct the recipe, or see it resolved with --dry-run': '{1}：{2} 请改正配方，或用 --dry-run 查看解析后的配方',
  'generated pairs never end: say how long with steps=300 or minutes=5':
    '生成的偏好对没有尽头：请用 steps=300 或 minutes=5 说明多久',
  '… is an override and changes a recipe: name the recipe before it (agoge recipes lists those that ship)':
    '{1} 是覆盖项，用来修改配方：请在它前面写出配方（agoge recipes 列出自带的）',
  'there is no recipe …: give the path of a YAML file, or the name of one that ships (agoge recipes lists them)':
    '没有配方 {1}：请给出 YAML 文件的路径，或自带配方的名字（agoge recipes 列出它们）',
  'there is no recipe …: did you mean "…"? See: agoge recipes': '没有配方 {1}：是不是想写“{2}”？见：agoge recipes',
  'there is no script …: give the path of one': '没有脚本 {1}：请给出脚本的路径',
  "… names the configuration …/….yaml, and it is neither there nor near the script: put it beside the script, or give it to agoge config from-verl with the script's overrides":
    '{1} 用到配置 {2}/{3}.yaml，但它不在那里，也不在脚本附近：请放到脚本旁边，或连同脚本的覆盖项交给 agoge config from-verl',
  "algorithm.… … is a file of your own: choose one of verl's by its name":
    'algorithm.{1} {2} 是你自己的文件：请按名字选 verl 自带的',
  'verl learns from rewards, which algorithm.outcome=0 leaves out: choose algorithm.name=grpo, or train here':
    'verl 从奖励学习，而 algorithm.outcome=0 去掉了奖励：请选 algorithm.name=grpo，或在这里训练',
  'verl learns from no pairs here: choose algorithm.name=grpo, or train here or on a Tinker server':
    'verl 在这里不能用偏好对学习：请选 algorithm.name=grpo，或在这里、在 Tinker 服务器上训练',
  'verl cannot start from …: name a Hugging Face model with --model': 'verl 不能从 {1} 开始：请用 --model 给出 Hugging Face 模型',
  'the adapter for verl reads replies in …, not …: choose agent.format=react':
    'verl 的适配器按 {1} 解析回复，不是 {2}：请选 agent.format=react',
  "… is no training configuration of verl: …. Give the YAML that the launch script names by --config-name, or the script's overrides themselves: agoge config from-verl algorithm.adv_estimator=grpo …":
    '{1} 不是 verl 的训练配置：{2}。请给出启动脚本用 --config-name 指定的 YAML，或脚本的覆盖项本身：agoge config from-verl algorithm.adv_estimator=grpo {3}',
  '… cannot be read: give the path of a text file': '{1} 无法读取：请给出文本文件的路径',
  '… does not go on without … ("…"): …': '{1} 没有 {2} 就不再继续（“{3}”）：{4}',
  "give the script's arguments behind it": '请在脚本之后给出它的参数',
  'set it before the command, as in …=value': '请在命令前设置它，例如 {1}=value',
  '… starts no training or evaluation that is known here (python -m verl.trainer.main_ppo, torchrun … sft_trainer, main_generation, eval_*.py): give the script that does, or its overrides alone':
    '{1} 没有启动这里认识的训练或评测（python -m verl.trainer.main_ppo、torchrun {2} sft_trainer、main_generation、eval_*.py）：请给出真正启动的脚本，或只给它的覆盖项',
  'the prompt file uses …: it may use {{task}}, {{actions}} and {{example}}':
    '提示词文件用了 {1}：可用的是 {{task}}、{{actions}} 和 {{example}}',
  'the prompt file is empty: write what the agent is told': '提示词文件是空的：请写上要告诉智能体的话',
  '… cannot change when a run is resumed (only …): start a new run from its weights with policy=run:<folder>':
    '续跑时不能改 {1}（只能改 {2}）：请用 policy=run:<folder> 从它的权重开始新的运行',
  '… has no environment …: name it below environments:': '{1} 没有环境 {2}：请写在 environments: 之下',
  '…: arms.… trains a reward model, which plays nothing: name a recipe for train or sft':
    '{1}：arms.{2} 训练的是奖励模型，它不玩任务：请给出 train 或 sft 的配方',
  '…: arms.… chooses on validation and its recipe evaluates nothing: set evaluate.at_end=true':
    '{1}：arms.{2} 按验证集选择，而它的配方不评测：请设 evaluate.at_end=true',
  "there is no plan …: give the path of a study's plan.yaml": '没有计划 {1}：请给出研究的 plan.yaml 的路径',
  '…: …. Correct the plan; docs/study.md has every key': '{1}：{2}。请改正计划；docs/study.zh-CN.md 列出了所有键',
  '…: arms.… has no recipe …: …': '{1}：arms.{2} 没有配方 {3}：{4}',
  '… has no arms: name one below arms:': '{1} 没有组：请在 arms: 之下写一个',
  '… has no environments: name one below environments:': '{1} 没有环境：请在 environments: 之下写一个',
  '…: "…" names folders too: write it with letters, digits and . _ + -': '{1}：“{2}”也用作文件夹名：请只用字母、数字和 . _ + -',
  '…: arms.… comes after itself: change its after:': '{1}：arms.{2} 排在自己之后：请改它的 after:',
  '…: arms.… runs in … after …, which does not: add … there':
    '{1}：arms.{2} 在 {3} 中排在 {4} 之后，而后者不在那里运行：请在那里加上 {5}',
  '… has a seed twice, which would count one run as two: name each once':
    '{1} 有重复的种子，会把一个运行算成两个：请每个只写一次',
  '…/… was made with another recipe, other settings or other panels: give --results and --out other folders, or remove it and its run to make it again':
    '{1}/{2} 是用别的配方、设置或面板做的：请给 --results 和 --out 换文件夹，或删除它和它的运行重做',
  '… was made with another recipe or other settings: give --out another folder, or remove it to make it again':
    '{1} 是用别的配方或设置做的：请给 --out 换一个文件夹，或删除它重做',
  '… sets …, which the study gives itself: …': '{1} 设了 {2}，而研究自己会给出它：{3}',
  'name seeds below seeds:': '请在 seeds: 下列出种子',
  'leave it out, runs are named by arm and seed': '请去掉它，运行按做法和种子命名',
  'leave it out and give --out': '请去掉它，改用 --out',
  'set threads: of the plan': '请设计划的 threads:',
  'leave it out, panels are used at the end alone': '请去掉它，面板只在最后使用',
  'it begins with …, leave out one of the two': '它从 {1} 开始，请去掉两者之一',
  '…: environments.….panels.…: …': '{1}：environments.{2}.panels.{3}：{4}',
  '… cannot be opened': '{1} 无法打开',
  'there is no prompt format "…": choose one of …, or give a file that exports one (./mine.ts)':
    '没有提示词格式“{1}”：请从中选一个：{2}，或给出导出格式的文件（./mine.ts）',
  '… cannot be edited without changing what it means elsewhere: change it by hand (…)':
    '{1} 一改就会影响别处的含义：请手工修改（{2}）',
  "there is no …: give the path of a recipe or of a run's folder": '没有 {1}：请给出配方或运行文件夹的路径',
  "… has no block of a recipe (tasks, data or pairs): give a recipe or a run's folder":
    '{1} 里没有配方的内容（tasks、data 或 pairs）：请给出配方或运行文件夹',
  '… does not tell its tokens, so --max-obs-length cannot be counted: name a tokenizer (--tokenizer), or set it to 0':
    '{1} 不给出 token，无法按 --max-obs-length 计数：请用 --tokenizer 指定分词器，或设为 0',
  '… is no model that a prompt can be given to: name one with openai:, hf:, run: or gguf:':
    '{1} 不是能接受提示词的模型：请用 openai:、hf:、run: 或 gguf: 指定一个',
  '… has no chat template, so its chat form is not known: use --mode completion, or name a folder that has one (--tokenizer)':
    '{1} 没有聊天模板，不知道它的聊天形式：请用 --mode completion，或指定有模板的文件夹（--tokenizer）',
  '… takes messages and no text to go on from: use --mode chat': '{1} 接受消息，不能接着一段文本写：请用 --mode chat',
  'pages are cut to --max-obs-length tokens of …, and nobody here can count them: …name its tokenizer (--tokenizer <folder or hub name>), or show whole pages (--max-obs-length 0)':
    '页面要按 {1} 的 token 截到 --max-obs-length，而这里没有谁能计数：{2}请指定它的分词器（--tokenizer <文件夹或 hub 名>），或显示整页（--max-obs-length 0）',
  '--model-endpoint … is no address: begin it with http://': '--model-endpoint {1} 不是地址：请以 http:// 开头',
  "…/… answers with status …: name the model's --tokenizer instead":
    '{1}/{2} 的应答状态为 {3}：请改用 --tokenizer 指定模型的分词器',
  '… is a recipe for …: use agoge … …': '{1} 是 {2} 的配方：请用 agoge {3} {4}',
  '…: engine.sampler samples for reinforcement learning: leave it out': '{1}：engine.sampler 只用于强化学习的采样：请去掉',
  'verl has no gae_agentgym: choose algorithm.estimator=gae, or train here or on a Tinker server':
    'verl 没有 gae_agentgym：请选 algorithm.estimator=gae，或在这里、在 Tinker 服务器上训练',
  'verl has no gigpo: choose grpo, or train here or on a Tinker server':
    'verl 没有 gigpo：请选 grpo，或在这里、在 Tinker 服务器上训练',
  'verl has no rejection sampling in its RL trainer: choose grpo, or train here or on a Tinker server':
    'verl 的 RL 训练器没有拒绝采样：请选 grpo，或在这里、在 Tinker 服务器上训练',
  '…: … names the … "…": …': '{1}：{2} 写的 {3}“{4}”不存在：{5}',
};
