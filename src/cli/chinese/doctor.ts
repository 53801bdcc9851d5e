/** What `agoge doctor` and `agoge gpu` find, and what to do about it. */
import type { Texts } from './translator.ts';

export const doctorTexts: Texts = {
  ok: '正常',
  note: '注意',
  PROBLEM: '问题',
  'same bits': '逐位一致',
  cores: '核',
  memory: '内存',
  disk: '磁盘',
  browser: '浏览器',
  environments: '环境',
  card: '显卡',
  driver: '驱动',
  'card memory': '显存',
  'card library': '显卡的库',
  lanes: '采样通道',
  'port {n}': '端口 {1}',
  'to sample it': '采样',
  'to train it': '训练',
  'with adapters': '训练适配器',
  'card: to sample': '显卡：采样',
  'card: all weights': '显卡：全部权重',
  'card: adapters': '显卡：适配器',
  'recipe and seed give the same weights, at any number of threads': '配方和种子相同，权重就相同，与线程数无关',
  'the last bits of weights and replies depend on …': '权重和回复的最后几位取决于 {1}',
  'runs work, but expect a repeated one to differ slightly (docs/engine.md, "The same bits")':
    '运行不受影响，但重复运行会略有不同（见 docs/engine.zh-CN.md）',
  '… (…), for webarena with lane=browser': '{1}（{2}），供 webarena 的 lane=browser 使用',
  'no Chrome or Chromium; webarena plays its own sites without': '没有 Chrome 或 Chromium；webarena 的自带网站不需要它',
  'install Node.js 20.19 or newer (nodejs.org)': '请安装 Node.js 20.19 或更新版本（nodejs.org）',
  '… loads (the bridge to native code)': '{1} 可加载（连接本地代码）',
  'install again; training and local models need it, environments and endpoints do not':
    '请重新安装；训练和本地模型需要它，环境和端点不需要',
  '… loads (training and local models)': '{1} 可加载（训练和本地模型）',
  'train on a Tinker server or evaluate an endpoint from here (x64 and arm64 Linux, macOS and Windows can train)':
    '请在 Tinker 服务器上训练，或从这里评测端点（x64 和 arm64 的 Linux、macOS、Windows 可以训练）',
  'training works, at about half the speed that docs/results.md shows': '可以训练，速度约为 docs/results.md 所示的一半',
  '{n} GiB free of {n} GiB': '空闲 {1} GiB，共 {2} GiB',
  'use the small base policy and few parallel episodes; larger models need 4 GiB and more':
    '请用小的基础策略、少开并行的局；更大的模型需要 4 GiB 以上',
  '{n} GiB free in this folder': '这个文件夹空闲 {1} GiB',
  'free a gigabyte, or set the output folder to another disk: checkpoints go there':
    '请腾出 1 GB，或把输出文件夹放到别的磁盘：检查点写在那里',
  'is in use': '已被占用',
  'agoge serve takes another with --port': 'agoge serve 可用 --port 换一个',
  'is free for agoge serve': '空闲，可供 agoge serve 使用',
  '… (only the tests against peers use it)': '{1}（只有对照测试用到）',
  'not found, and not needed (only the tests against peers use it)': '没有找到，也不需要（只有对照测试用到）',
  'none; the engine computes on the CPU': '没有；引擎在 CPU 上计算',
  'one, which uses all threads': '一个，使用全部线程',
  'one for every 4 requests (AGOGE_CALIBRATION=off: not measured)': '每 4 个请求一个（AGOGE_CALIBRATION=off：没有测量）',
  'one for every 4 requests; the first sample of a run measures (AGOGE_CALIBRATION=keep keeps it)':
    '每 4 个请求一个；运行的第一次采样会测量（AGOGE_CALIBRATION=keep 可保留）',
  '…, {n}M parameters: {n} layers of {n}, vocabulary {n}, context {n}': '{1}，{2}M 参数：{3} 层，宽 {4}，词表 {5}，上下文 {6}',
  '… of … free: …': '需要 {1}，空闲 {2}：{3}',
  'does not fit: … of … free: …': '放不下：需要 {1}，空闲 {2}：{3}',
  'does not fit into …: …': '放不进 {1}：{2}',
  'pick a smaller model, or serve it elsewhere (openai:…)': '请选更小的模型，或在别处提供它（openai:{1}）',
  'train adapters (engine.lora) or a smaller model here, or this one on a larger machine':
    '请在这里训练适配器（engine.lora）或更小的模型，或在更大的机器上训练它',
  'train a smaller model here, or this one on a larger machine': '请在这里训练更小的模型，或在更大的机器上训练它',
  'pick a smaller model, a larger card, or an engine on several (docs/cluster.md)':
    '请选更小的模型、更大的显卡，或用多卡的引擎（docs/cluster.zh-CN.md）',
  'train adapters (engine.lora) on this card': '请在这块显卡上训练适配器（engine.lora）',
  'ONNX Runtime … for CUDA …: …': 'ONNX Runtime {1}，CUDA {2}：{3}',
  'use it with engine: { device: cuda }, or --device cuda': '用法：engine: { device: cuda }，或 --device cuda',
  // The check-up of an environment
  'the policy is loaded': '策略已加载',
  'the expert plays': '专家正在玩',
  'the policy plays': '策略正在玩',
  "the expert's replies are scored": '正在给专家的回复打分',
  'imitation is tried': '正在试着模仿',
  'the policy is …, as in the sft.yaml beside it; --policy names another':
    '策略是 {1}，与旁边的 sft.yaml 相同；可用 --policy 指定别的',
  'the policy is …, as in the recipe …; --policy names another': '策略是 {1}，与配方 {2} 相同；可用 --policy 指定别的',
  'the policy is …, as in the recipes of agoge new env; --policy names another':
    '策略是 {1}，与 agoge new env 写出的配方相同；可用 --policy 指定别的',
  '… with …: it solves {n} of the tasks already; GRPO can go on from here':
    '{1}，策略 {2}：已能解出 {3} 的任务；可以从这里用 GRPO 继续',
  '… with …: it solves {n} of the tasks already, and all tries at a task end alike: GRPO has nothing to learn from':
    '{1}，策略 {2}：已能解出 {3} 的任务，而且同一任务的每次尝试结果都一样：GRPO 没有可学的东西',
  '… with …: … of imitation to {n} success on this machine': '{1}，策略 {2}：在这台机器上模仿学习{3}可达到 {4} 的成功率',
  '… with …: GRPO has something to learn from ({n} of the groups have signal); how long it takes cannot be told from here':
    '{1}，策略 {2}：GRPO 有可学的东西（{3} 的组有信号）；要多久从这里看不出来',
  '… with …: not from here, …': '{1}，策略 {2}：从这里学不会，{3}',
  'because a policy elsewhere cannot be taught, and no group had rewards that differ':
    '因为别处的策略无法教，也没有一组的奖励有差别',
  'because there is no expert to imitate, and no group had rewards that differ': '因为没有可模仿的专家，也没有一组的奖励有差别',
  "because an expert's episode has {n} tokens and the context {n}": '因为专家的一局有 {1} 个 token，而上下文是 {2}',
  "because the expert's replies become no likelier by imitation": '因为模仿之后专家的回复并没有更可能出现',
  'because the expert\'s replies become no likelier by imitation; the wall is "…", right in {n} of its turns':
    '因为模仿之后专家的回复并没有更可能出现；卡在“{1}”，这类轮次只对 {2}',
  'because at this pace it would take …': '因为照这个速度需要{1}',
  'because at this pace it would take …; the wall is "…", right in {n} of its turns':
    '因为照这个速度需要{1}；卡在“{2}”，这类轮次只对 {3}',
  'more than ten hours': '十小时以上',
  'less than a minute': '不到一分钟',
  'about {n} minutes': '约 {1} 分钟',
  'plays now': '现在水平',
  signal: '信号',
  imitation: '模仿',
  words: '用词',
  next: '下一步',
  'pass@1 {n}, pass@8 {n} ({n} tasks of …, {n} episodes, at most {n} turns)':
    'pass@1 {1}，pass@8 {2}（{4} 的 {3} 个任务，{5} 局，最多 {6} 轮）',
  '{n} of the groups have rewards that differ; spread within groups {n}': '{1} 的组奖励有差别；组内离散 {2}',
  '{n} a reply, {n} an episode, at most {n}': '每次回复 {1}，每局 {2}，最多 {3}',
  '{n} a reply, {n} an episode, at most {n} of {n}': '每次回复 {1}，每局 {2}，最多 {3}，上限 {4}',
  '{n} a reply': '每次回复 {1}',
  'expert         none: …': '专家           没有：{1}',
  'expert         {n} replies an episode; …': '专家           每局 {1} 次回复；{2}',
  '… has no expert (solve)': '{1} 没有专家（solve）',
  'the policy runs elsewhere: its replies alone are seen': '策略在别处运行：只看得到它的回复',
  'the policy runs elsewhere and does not score replies (…): its own alone are seen':
    '策略在别处运行，不给回复打分（{1}）：只看得到它自己的回复',
  'it tells no log-probabilities': '它不给出对数概率',
  'the policy runs elsewhere: it is scored, not taught': '策略在别处运行：只打分，不教',
  'replies right': '回复正确',
  '{n}, −ln p of a reply {n}': '{1}，回复的 −ln p {2}',
  'p(reply)': 'p(回复)',
  '{n} of the episodes fill the context': '{1} 的局占满了上下文',
  '{n} episodes failed (…)': '{1} 局失败（{2}）',
  'expert         {n} replies and {n} tokens an episode (longest {n}), of {n} episodes':
    '专家           每局 {1} 次回复、{2} 个 token（最长 {3}），共 {4} 局',
  '{n} steps in {n} s: replies right {n} → {n}, −ln p of a reply {n} → {n}':
    '{2} 秒 {1} 步：回复正确 {3} → {4}，回复的 −ln p {5} → {6}',
  "not tried: none of the expert's episodes fits into the context": '没有尝试：专家的局没有一局放得进上下文',
  'kind of turn': '轮次种类',
  'kind of turn                                 turns     right   p(reply)':
    '轮次种类                                     轮数      正确   p(回复)',
  'right, before → after': '正确，前 → 后',
  "{n} tokens a word in the expert's replies": '专家的回复每词 {1} 个 token',
  "{n} tokens a word in the expert's replies; in three pieces or more: …": '专家的回复每词 {1} 个 token；被切成三段以上的：{2}',
  // What to do next
  'agoge train RECIPE policy=…, with the recipe of … that agoge recipes lists':
    'agoge train RECIPE policy={1}，RECIPE 是 agoge recipes 列出的 {2} 的配方',
  'agoge sft RECIPE policy=…, with the recipe of … that agoge recipes lists':
    'agoge sft RECIPE policy={1}，RECIPE 是 agoge recipes 列出的 {2} 的配方',
  'agoge train RECIPE policy=…, with a recipe like the train.yaml of agoge new env':
    'agoge train RECIPE policy={1}，RECIPE 仿照 agoge new env 写出的 train.yaml',
  'agoge sft RECIPE policy=…, with a recipe like the sft.yaml of agoge new env':
    'agoge sft RECIPE policy={1}，RECIPE 仿照 agoge new env 写出的 sft.yaml',
  'choose harder tasks (--split, --set), then ask again': '请选更难的任务（--split、--set），然后再问',
  'ask the same of its weights, which can be trained: agoge doctor … --policy hf:FOLDER, or gguf:FILE':
    '请对它可训练的权重再问一次：agoge doctor {1} --policy hf:FOLDER，或 gguf:FILE',
  'give the environment an expert (solve), or easier tasks; then ask again':
    '请给环境一个专家（solve），或更容易的任务，然后再问',
  'shorten what the environment says, or take a policy with a longer context: --policy reader, gguf:…':
    '请缩短环境所说的内容，或换上下文更长的策略：--policy reader、gguf:{1}',
  'shorten what the environment says, or take a policy with a longer context: --policy hf:…, gguf:…':
    '请缩短环境所说的内容，或换上下文更长的策略：--policy hf:{1}、gguf:{2}',
  'agoge doctor … --policy reader, or a larger start (docs/larger-start.md)':
    'agoge doctor {1} --policy reader，或换更大的起点（docs/larger-start.zh-CN.md）',
  'make that kind of turn easier (say what it needs in the last observation), or take a larger start (docs/larger-start.md)':
    '请让这类轮次更容易（把所需的信息写进最后一条观察），或换更大的起点（docs/larger-start.zh-CN.md）',
  // The machine, a card and the memory of a model
  'v… on … …': 'v{1}（{2} {3}）',
  '…, … (… free), compute capability …, driver …': '{1}，{2}（空闲 {3}），计算能力 {4}，驱动 {5}',
  '…, … (… free), compute capability …, driver …; {n} cards in all, CUDA_VISIBLE_DEVICES chooses':
    '{1}，{2}（空闲 {3}），计算能力 {4}，驱动 {5}；共 {6} 块显卡，由 CUDA_VISIBLE_DEVICES 选择',
  'ONNX Runtime … for CUDA … (…: …)': 'ONNX Runtime {1}，CUDA {2}（{3}：{4}）',
  'one for every {n} requests (milliseconds of a step by its rows: …)': '每 {1} 个请求一个（按行数计的每步毫秒：{2}）',
  'weights …, packed copy …, keys and values … ({n} sequences of {n} tokens, and parked ones), scores of attention …':
    '权重 {1}，打包的副本 {2}，键值 {3}（{4} 个 {5} token 的序列，外加暂存的），注意力分数 {6}',
  'those, gradient, its mark and moments …, activations of {n} tokens …':
    '以上各项，梯度、其标记和动量 {1}，{2} 个 token 的激活 {3}',
  'LoRA of rank {n} beside weights in bfloat16: weights …, packed copy …, keys and values …, gradient, its mark and moments …, activations of {n} tokens …':
    '秩 {1} 的 LoRA，配 bfloat16 权重：权重 {2}，打包的副本 {3}，键值 {4}，梯度、其标记和动量 {5}，{6} 个 token 的激活 {7}',
  '… of …: …; {n} sequences of {n} tokens at once': '需要 {1}，共 {2}：{3}；同时 {4} 个 {5} token 的序列',
  '… of …: …; {n} sequences of {n} tokens at once; trained on {n} tokens at once, a sequence of up to {n}':
    '需要 {1}，共 {2}：{3}；同时 {4} 个 {5} token 的序列；每次训练 {6} 个 token，序列最长 {7}',
  '… of …: …; {n} sequences of {n} tokens at once; trained on {n} tokens at once (blocks are computed again), a sequence of up to {n}':
    '需要 {1}，共 {2}：{3}；同时 {4} 个 {5} token 的序列；每次训练 {6} 个 token（各层重新计算），序列最长 {7}',
  'weights in bfloat16 …, keys and values … per {n} tokens': 'bfloat16 权重 {1}，键值每 {3} token {2}',
  'weights …, masters, gradients, their mark and moments in float32 …, keys and values … per {n} tokens, activations … per {n} tokens (… computed again)':
    '权重 {1}，float32 的主权重、梯度、其标记和动量 {2}，键值每 {4} token {3}，激活每 {6} token {5}（重新计算时 {7}）',
  'LoRA of rank {n}: weights in bfloat16 …, merged copy, masters, gradients, their mark and moments …, keys and values … per {n} tokens':
    '秩 {1} 的 LoRA：bfloat16 权重 {2}，合并的副本、主权重、梯度、其标记和动量 {3}，键值每 {5} token {4}',
};
