/** Errors of models: their files, configurations, tokenizers and adapters (MODEL_…). */
import type { Texts } from '../translator.ts';

export const modelErrors: Texts = {
  // Adapters
  '… is no configuration of a LoRA adapter: …; use one that PEFT wrote': '{1} 不是 LoRA 适配器的配置：{2}；请用 PEFT 写出的',
  '… is an adapter of type …: only LoRA is merged; merge it with PEFT first':
    '{1} 是 {2} 类型的适配器：这里只合并 LoRA；请先用 PEFT 合并',
  'the adapter of "…" has A […] and B […], its weight […]: use the base model that it was trained on':
    '“{1}”的适配器形状是 A [{2}]、B [{3}]，而权重是 [{4}]：请用训练它时的基础模型',
  '… has no adapter_config.json: give a folder that PEFT wrote': '{1} 里没有 adapter_config.json：请给出 PEFT 写出的文件夹',
  '… has LoRA in it already: convert it without --adapter': '{1} 里已经有 LoRA：转换时请不要加 --adapter',
  "… has LoRA without its alpha: put its adapter_config.json (or verl's lora_train_meta.json) into …":
    '{1} 有 LoRA 但没有 alpha：请把它的 adapter_config.json（或 verl 的 lora_train_meta.json）放进 {2}',
  'the adapter changes "…", which the model does not have: use the base model that it was trained on':
    '适配器要修改“{1}”，而模型没有：请用训练它时的基础模型',
  '… is an adapter, and its base model …is not a folder here: give it with --base':
    '{1} 是适配器，而它的基础模型{2}不是这里的文件夹：请用 --base 给出',
  '… holds no adapters, and this engine trains some: name a folder with adapter_config.json':
    '{1} 里没有适配器，而这个引擎要训练适配器：请给出含 adapter_config.json 的文件夹',
  '… is not JSON (fetch it again)': '{1} 不是 JSON（请重新获取）',
  '… does not name the model it belongs to: merge it with agoge model convert --base, or write base_model_name_or_path into it':
    '{1} 没有写明属于哪个模型：请用 agoge model convert --base 合并，或在其中写上 base_model_name_or_path',
  'the adapters in … change "…", which the model does not have: use the model they were trained on':
    '{1} 里的适配器要修改“{2}”，而模型没有：请用训练它们时的模型',
  'adapters cannot be put on "…": use all-linear, or some of …': '“{1}”上不能加适配器：请用 all-linear，或其中一些：{2}',
  'Phi-3 keeps q, k and v in one matrix, for which there are no adapters here: train all weights (leave engine.lora out), or take a model of another family':
    'Phi-3 把 q、k、v 放在一个矩阵里，这里没有对应的适配器：请训练全部权重（去掉 engine.lora），或换别的系列的模型',
  'adapters of … do not suit this model: give …': '{1} 的适配器不适合这个模型：请给出{2}',
  'the adapters in … have …: set engine.lora to what they were trained with, or merge them first with agoge model convert':
    '{1} 里的适配器是 {2}：请把 engine.lora 设成训练它们时的值，或先用 agoge model convert 合并',
  // Configurations and tensors
  '… cannot be loaded: its logits are capped; use a Gemma 3, which has no caps':
    '{1} 无法加载：它的 logits 有上限；请用没有上限的 Gemma 3',
  '… cannot be loaded: …; …': '{1} 无法加载：{2}；{3}',
  'the model config does not describe a network: …; …': '模型的 config 描述的不是一个网络：{1}；{2}',
  '… does not hold the optimizer state of this model (load without it to start AdamW afresh)':
    '{1} 里没有这个模型的优化器状态（不加载它，AdamW 就从头开始）',
  "… cannot be read as plain tensors: …; use the model's safetensors files, or save it again with torch.save(model.state_dict())":
    '{1} 不能作为纯张量读取：{2}；请用模型的 safetensors 文件，或用 torch.save(model.state_dict()) 重新保存',
  'tensor "…" is stored as …: convert it to F32, F16 or BF16 first': '张量“{1}”存为 {2}：请先转换成 F32、F16 或 BF16',
  'numbers of type … cannot be converted: save the model in F32, F16 or BF16 first':
    '{1} 类型的数不能转换：请先把模型存为 F32、F16 或 BF16',
  'tensor "…" in … has shape […], the model asks for […]: use the model that the adapters were trained on':
    '{2} 中张量“{1}”的形状是 [{3}]，模型要求 [{4}]：请用训练这些适配器时的模型',
  'tensor "…" in … is stored as …: use a file with …': '{2} 中张量“{1}”存为 {3}：请用 {4} 的文件',
  'tensor "…" in … is stored as …: convert it to F32, F16 or BF16': '{2} 中张量“{1}”存为 {3}：请转换成 F32、F16 或 BF16',
  'tensor "…" in … has shape […], its config asks for […]: use the config.json that belongs to it':
    '{2} 中张量“{1}”的形状是 [{3}]，config 要求 [{4}]：请用与它配套的 config.json',
  '… is damaged or not a GGUF file: …; download it again': '{1} 已损坏或不是 GGUF 文件：{2}；请重新下载',
  '… is damaged: …; download or save it again': '{1} 已损坏：{2}；请重新下载或保存',
  '"…" should have shape […] by … and …: use the config.json and all files of one checkpoint':
    '按 {3}，“{1}”的形状应为 [{2}]，而它{4}：请用同一个检查点的 config.json 和全部文件',
  '… has no tensor "…": use complete adapters': '{1} 里没有张量“{2}”：请用完整的适配器',
  '… has no tensor "…": use a complete checkpoint': '{1} 里没有张量“{2}”：请用完整的检查点',
  '… has no tensor for "…": use a complete file': '{1} 里没有“{2}”的张量：请用完整的文件',
  'tensor "…" of the adapters holds NaN or infinity: use intact ones': '适配器的张量“{1}”含有 NaN 或无穷大：请用完好的',
  'tensor "…" in … holds NaN or infinity: use an intact checkpoint': '{2} 中的张量“{1}”含有 NaN 或无穷大：请用完好的检查点',
  '… holds a model of … parameters (… layers of …), the engine one of … (… of …): open another engine for it':
    '{1} 里的模型有 {2} 个参数（{3} 层，宽 {4}），引擎的是 {5} 个（{6} 层，宽 {7}）：请另开一个引擎',
  'only weights of the same model can be mixed: open both engines from one policy':
    '只有同一个模型的权重才能混合：请从同一个策略打开两个引擎',
  // Tokenizers and templates
  '… has no complete tokenizer: …; use another file of the model': '{1} 没有完整的分词器：{2}；请用模型的另一个文件',
  '… has … pieces, … scores and … types of them: use a complete file':
    '{1} 有 {2} 个词元、{3} 个分数、{4} 个类型，对不上：请用完整的文件',
  "… has a tokenizer of kind …/…, which is not known: use the model's Hugging Face folder, which has a tokenizer.json":
    '{1} 的分词器是 {2}/{3} 类型，这里不认识：请用模型的 Hugging Face 文件夹，里面有 tokenizer.json',
  '… is not a tokenizer: …; use the tokenizer.json of the model': '{1} 不是分词器：{2}；请用模型的 tokenizer.json',
  '… has a token with the id …; ids lie between 0 and …: use the tokenizer.json of the model':
    '{1} 里有 id 为 {2} 的 token；id 应在 0 到 {3} 之间：请用模型的 tokenizer.json',
  '…: merge … (…) joins no two tokens of the vocabulary to a third; use the tokenizer.json of the model':
    '{1}：第 {2} 条合并规则（{3}）不是把词表中两个 token 合成第三个；请用模型的 tokenizer.json',
  'the tokenizer cannot be built (use a fast tokenizer.json)': '无法构建分词器（请用 fast 版本的 tokenizer.json）',
  'the tokenizer has an empty vocabulary: use the tokenizer.json of the model': '分词器的词表是空的：请用模型的 tokenizer.json',
  'the tokenizer has no token for a part of the text: use one with byte fallback':
    '文本中有一部分在分词器里没有对应的 token：请用带字节回退的分词器',
  '"…" cannot be one token: give words of letters only or digits only': '“{1}”不能作为一个 token：请给出只含字母或只含数字的词',
  "the model's chat template leaves … messages out, so it would never see them: send user and assistant messages only":
    '模型的聊天模板会丢掉 {1} 消息，模型永远看不到：请只发 user 和 assistant 消息',
  'the chat template refused the messages (check their roles and order)': '聊天模板拒绝了这些消息（请检查它们的角色和顺序）',
  'two messages of the assistant follow each other: put what answered the first between them':
    '有两条 assistant 消息相邻：请在中间放上对第一条的回应',
  '… has no chat template: use /v1/completions, or a model that has one':
    '{1} 没有聊天模板：请用 /v1/completions，或换有模板的模型',
  '… has no chat template: send a text as input': '{1} 没有聊天模板：请把文本作为 input 发送',
  'the tokenizer of … has … tokens, its embedding only …: use the tokenizer the model was trained with':
    '{1} 的分词器有 {2} 个 token，而嵌入层只有 {3} 个：请用训练该模型时的分词器',
  // Texts and scores
  'there is nothing to score: give a text of at least one token': '没有可打分的内容：请给出至少一个 token 的文本',
  "a text of … tokens does not fit the model's …: shorten it, or use a model with a longer context":
    '{1} 个 token 的文本超出模型的 {2}：请缩短，或用上下文更长的模型',
  'this is a language model, which gives tokens and no score: train a reward model on it with agoge reward':
    '这是语言模型，只给出 token，不给分数：请用 agoge reward 在它之上训练奖励模型',
  // Where models are
  "the weights of … are on the Tinker server it was trained on, as …: resume the run there, or copy them from that server's checkpoints and name the copy (hf:<folder>)":
    '{1} 的权重在训练它的 Tinker 服务器上，名为 {2}：请在那里续跑，或从那台服务器的检查点复制出来，再指定副本（hf:<folder>）',
  "hf:… is not in … and the hub cannot be reached (connect, or copy the model's folder here and name its path)":
    'hf:{1} 不在 {2} 里，也连不上 hub（请联网，或把模型文件夹复制到这里并给出路径）',
  'the hub does not give hf:… (status …): check the name, or set HF_TOKEN to a token that may read it':
    'hub 没有给出 hf:{1}（状态 {2}）：请检查名字，或把 HF_TOKEN 设为有读取权限的令牌',
  'the hub has no file …: check the name and your access': 'hub 上没有文件 {1}：请检查名字和你的权限',
  'the package … is not installed, so there are no shipped models here: install agoge again without --omit=optional, or npm install … in the version of agoge':
    '没有安装 {1}，所以这里没有自带的模型：请不带 --omit=optional 重新安装 agoge，或按 agoge 的版本 npm install {2}',
  'cannot write … (check its space and rights)': '无法写入 {1}（请检查空间和权限）',
  'cannot save to …, what was there before is unchanged (check its space and rights)':
    '无法保存到 {1}，原有内容没有改变（请检查空间和权限）',
  '… is a model of type "…", which the embedded engine does not know: use one of …':
    '{1} 是“{2}”类型的模型，内嵌引擎不认识：请用其中之一：{3}',
  '… is a model of type "…", which the embedded engine does not know (…): use a text-only Gemma 3 such as google/gemma-3-270m-it or google/gemma-3-1b-it (model_type gemma3_text)':
    '{1} 是“{2}”类型的模型，内嵌引擎不认识（{3}）：请用纯文本的 Gemma 3，例如 google/gemma-3-270m-it 或 google/gemma-3-1b-it（model_type gemma3_text）',
  '… is a mixture of experts ("…"), which the embedded engine does not compute: use a dense model (…), or train this one on a Tinker server':
    '{1} 是混合专家模型（“{2}”），内嵌引擎不能计算：请用稠密模型（{3}），或在 Tinker 服务器上训练它',
  'no model size is called "…": use one of …': '没有叫“{1}”的模型大小：请用其中之一：{2}',
  'no shape is called "…": use one of …': '没有叫“{1}”的形状：请用其中之一：{2}',
  // Checkpoints of others
  'no config.json beside …: give the folder of the model it was trained from with --base':
    '{1} 旁边没有 config.json：请用 --base 给出训练它时的模型的文件夹',
  '… lacks …: copy the files of all ranks into one folder': '{1} 缺少 {2}：请把所有 rank 的文件复制到一个文件夹',
  '… holds FSDP\'s flattened parameters ("…"), which no longer say what they were: save with SHARDED_STATE_DICT, as verl does':
    '{1} 里是 FSDP 展平的参数（“{2}”），已看不出原来是什么：请像 verl 那样用 SHARDED_STATE_DICT 保存',
  '… lacks tensor "…": use shards of one checkpoint': '{1} 缺少张量“{2}”：请用同一个检查点的分片',
  '"…" in … is stored differently on its ranks: use shards of one checkpoint':
    '{2} 中的“{1}”在各 rank 上存法不同：请用同一个检查点的分片',
  'the parts of "…" in … do not make a tensor of shape […]: use the shards of all ranks of one checkpoint':
    '{2} 中“{1}”的各部分拼不成形状 [{3}] 的张量：请用同一个检查点所有 rank 的分片',
  '"…" in … is split over … dimensions of a mesh (FSDP with tensor parallelism): merge it with verl, or save without':
    '{2} 中的“{1}”按 mesh 的 {3} 个维度切分（FSDP 加张量并行）：请用 verl 合并，或不用张量并行保存',
  'nothing at "…": give a folder or a file of a checkpoint': '“{1}”处什么都没有：请给出检查点的文件夹或文件',
  "… has no tensors: give a folder with safetensors, .bin or .pt files, or one of verl's (global_step_…/actor)":
    '{1} 里没有张量：请给出含 safetensors、.bin 或 .pt 文件的文件夹，或 verl 的文件夹（global_step_{2}/actor）',
  '… has no adapter_model.safetensors: use a complete adapter': '{1} 里没有 adapter_model.safetensors：请用完整的适配器',
  "… has no steps: give a run's folder with global_step_… in it, without --steps one step":
    '{1} 里没有任何一步：请给出含 global_step_{2} 的运行文件夹；不加 --steps 时给出某一步',
  '… holds one rank\'s part of "…": give the folder with the files of all ranks (model_world_size_…_rank_….pt)':
    '{1} 里只有“{2}”在一个 rank 上的部分：请给出含所有 rank 文件的文件夹（model_world_size_{3}_rank_{4}.pt）',
  '… has tensor "…" in two files: remove one of them': '{1} 有两个文件都含张量“{2}”：请删除其中一个',
  'cannot open … (check the path)': '无法打开 {1}（请检查路径）',
  'cannot read … (a model folder needs config.json, model.safetensors and tokenizer.json)':
    '无法读取 {1}（模型文件夹需要 config.json、model.safetensors 和 tokenizer.json）',
  "… cannot be used: …; use the model's safetensors files": '{1} 不能用：{2}；请用模型的 safetensors 文件',
  '… is no index of weights: fetch it again': '{1} 不是权重的索引：请重新获取',
  '… names …, which is not in its folder: fetch it again': '{1} 提到的 {2} 不在它的文件夹里：请重新获取',
  '… is no checkpoint of PyTorch: …; fetch it again, or use safetensors':
    '{1} 不是 PyTorch 的检查点：{2}；请重新获取，或用 safetensors',
  'hf:… has no config.json: name a repository with a transformers model':
    'hf:{1} 没有 config.json：请给出含 transformers 模型的仓库',
  '… is a single file: name a folder with tokenizer.json, or hf:owner/name':
    '{1} 是单个文件：请给出含 tokenizer.json 的文件夹，或 hf:owner/name',
  'no model at "…": give a folder with config.json, a .gguf file, or hf:owner/name':
    '“{1}”处没有模型：请给出含 config.json 的文件夹、.gguf 文件，或 hf:owner/name',
};
