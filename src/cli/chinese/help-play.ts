/** Help of what serves, evaluates and plays: serve, eval, compare, summary, view, docs, mcp, play, lint, demo. */
import type { Texts } from './translator.ts';

export const playHelp: Texts = {
  'Reinforcement learning for language-model agents, on one machine, without Python.':
    '语言模型智能体的强化学习：一台机器，不需要 Python。',
  'a policy learns before your eyes, on this CPU, in a minute': '一分钟，在这台机器的 CPU 上，看一个策略学会做事',
  'serve environments over HTTP, wire-compatible with AgentGym, or a model behind the OpenAI or the Tinker API':
    '通过 HTTP 提供环境（与 AgentGym 协议兼容），或以 OpenAI、Tinker API 提供模型',
  'names or files (./my-env.ts); one is served at / and /<name>, several each under /<name>':
    '名字或文件（./my-env.ts）；只有一个时在 / 和 /<name>，多个时各在 /<name>',
  'address to listen on': '监听地址',
  'port to listen on (0: any free one)': '监听端口（0：任一空闲端口）',
  'serve this model behind the OpenAI API instead: base, run:…, hf:…, gguf:…':
    '改为以 OpenAI API 提供这个模型：base、run:…、hf:…、gguf:…',
  'with --model: the name that clients ask for (default: the policy as it is given)':
    '与 --model 合用：客户端请求时用的名字（默认：策略的原名）',
  'with --model: serve it behind the Tinker API, to be trained and sampled by its SDK and by other machines':
    '与 --model 合用：以 Tinker API 提供，供其 SDK 和其他机器训练和采样',
  'with --tinker: where weights are saved': '与 --tinker 合用：权重保存的位置',
  'with --tinker: models that clients may have open at once': '与 --tinker 合用：客户端最多同时打开的模型数',
  'with --model: longest sequence (memory grows with it)': '与 --model 合用：最长序列（越长占用内存越多）',
  'with --device cuda: GiB of the card to take at most, so that others may share it':
    '用 --device cuda 时：最多占用显卡的 GiB 数，以便与别人共用',
  'with --model: where the engine computes: host (the CPU, default) or cuda (the card; see agoge gpu status)':
    '与 --model 合用：引擎在哪里计算：host（CPU，默认）或 cuda（显卡；见 agoge gpu status）',
  'ask for this token (better: set AGOGE_GYM_TOKEN)': '要求客户端出示这个令牌（更好的办法：设置 AGOGE_GYM_TOKEN）',
  'a further name this server is reached by, * for any (repeatable)': '访问本服务器时还可用的主机名，* 表示任意（可重复）',
  'a page that may use this server, such as https://app.example.org (repeatable)':
    '允许使用本服务器的网页来源，例如 https://app.example.org（可重复）',
  'processes that play; each session stays with one': '进程数；每个会话固定在一个进程上',
  'sessions open at once; more are answered 503': '同时打开的会话数上限；超出时回答 503',
  'close a session that nobody used for so long': '会话闲置这么久后关闭',
  'a setting of an environment (repeatable)': '环境的一项设置（可重复）',
  'a setting of the environment (repeatable)': '环境的一项设置（可重复）',
  'let official ids play tasks of our own where the official files are not given':
    '没有官方文件时，允许官方 id 改玩我们自己的任务',
  'break things on purpose (SEED[:profile[:starts]]: steps, servers, disk, kill, all, or kinds by name; see agoge chaos list), then check that nothing was lost':
    '故意制造故障（SEED[:profile[:starts]]：steps、servers、disk、kill、all，或按名字列出种类；见 agoge chaos list），然后检查有没有丢失任何东西',
  'go on without this terminal; see agoge serve status and agoge serve stop':
    '脱离这个终端继续运行；见 agoge serve status 和 agoge serve stop',
  'print what happened as JSON lines': '以 JSON 行打印发生的事',
  "AgentGym's routes at http://127.0.0.1:36001": 'AgentGym 的接口在 http://127.0.0.1:36001',
  '…/textcraft, …/babyai, …/maze': '…/textcraft、…/babyai、…/maze',
  'on eight cores, for any number of clients': '用八个核，客户端数量不限',
  'base URL http://127.0.0.1:8000/v1': '接口地址 http://127.0.0.1:8000/v1',
  '  AGOGE_GYM_TOKEN=secret agoge serve textcraft --host 0.0.0.0  clients: http://agoge:secret@host:36001':
    '  AGOGE_GYM_TOKEN=secret agoge serve textcraft --host 0.0.0.0  客户端：http://agoge:secret@host:36001',
  'returns when it listens': '开始监听后返回',
  'what runs in the background': '后台在运行什么',
  'end it (without a port: all)': '结束它（不给端口：全部）',
  'evaluate policies: success and reward with intervals, per category, paired by task':
    '评测策略：成功率和奖励（带区间、分类别），按任务配对',
  'textcraft, textcraft@http://host:36001 for one on a server, or your own ./my-env.ts':
    'textcraft；服务器上的环境写 textcraft@http://host:36001；或自己的 ./my-env.ts',
  'whom to evaluate (repeatable): base, reader, run:<dir>[@step_40|@epoch_15|@latest|@best|@all], hf:<folder or repo>, gguf:<file>, openai:<model>[@<base URL>], replay:<episodes file>, <file.ts> (definePolicy), expert, random, human':
    '评测谁（可重复）：base、reader、run:<dir>[@step_40|@epoch_15|@latest|@best|@all]、hf:<folder or repo>、gguf:<file>、openai:<model>[@<base URL>]、replay:<episodes file>、<file.ts>（definePolicy）、expert、random、human',
  'split of the tasks': '任务所在的划分',
  'which tasks: 0-99, 3,5,7-9, all, or a file of rows or item ids (train.parquet)':
    '哪些任务：0-99、3,5,7-9、all，或含数据行或 item id 的文件（train.parquet）',
  'at most so many tasks of a file': '文件中最多取这么多任务',
  'refuse a file with rows whose task does not exist (default: they are passed over and counted)':
    '文件中有不存在的任务时拒绝（默认：跳过并计数）',
  "verl's interaction file: servers and time-outs by name (webshop, webshop_2)":
    'verl 的 interaction 文件：按名字给出服务器和时限（webshop、webshop_2）',
  'episodes per task and seed': '每个任务、每个种子的局数',
  'how many seeds': '种子个数',
  'the first seed': '第一个种子',
  'replies per episode (default: what the field uses for the environment)': '每局的回复数（默认：该环境通行的数目）',
  'tokens per reply (default: what is usual for the environment, else 512)':
    '每次回复的 token 数（默认：该环境惯用的数目，否则 512）',
  'sampled tokens per episode': '每局采样的 token 总数',
  'tokens of the whole conversation': '整个对话的 token 数',
  'react, direct, adapt, adapt-last, function_calling, code, tools (default: what checkpoints were taught; react for endpoints; direct)':
    'react、direct、adapt、adapt-last、function_calling、code、tools（默认：检查点学过的格式；端点用 react；其余 direct）',
  'a text that ends a reply (repeatable); \\n stands for a new line': '遇到这段文字时回复结束（可重复）；\\n 表示换行',
  "put the environment's worked example into the prompt": '把环境自带的示例放进提示词',
  'your own prompt; may use {{task}}, {{actions}}, {{example}}; or `row`: what the rows of a file say':
    '自己的提示词文件，可用 {{task}}、{{actions}}、{{example}}；或 `row`：用文件各行自己的提示词',
  "a Jinja chat template in place of the model's own, or `plain`": '代替模型自带模板的 Jinja 聊天模板，或 `plain`',
  'ask the chat template for replies with or without thinking': '让聊天模板要求回复带或不带思考过程',
  'sampling temperature; 0 is greedy': '采样温度；0 为贪心',
  'nucleus sampling': '核采样（top-p）',
  'sample from the k likeliest tokens': '只从概率最高的 k 个 token 中采样',
  'leave out tokens less likely than this share of the likeliest': '舍去概率低于最高者这一比例的 token',
  'what is paid for: a score, ./my-reward.ts, or a recipe with reward: (default: what the environment pays)':
    '按什么给奖励：某种打分、./my-reward.ts，或含 reward: 的配方（默认：环境自己的奖励）',
  'instead of playing: how far this model agrees with a gold set, a file of { prompt, chosen, rejected } or { prompt, answer, score }':
    '不玩任务，而是检查这个模型与标准答案集的一致程度；文件为 { prompt, chosen, rejected } 或 { prompt, answer, score }',
  'of --judge: what makes an answer good': '与 --judge 合用：什么样的回答算好',
  'compare each policy with this one, paired by task': '每个策略都与它比较，按任务配对',
  'of models in this process: where the engine computes: host (the CPU, default) or cuda (the card; see agoge gpu status)':
    '本进程中的模型：引擎在哪里计算：host（CPU，默认）或 cuda（显卡；见 agoge gpu status）',
  'of models in this process; default: all cores': '本进程中的模型用几个线程；默认：全部核',
  'episodes at once': '同时进行的局数',
  'further tries of an episode whose environment or policy failed': '环境或策略出错时，一局再试几次',
  'for one call of an environment': '一次环境调用的时限',
  'for one reply, its retries included': '一次回复的时限，含重试',
  'dollars per million tokens of an endpoint, to count the cost': '端点每百万 token 的价格（美元），用来计算费用',
  "the served model's, a folder or hf:owner/name: endpoints (vLLM, SGLang, agoge serve) get and give token ids, kept with log-probabilities":
    '所提供模型的分词器，文件夹或 hf:owner/name：与端点（vLLM、SGLang、agoge serve）之间收发 token id，并连同对数概率保存',
  'limit on servers: timeout, wait (seconds), max_answer (bytes), max_tasks, connections (repeatable)':
    '对服务器的限制：timeout、wait（秒）、max_answer（字节）、max_tasks、connections（可重复）',
  'where results go (default: outputs/eval-<hash of the request>)': '结果写到哪里（默认：outputs/eval-<请求的哈希>）',
  'start anew: removes what an evaluation has written to the folder, and nothing else':
    '从头开始：删除该文件夹里评测写下的内容，别的不动',
  'show the work live in the browser while it lasts (default: on a terminal)':
    '运行期间在浏览器里实时显示（默认：在终端里运行时）',
  'do not start the dashboard': '不启动仪表盘',
  'print the results as JSON': '以 JSON 打印结果',
  'how far a judge agrees with people': '评判模型与人的一致程度',
  'Interrupted or with failed episodes: the same command again plays only what is missing.':
    '中断了或有失败的局：再次运行同一命令，只补缺少的部分。',
  'compare two evaluations, paired by task; says "not distinguishable" when that is so':
    '按任务配对比较两次评测；区分不开时会直说“无法区分”',
  'folder of an evaluation; folder#policy where it has several': '评测的文件夹；其中有多个策略时写 folder#policy',
  'the other one': '另一个',
  'print the comparison as JSON': '以 JSON 打印比较结果',
  'one table over models, checkpoints and seeds, from evaluations and runs: text, CSV and Markdown':
    '把评测和运行汇总成一张表（模型 × 检查点 × 种子）：文本、CSV、Markdown',
  'folders of evaluations (agoge eval), runs (agoge train, sft), and results of others (eval_results_….jsonl)':
    '评测（agoge eval）、运行（agoge train、sft）的文件夹，以及别的工具的结果（eval_results_….jsonl）',
  'write <base>.txt, <base>.csv and <base>.md': '写出 <base>.txt、<base>.csv 和 <base>.md',
  'print the rows as JSON': '以 JSON 打印各行',
  'look at runs in the browser: curves, episodes, evaluations, play; or write a run as one HTML file':
    '在浏览器里看运行：曲线、各局、评测、试玩；或把一个运行写成单个 HTML 文件',
  'a run, or a folder of runs': '一个运行，或放运行的文件夹',
  'port to listen on, 0 for a free one': '监听端口，0 为任一空闲端口',
  'asked of every request; needed when --host is not this machine': '每个请求都须出示；--host 不是本机时必须给',
  'an environment of your own for the play page: ./my-env.ts or a package (repeatable)':
    '试玩页上自己的环境：./my-env.ts 或一个包（可重复）',
  'write the run, or a gallery of the newest 50 runs of the folder, as one self-contained HTML file and end':
    '把这个运行（或文件夹中最新的 50 个运行）写成一个自足的 HTML 文件，然后结束',
  'with --out: replace a file that is not a report': '与 --out 合用：即使原文件不是报告也替换',
  'print what is known of the run, or of each run of a folder, as JSON and end: scores, warnings, why it does not learn':
    '以 JSON 打印这个运行（或文件夹中每个运行）的已知情况后结束：分数、警告、为什么学不动',
  'how many episodes the file carries': '文件里带多少局',
  'every run below outputs/': 'outputs/ 下的所有运行',
  'one file to keep or to send': '一个文件，便于保存或发送',
  'a gallery of the runs there in one file': '把那里的运行汇成一个文件',
  'the same for programs: scores, warnings, why it does not learn': '给程序读的同样内容：分数、警告、为什么学不动',
  'play your own environment there as well': '在那里也能试玩自己的环境',
  'read the pages of this version in the browser: guides, tutorial, reference, results; with search':
    '在浏览器里读本版本的文档：指南、教程、参考、结果；可搜索',
  'write the whole site there as static files, for any host and any base path':
    '把整个站点写成静态文件，可放在任何主机、任何路径下',
  'with --out: add the report of this run (repeatable)': '与 --out 合用：附上这个运行的报告（可重复）',
  'then open the address that it prints': '然后打开它打印的地址',
  'offer an environment to MCP clients: its actions are the tools': '把环境提供给 MCP 客户端：动作就是工具',
  'a name, name@http://host:port for one that is served, or your own ./my-env.ts':
    '名字；服务器上的写 name@http://host:port；或自己的 ./my-env.ts',
  'the split that start_task takes tasks from (default: test, where there is one)':
    'start_task 从哪个划分取任务（默认：有 test 时用 test）',
  'serve over HTTP at this port instead of standard input and output; 0: any':
    '改为在这个端口以 HTTP 提供，而不用标准输入输出；0：任一端口',
  'of --port: where it listens': '与 --port 合用：监听地址',
  'play a task yourself': '自己玩一个任务',
  "its number in the split, AgentGym's id (textcraft_17), or textcraft/test#17; one at random otherwise":
    '划分中的编号、AgentGym 的 id（textcraft_17）或 textcraft/test#17；不给则随机',
  'the split that --task counts in (default: all, where there is one)': '--task 的编号属于哪个划分（默认：有 all 时用 all）',
  'append the episode to this JSONL file of demonstrations when it ends': '结束时把这一局追加到这个 JSONL 示范文件',
  'check the laws that every environment keeps; a broken one comes with a small counter-example':
    '检查每个环境都要遵守的定律；违反时给出一个小反例',
  'a name (textcraft), or a file that exports an environment (./my-env.ts)': '名字（textcraft），或导出环境的文件（./my-env.ts）',
  'generated cases per law': '每条定律生成的用例数',
  'tasks per split that the expert must solve': '每个划分中专家必须解出的任务数',
  'steps of the memory law; default: 100000, fewer where they take over 30 s': '内存定律的步数；默认 100000，超过 30 秒则减少',
  'longest wait for one answer': '等一次回答的最长时间',
  'another seed gives other cases': '换一个种子得到别的用例',
  'print one JSON line per law': '每条定律打印一行 JSON',
  'watch a small policy learn: evaluation, a minute of GRPO on this CPU, evaluation on tasks it never trained on':
    '看一个小策略学习：先评测，在 CPU 上跑一分钟 GRPO，再在没训练过的任务上评测',
  'seconds of training': '训练的秒数',
  'what to play: textcraft': '玩什么：textcraft',
  'decides tasks and sampling': '决定任务和采样',
  'the shipped policy that learns: reader, or base, which is smaller and plays easier worlds':
    '要学习的自带策略：reader，或更小、玩更简单世界的 base',
  'folder for runs: this one is demo there, or demo-2, demo-3, …': '存放运行的文件夹：这一次名为 demo，已有时为 demo-2、demo-3……',
  'go on with a demo that was interrupted, as it was chosen then': '继续一次被中断的演示，设置照旧',
  'where the engine computes: host (the CPU, default) or cuda (the card; see agoge gpu status)':
    '引擎在哪里计算：host（CPU，默认）或 cuda（显卡；见 agoge gpu status）',
  'print one object with before, after, n and p, and nothing else': '只打印一个含 before、after、n、p 的对象',
};
