/** Errors of the embedded engine and of the card it may run on: ENGINE_…, and those of requests to it. */
import type { Texts } from '../translator.ts';

export const engineErrors: Texts = {
  // Data, losses and the optimizer
  'datum …: …': '第 {1} 条数据：{2}',
  "datum …: …; use the model's own tokenizer": '第 {1} 条数据：{2}；请用模型自己的分词器',
  'datum …: …; shorten it': '第 {1} 条数据：{2}；请缩短它',
  'it has no tokens; leave it out of the batch': '它没有 token；请不要放进批次',
  "… tokens do not fit the model's context of …; shorten it or use a model with a longer context":
    '{1} 个 token 超出模型的上下文 {2}；请缩短，或用上下文更长的模型',
  'its mask has … entries for … tokens; give one per token': '它的 mask 有 {1} 项，而 token 有 {2} 个；请每个 token 给一项',
  'its first token is scored, but nothing stands before it; set mask[0] to 0':
    '它的第一个 token 参与打分，但前面什么都没有；请把 mask[0] 设为 0',
  "token … is …, outside the vocabulary of …; use the model's own tokenizer":
    '第 {1} 个 token 是 {2}，超出词表大小 {3}；请用模型自己的分词器',
  'mask[…] is …; use 0 or 1': 'mask[{1}] 是 {2}；请用 0 或 1',
  'the learning rate is …: give a number of at least 0': '学习率是 {1}：请给出不小于 0 的数',
  '… is …: give a number from 0 to below 1': '{1} 是 {2}：请给出不小于 0 且小于 1 的数',
  '… is …: give a number of at least 0': '{1} 是 {2}：请给出不小于 0 的数',
  'the loss gave … gradients for … data; give one per datum': '损失对 {2} 条数据给出了 {1} 个梯度；请每条数据给一个',
  'the loss gave … numbers as … of datum …, which has … scored tokens':
    '损失给出的第 {3} 条数据的 {2} 有 {1} 个数，而这条数据有 {4} 个参与打分的 token',
  'the batch is empty: give at least one datum': '批次是空的：请至少给一条数据',
  'the gradient is not finite and was thrown away, the weights are unchanged: lower the learning rate or go back to an earlier checkpoint':
    '梯度不是有限数，已丢弃，权重没有改变：请调低学习率，或回到更早的检查点',
  'the loss has a … of … at scored token … of datum …; nothing was learned from the batch: …':
    '第 {4} 条数据第 {3} 个打分 token 处，损失的 {1} 为 {2}；没有从这个批次学习：{5}',
  'the loss is …, with finite gradients for every datum; nothing was learned from the batch: …':
    '损失为 {1}，而每条数据的梯度都是有限数；没有从这个批次学习：{2}',
  'the loss or its gradient is not finite; nothing was learned from the batch: look at its rewards, advantages and old log-probabilities':
    '损失或其梯度不是有限数；没有从这个批次学习：请检查它的奖励、优势和旧的对数概率',
  'datum … has scores that are not finite: the weights are broken (NaN or infinite); go back to an earlier checkpoint':
    '第 {1} 条数据的分数不是有限数：权重已损坏（NaN 或无穷大）；请回到更早的检查点',
  'the model gives no finite probabilities: its weights have diverged; go back to an earlier checkpoint':
    '模型给不出有限的概率：权重已发散；请回到更早的检查点',
  'there is no gradient to step along: call forwardBackward before optimStep':
    '没有可用的梯度：请在 optimStep 之前调用 forwardBackward',
  'there is no datum …; report this': '没有第 {1} 条数据；请报告',
  'a value head has no distribution and no entropy: ask for it on the policy': '价值头没有分布，也就没有熵：请在策略上求熵',
  'a model with a value head cannot be sampled from: use the policy': '带价值头的模型不能采样：请用策略',
  'the weights of this engine are frozen: open it with adapters (lora) or without `frozen` to train it':
    '这个引擎的权重是冻结的：要训练，请带适配器（lora）打开，或不要设 `frozen`',
  'the weights of this engine are frozen and as they were: copy the model they came from':
    '这个引擎的权重是冻结的，没有变过：请复制它原来的模型',
  // Opening one
  '… is for a card: set device to cuda, or numbers to float32':
    '{1} 只用于显卡：请把 device 设为 cuda，或把 numbers 设为 float32',
  'int8 is for sampling on a processor: leave engine.sampling_weights out with a card':
    'int8 只用于在 CPU 上采样：用显卡时请去掉 engine.sampling_weights',
  'a model and a config were given: give one, to load it or to start afresh':
    '同时给了模型和 config：只能给一个，要么加载，要么从头开始',
  'nothing to open: give a model folder or the config of a fresh model': '没有可打开的：请给出模型文件夹，或新模型的 config',
  'the engine is closed: open it again': '引擎已关闭：请重新打开',
  'the engine was closed while it was sampling: open it again': '引擎在采样时被关闭：请重新打开',
  'the server is closing: ask again when it is back': '服务器正在关闭：请等它恢复后再请求',
  'the model is gone: create it again': '模型已不在：请重新创建',
  'the engine already runs with … threads (spinning …) and cannot change to … (spinning …): set both before the first model is opened':
    '引擎已在用 {1} 个线程运行（spinning {2}），不能改成 {3} 个（spinning {4}）：请在打开第一个模型之前设好这两项',
  'threads must be a whole number from 1 to 1024, not …': 'threads 必须是 1 到 1024 的整数，不能是 {1}',
  'the engine already runs with the library for processors, and a process has one: open what runs on the card first':
    '引擎已在用 CPU 的库运行，而一个进程只能有一个库：请先打开要在显卡上运行的',
  'this processor does not compute 8-bit products exactly: leave engine.sampling_weights at float32':
    '这个 CPU 不能精确计算 8 位乘积：请让 engine.sampling_weights 保持 float32',
  // Memory
  '… needs … and … are free: choose a smaller model or batch, or an engine on another machine':
    '{1}需要 {2}，而空闲的只有 {3}：请选更小的模型或批次，或用别的机器上的引擎',
  '… are left of engine.card_memory and … more are needed: raise it, train on fewer tokens at once, sample fewer sequences at once, or use adapters (engine.lora); the run resumes from its last checkpoint':
    'engine.card_memory 还剩 {1}，还需要 {2}：请调大它、减少一次训练的词元数、减少同时采样的序列数，或使用适配器（engine.lora）；运行可以从最后一个检查点继续',
  'card memory of … GiB is too little: … GiB are the least, set engine.card_memory higher or leave it out':
    '{1} GiB 显存太少：至少需要 {2} GiB，请调大 engine.card_memory 或去掉它',
  'the device has … free and … more are needed: train on fewer tokens at once, sample fewer sequences at once, use adapters (engine.lora), or free the card; the run resumes from its last checkpoint':
    '设备空闲 {1}，还需要 {2}：请减少一次训练的 token 或一次采样的序列，用适配器（engine.lora），或腾出显卡；运行可从最后的检查点续跑',
  'the device has no memory left (…): train on fewer tokens at once, sample fewer sequences at once, use adapters (engine.lora), or free the card; the run resumes from its last checkpoint':
    '设备没有内存了（{1}）：请减少一次训练的 token 或一次采样的序列，用适配器（engine.lora），或腾出显卡；运行可从最后的检查点续跑',
  'a sequence of … tokens needs … MiB for keys and values and … MiB are allowed: allow more, or shorten the context':
    '{1} 个 token 的序列的 KV 缓存需要 {2} MiB，而上限是 {3} MiB：请调高上限，或缩短上下文',
  // Requests
  'a stop string is empty: leave it out': '有一个停止字符串是空的：请去掉',
  'stop strings need a tokenizer: use stop tokens': '停止字符串需要分词器：请改用停止 token',
  '… is …: give …': '{1} 是 {2}：请给出{3}',
  'the prompt has no tokens: give at least one, such as the begin-of-text token':
    '提示词没有 token：请至少给一个，例如文本起始 token',
  'the prompt has … tokens and the context is …: shorten it, or use a model with a longer context':
    '提示词有 {1} 个 token，而上下文是 {2}：请缩短，或用上下文更长的模型',
  'the prompt has … tokens and the context is …: shorten it': '提示词有 {1} 个 token，而上下文是 {2}：请缩短',
  'the prompt has … tokens and … reads …: lower --max-obs-length':
    '提示词有 {1} 个 token，而 {2} 只读 {3} 个：请调低 --max-obs-length',
  "token id … is not one of 0 to …: use the model's own tokenizer": 'token id {1} 不在 0 到 {2} 之内：请用模型自己的分词器',
  "logit_bias names token …, which is not one of 0 to …: give ids of the model's tokenizer":
    'logit_bias 里的 token {1} 不在 0 到 {2} 之内：请给出模型分词器的 id',
  'a reply with a form needs a token that ends it: use a model with an end of turn':
    '限定形式的回复需要一个结束 token：请用有轮次结束 token 的模型',
  'the shortest reply of this form may take … tokens and … are there: allow more, or shorten the prompt':
    '这种形式最短的回复可能要 {1} 个 token，而只剩 {2} 个：请放宽上限，或缩短提示词',
  'max_tokens is 0: allow at least one, or send echo': 'max_tokens 是 0：请至少给 1，或发送 echo',
  'a reply can have one form: send one of response_format, required tools, guided_…':
    '回复只能有一种形式：response_format、必须调用的工具、guided_{1} 之中请只发一个',
  'tool_choice asks for a tool and none is offered: send tools': 'tool_choice 要求用工具，但没有提供任何工具：请发送 tools',
  'tool_choice names a tool that is not offered: name one of tools': 'tool_choice 里的工具没有提供：请写 tools 中的一个',
  'the response "…" is not known here (any more): send its items as input':
    '这里没有（或不再有）response “{1}”：请把它的内容作为 input 发送',
  'the request cannot be answered: …; correct it and send it again': '无法回答这个请求：{1}；请改正后重新发送',
  'no reply can satisfy what is asked for: loosen the schema or name a tool': '没有回复能满足要求：请放宽 schema，或指定工具',
  'the pattern … cannot be followed (…): write it with literals, classes, groups, | and repetition':
    '正则 {1} 无法遵循（{2}）：请只用字面量、字符类、分组、| 和重复来写',
  'the JSON schema cannot be followed at …: …; …': 'JSON schema 在 {1} 处无法遵循：{2}；{3}',
  'temperature … cannot divide logits: give a positive number': '温度 {1} 不能用来除 logits：请给出正数',
  'onToken threw (make it not throw)': 'onToken 抛出了异常（请让它不要抛）',
  'the engine call was cancelled; start it again when it is wanted': '引擎的调用已取消；需要时请重新开始',
  'the sample was cancelled; ask again when it is wanted': '采样已取消；需要时请重新请求',
  'the request is over': '请求已结束',
  'return_token_ids comes with whole answers: ask without stream': 'return_token_ids 只随完整的回答给出：请不要用 stream',
  'return_token_ids and echo come with whole answers: ask without stream':
    'return_token_ids 和 echo 只随完整的回答给出：请不要用 stream',
  'likely alternatives are told for what is sampled, not for a prompt: with echo send "logprobs": 0':
    '备选 token 只对采样的部分给出，不对提示词给出：用 echo 时请发送 "logprobs": 0',
  'this engine does not tell likely alternatives: ask without top_logprobs': '这个引擎不给出备选 token：请去掉 top_logprobs',
  'the call failed': '调用失败',
  'the request failed': '请求失败',
  // The card and its libraries
  '…; see agoge doctor, then resume the run from its last checkpoint': '{1}；请看 agoge doctor，然后从最后的检查点续跑',
  'process … already runs on card …: wait for it, choose another card with CUDA_VISIBLE_DEVICES, or share it: set engine.card_memory for both':
    '进程 {1} 已在显卡 {2} 上运行：请等它结束，用 CUDA_VISIBLE_DEVICES 换一块显卡，或共用这一块：两个运行都设置 engine.card_memory',
  'card … (…, compute capability …) is too old for CUDA …, which asks for …: use another card, give --device host, or leave engine.device out':
    '显卡 {1}（{2}，计算能力 {3}）对 CUDA {4} 来说太旧，后者要求 {5}：请换一块显卡，或给 --device host，或去掉 engine.device',
  'the driver … of card … is too old for CUDA …: install driver … or newer':
    '显卡 {2} 的驱动 {1} 对 CUDA {3} 来说太旧：请安装驱动 {4} 或更新的',
  '… has no wheel of onnxruntime-gpu: on a machine with a network run python3 … and name that folder':
    '{1} 里没有 onnxruntime-gpu 的 wheel：请在有网络的机器上运行 python3 {2}，再指定那个文件夹',
  'python3 -m pip cannot be run (install Python with pip, or name a folder of wheels with --from)':
    '无法运行 python3 -m pip（请安装带 pip 的 Python，或用 --from 指定放 wheel 的文件夹）',
  'pip could not download … (…): check its index, or name a folder of wheels with --from':
    'pip 无法下载 {1}（{2}）：请检查它的索引，或用 --from 指定放 wheel 的文件夹',
  '… cannot be used: …; download it again': '{1} 不能用：{2}；请重新下载',
  '… cannot be unpacked (download it again, check the disk)': '{1} 无法解开（请重新下载，检查磁盘）',
  'card … (…, compute capability …) does not compute in bfloat16: set engine.numbers=float32':
    '显卡 {1}（{2}，计算能力 {3}）不支持 bfloat16 计算：请设 engine.numbers=float32',
  'ONNX Runtime … of … is older than …: run …, or pip install "onnxruntime-gpu>=…" there':
    '{2} 的 ONNX Runtime {1} 比 {3} 旧：请运行 {4}，或在那里 pip install "onnxruntime-gpu>={5}"',
  'the CUDA provider in … does not belong to ONNX Runtime …: take both from one wheel (…)':
    '{1} 里的 CUDA provider 不属于 ONNX Runtime {2}：请从同一个 wheel 取两者（{3}）',
  '… cannot be loaded: install again without --omit=optional; environments and endpoints work without it':
    '{1} 无法加载：请不带 --omit=optional 重新安装；环境和端点没有它也能用',
  'the card cannot be examined': '无法检查显卡',
  'nvidia-smi fails (…): load the driver (restart the machine after an update), give --device host, or leave engine.device out':
    'nvidia-smi 失败（{1}）：请加载驱动（更新后要重启机器），或给 --device host，或去掉 engine.device',
  'there is no NVIDIA card here (nvidia-smi names none, or CUDA_VISIBLE_DEVICES hides them): give --device host, leave engine.device out, or run on a machine with a card':
    '这里没有 NVIDIA 显卡（nvidia-smi 没有列出，或被 CUDA_VISIBLE_DEVICES 隐藏）：请给 --device host，去掉 engine.device，或在有显卡的机器上运行',
  'the library for a card cannot be examined': '无法检查显卡的库',
  'the engine uses a card on Linux x64 only, not on … …: give --device host, leave engine.device out, or train on a Tinker engine':
    '引擎只在 Linux x64 上使用显卡，不支持 {1} {2}：请给 --device host，去掉 engine.device，或在 Tinker 引擎上训练',
  '…: run …': '{1}：请运行 {2}',
  "CUDA's library cannot be loaded (…): see agoge doctor": '无法加载 CUDA 的库（{1}）：请看 agoge doctor',
  'cannot load …, which ONNX Runtime needs on a card; see agoge doctor':
    '无法加载 {1}，ONNX Runtime 在显卡上需要它；请看 agoge doctor',
  'cannot load ONNX Runtime from …; install again': '无法从 {1} 加载 ONNX Runtime；请重新安装',
  'ONNX Runtime … does not offer API …; install again': 'ONNX Runtime {1} 不提供 API {2}；请重新安装',
  'there is no ONNX Runtime for … …: use Linux or Windows on x64 or arm64, macOS on arm64, or a Tinker engine':
    '没有 {1} {2} 的 ONNX Runtime：请用 x64 或 arm64 上的 Linux 或 Windows、arm64 上的 macOS，或 Tinker 引擎',
  'the package … is not installed, so there is no ONNX Runtime here: install agoge again without --omit=optional, or npm install … in the version of agoge; environments and endpoints work without it':
    '没有安装 {1}，所以这里没有 ONNX Runtime：请不带 --omit=optional 重新安装 agoge，或按 agoge 的版本 npm install {2}；环境和端点没有它也能用',
  "kernels do not compile: …; report it with the card's name": 'kernel 无法编译：{1}；请连同显卡的名字报告',
  'ONNX Runtime failed: …; report it with the model and the command': 'ONNX Runtime 出错：{1}；请连同模型和命令报告',
  'this engine does not tell the likeliest tokens: ask without alternatives': '这个引擎不给出最可能的 token：请不要请求候选',
  'sampling failed on the device (see agoge doctor)': '在设备上采样失败（请看 agoge doctor）',
  'training failed (report it with the model and the command)': '训练失败（请连同模型和命令报告）',
  'the engine failed (report it with the model and the command)': '引擎出错（请连同模型和命令报告）',
  'a thread of the engine ended (report it with the model and the command)': '引擎的一个线程结束了（请连同模型和命令报告）',
  'a thread of the engine ended; report it with the model and the command': '引擎的一个线程结束了；请连同模型和命令报告',
};
