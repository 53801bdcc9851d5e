/** Help of everything else: what commander says, new, doctor, gpu, completion, bench, webarena, chaos. */
import type { Texts } from './translator.ts';

export const machineHelp: Texts = {
  'Usage:': '用法:',
  'Arguments:': '参数:',
  'Options:': '选项:',
  'Commands:': '命令:',
  'Example:': '示例:',
  'Examples:': '示例:',
  'default: …': '（默认：{1}）',
  'choices: …, default: …': '（可选：{1}；默认：{2}）',
  'choices: …': '（可选：{1}）',
  'output the version number': '打印版本号',
  'display help for command': '显示命令的帮助',
  'print the stack of an error, not only its sentence': '出错时打印调用栈，而不只是一句话',
  "error: unknown option '…'": '错误：没有选项“{1}”',
  "error: unknown command '…'": '错误：没有命令“{1}”',
  '(Did you mean …?)': '（是不是想写 {1}？）',
  '(Did you mean one of …?)': '（是不是想写其中之一：{1}？）',
  "error: missing required argument '…'": '错误：缺少参数“{1}”',
  "error: required option '…' not specified": '错误：必须给出选项“{1}”',
  "error: option '…' argument missing": '错误：选项“{1}”缺少参数',
  "error: option '…' argument '…' is invalid. …": '错误：选项“{1}”的值“{2}”无效。{3}',
  "error: command-argument value '…' is invalid for argument '…'. …": '错误：参数“{2}”的值“{1}”无效。{3}',
  "error: too many arguments for '…'. Expected … but got ….": '错误：“{1}”的参数太多：应为 {2}，给了 {3}。',
  'error: too many arguments. Expected … but got ….': '错误：参数太多：应为 {1}，给了 {2}。',
  '{n} argument': '{1} 个',
  '{n} arguments': '{1} 个',
  'Allowed choices are ….': '可选：{1}。',
  'Write on or off.': '请写 on 或 off。',
  'Choose one of ….': '请从中选一个：{1}。',
  'Give a whole number from {n}.': '请给出不小于 {1} 的整数。',
  'Give a whole number from {n} to {n}.': '请给出 {1} 到 {2} 的整数。',
  'Give a number.': '请给出一个数。',
  'Give a number from {n}.': '请给出不小于 {1} 的数。',
  'Give a number from {n} to {n}.': '请给出 {1} 到 {2} 的数。',
  'Write two numbers: 0.15,0.60.': '请写两个数：0.15,0.60。',
  'Give a text that is not empty.': '请给出非空的文字。',
  'there is no device "…": use host or cuda': '没有设备“{1}”：请用 host 或 cuda',
  'choose keep, f32, bf16 or f16': '请选 keep、f32、bf16 或 f16',
  'give a number of gigabytes above 0': '请给出大于 0 的 GB 数',
  'give a number of GiB, such as 80': '请给出 GiB 数，例如 80',
  'start an environment, an agent, an algorithm, a reward, a format or a policy of your own from a small one that works':
    '从一个能用的小例子开始写自己的环境、智能体、算法、奖励、格式或策略',
  'what to start': '从哪种开始',
  'its name: small letters, digits and dashes': '名字：小写字母、数字和连字符',
  'what an agent is written with (default: ai-sdk)': '智能体用什么写（默认：ai-sdk）',
  'say what works on this machine and what to do about the rest; or whether a policy can learn an environment':
    '说明这台机器上什么可用、其余怎么办；或一个策略能否学会某个环境',
  'an environment: a name, a file of your own (./env.ts), a server (textcraft@http://…)':
    '环境：名字、自己的文件（./env.ts）或服务器（textcraft@http://…）',
  'with an environment: who should learn it: base, reader, run:…, hf:…, gguf:…; openai:NAME@URL is played and scored; default: whom its recipe starts from':
    '给出环境时：由谁来学：base、reader、run:…、hf:…、gguf:…；openai:NAME@URL 只对局、打分；默认：它的配方从谁开始就问谁',
  'with an environment: whose tasks; default: train': '给出环境时：用哪个划分的任务；默认：train',
  'with an environment: how replies are written; default: as the policy was taught, else direct':
    '给出环境时：回复的格式；默认：策略学过的，否则 direct',
  'with an environment: replies of an episode': '给出环境时：每局的回复数',
  'with an environment: how long the check-up takes, about': '给出环境时：检查大约用多久',
  'with an environment: the success that counts as learned': '给出环境时：成功率达到多少算学会',
  'with an environment: also the success expected after so many minutes of imitation':
    '给出环境时：另外预计模仿学习这么多分钟后的成功率',
  'with an environment: of the engine; default: all cores': '给出环境时：引擎的线程数；默认：全部核',
  'also say how much memory this model needs to be sampled and trained: base, run:…, hf:…, gguf:…, or a shape without files: shape:llama-8b':
    '另外说明这个模型采样和训练各需要多少内存：base、run:…、hf:…、gguf:…，或没有文件的形状：shape:llama-8b',
  'where the engine computes: host (the CPU, default) or cuda (the card; see agoge gpu status); with --model: what of it fits on the card':
    '引擎在哪里计算：host（CPU，默认）或 cuda（显卡；见 agoge gpu status）；与 --model 合用：显卡上放得下什么',
  'count for a card with so many GiB free instead of the one that is here': '按空闲这么多 GiB 的显卡计算，而不是这里的显卡',
  'print the findings as JSON': '以 JSON 打印结果',
  'can the policy that its sft.yaml starts from learn it, in how many minutes?':
    '它的 sft.yaml 所用的起点策略能学会吗？要几分钟？',
  'the card of this machine: what it lacks, and the libraries that the engine needs on it':
    '这台机器的显卡：缺什么，以及引擎需要的库',
  'which card, driver and library are here, and the one command that mends what is missing':
    '这里有哪块显卡、哪个驱动和库，以及补齐所缺的那一条命令',
  'fetch ONNX Runtime for cards, and those CUDA libraries that are not here, with your own pip; nothing is written elsewhere':
    '用你自己的 pip 获取显卡版 ONNX Runtime 和这里没有的 CUDA 库；不写别的地方',
  'a folder of wheels, or one wheel, instead of pip': '不用 pip，而用一个 wheel 文件夹或单个 wheel',
  'print what was installed as JSON': '以 JSON 打印安装了什么',
  "about 1.5 GB; CUDA's own libraries only where no Python environment has them":
    '约 1.5 GB；已有 Python 环境带 CUDA 库时不再下载',
  'on a machine without a network': '在没有网络的机器上',
  'completion for your shell: prints its script, or installs it': 'shell 补全：打印脚本，或安装它',
  'which one (default: the one you use)': '哪种 shell（默认：你在用的）',
  'write it where the shell finds it': '写到 shell 能找到的地方',
  '  source <(agoge completion bash)': '  source <(agoge completion bash)',
  'what may stand where the last word is typed': '正在输入的最后一个词可以是什么',
  'measure this machine': '测量这台机器',
  'tokens per second of training, plain and shaped like GRPO, and of sampling':
    '训练（普通的和 GRPO 形状的）与采样每秒多少 token',
  'sizes, separated by commas: xs, s, m': '大小，用逗号分隔：xs、s、m',
  'steps to take the median of': '取多少步的中位数',
  'threads of the engine (default: all)': '引擎的线程数（默认：全部）',
  'samples at once, separated by commas': '同时采样数，用逗号分隔',
  'let idle threads spin: faster on a quiet machine': '让空闲线程自旋：机器空闲时更快',
  'an interpreter with PyTorch, to measure it alternately (default: tests/peers/.venv where it exists)':
    '带 PyTorch 的解释器，交替测量（默认：存在时用 tests/peers/.venv）',
  'one JSON object per line': '每行一个 JSON 对象',
  'the original WebArena’s harness, on its sites or on those that ship': '原版 WebArena 的评测流程，用它的网站或自带的网站',
  'play tasks with an agent and score them; a folder that has results goes on where it ended':
    '让智能体做任务并打分；已有结果的文件夹从停下的地方继续',
  'print one JSON line per task': '每个任务打印一行 JSON',
  'prompt, or teacher_forcing (a task’s reference actions, or the expert of the shipped sites) (default: prompt)':
    'prompt，或 teacher_forcing（任务的参考动作，或自带网站的专家）（默认：prompt）',
  'who is asked: openai:<model>[@<base URL>], hf:…, run:… (default: by --provider and --model)':
    '问谁：openai:<model>[@<base URL>]、hf:…、run:…（默认：由 --provider 和 --model 决定）',
  'openai, or huggingface (a local model, or a text-generation server at --model-endpoint) (default: openai)':
    'openai，或 huggingface（本地模型，或 --model-endpoint 处的 text-generation 服务器）（默认：openai）',
  'model of the provider; with huggingface a folder or a name on the hub (default: gpt-3.5-turbo-0613)':
    '提供方的模型；huggingface 时为文件夹或 hub 上的名字（默认：gpt-3.5-turbo-0613）',
  'address that has the model: …/v1 of an OpenAI-compatible server, or a text-generation server':
    '有这个模型的地址：OpenAI 兼容服务器的 …/v1，或 text-generation 服务器',
  'chat or completion (default: chat)': 'chat 或 completion（默认：chat）',
  'prompt file, in the raw form (.py) or as JSON': '提示词文件，原始形式（.py）或 JSON',
  'of sampling (default: 1)': '采样参数（默认：1）',
  'of sampling (default: 0.9)': '采样参数（默认：0.9）',
  'longest reply (default: 384)': '最长的回复（默认：384）',
  'text that ends a reply': '遇到这段文字时回复结束',
  'replies asked for while none holds an action (default: 1)': '回复中没有动作时最多再问几次（默认：1）',
  'cut pages to so many tokens of the model (0: never) (default: 1920)':
    '把页面截到模型的这么多个 token（0：不截）（默认：1920）',
  'folder or hub name of the tokenizer that pages are counted with (default: the model’s own)':
    '给页面计数的分词器的文件夹或 hub 名（默认：模型自己的）',
  'accepted; the model’s own context is what counts (default: 0)': '可以写，但以模型自己的上下文为准（默认：0）',
  'actions per task (default: 30)': '每个任务的动作数（默认：30）',
  'replies without an action in a row that end a task (default: 3)': '连续多少次回复没有动作就结束任务（默认：3）',
  'equal actions that end a task (default: 3)': '重复多少次相同动作就结束任务（默认：3）',
  'first task (default: 0)': '第一个任务（默认：0）',
  'task after the last (default: 1000)': '最后一个任务的下一个（默认：1000）',
  'where results go (default: outputs/webarena_<time>)': '结果写到哪里（默认：outputs/webarena_<time>）',
  'id_accessibility_tree, or playwright (elements by Playwright’s locators, in a browser) (default: id_accessibility_tree)':
    'id_accessibility_tree，或 playwright（在浏览器里用 Playwright 的定位器找元素）（默认：id_accessibility_tree）',
  'accessibility_tree, html, image (text as well, with pictures), plain (default on the shipped sites)':
    'accessibility_tree、html、image（文字加图片）、plain（自带网站的默认值）',
  'show what is in the window (this is the default; see --whole-page)': '只显示窗口中的内容（默认如此；见 --whole-page）',
  'show all of a page': '显示整个页面',
  'of the window (default: 1280)': '窗口的宽（默认：1280）',
  'of the window (default: 720)': '窗口的高（默认：720）',
  'wait so long after each action (default: until the page is quiet)': '每个动作之后等这么久（默认：等到页面静止）',
  'keep Playwright’s traces': '保留 Playwright 的 trace',
  'put pictures into the pages of trajectories': '把图片放进轨迹页面',
  'accepted; browsers run without a window': '可以写；浏览器总是无窗口运行',
  'accepted; see --sleep-after-execution (default: 0)': '可以写；见 --sleep-after-execution（默认：0）',
  'tasks at once (default: 1)': '同时做的任务数（默认：1）',
  'sign in at the official sites anew and keep the states that tasks begin with, as auto_login.py does':
    '像 auto_login.py 那样重新登录官方网站，保存任务开始时所用的状态',
  'sites of one state (gitlab reddit), or all: every site and pair (default: all)':
    '一个状态的网站（gitlab reddit），或 all：每个网站和每对网站（默认：all）',
  'where the states go (default: .auth)': '状态写到哪里（默认：.auth）',
  'The options of WebArena’s run.py are accepted in its own spelling too.': 'WebArena 的 run.py 的选项也可以照原来的拼写使用。',
  'say which of the official sites answer (SHOPPING, REDDIT, … or --set webarena.shopping=…)':
    '说明哪些官方网站有响应（SHOPPING、REDDIT…… 或 --set webarena.shopping=…）',
  'print the shipped tasks as the original’s test.raw.json has them, reference actions included':
    '按原版 test.raw.json 的形式打印自带任务，含参考动作',
  'train, test or unseen; all of them by default': 'train、test 或 unseen；默认全部',
  'faults that --chaos puts into train, sft, eval, serve and data sample':
    '--chaos 给 train、sft、eval、serve 和 data sample 制造的故障',
  'your evaluation with every kind of fault, and without any': '你的评测：带上每种故障跑一遍，再不带故障跑一遍',
  'your own environment fails, hangs, answers late or garbled': '你自己的环境出错、卡住、答得慢或答得乱',
  'a server to try your own client on': '一个用来试验你自己客户端的服务器',
  'every kind of fault and what it does': '每种故障以及它做什么',
};
