/** Errors of Tinker, on both sides: training on such a server, and being one (ENGINE_TINKER_…). */
import type { Texts } from '../translator.ts';

export const tinkerErrors: Texts = {
  // Training on a server
  "the server's answer to … cannot be read: …; is it a Tinker server?":
    '服务器对 {1} 的回答无法读取：{2}；它是 Tinker 服务器吗？',
  "the server's answer does not fit the batch, …: nothing was learned from it": '服务器的回答与批次不符，{1}：没有从中学习',
  'the server saved weights for sampling without a name for them: report it to its makers':
    '服务器保存了采样用的权重，却没有给出名字：请向它的作者报告',
  'the server sampled something that cannot be, …: look at its log': '服务器采样出了不可能的结果，{1}：请看它的日志',
  'a Tinker server tells no entropies: set algorithm.entropy=0': 'Tinker 服务器不给出熵：请设 algorithm.entropy=0',
  '… failed on the server (…): …; mend what it names, then resume the run':
    '{1} 在服务器上失败（{2}）：{3}；请修好它指出的问题，然后续跑',
  'the Tinker server at … has not done … for … s (…): start it, then resume the run':
    '{1} 的 Tinker 服务器 {3} 秒内没有完成 {2}（{4}）：请启动它，然后续跑',
  'the Tinker server at … answered … with 500 … times in a row…; look into its log, start it again, then resume the run':
    '{1} 的 Tinker 服务器对 {2} 连续 {3} 次回答 500{4}；请看它的日志，重新启动，然后续跑',
  'the server refuses … (…)…; set TINKER_API_KEY to a key that it takes':
    '服务器拒绝了 {1}（{2}）{3}；请把 TINKER_API_KEY 设为它接受的密钥',
  'the server refuses … (…)…; see docs/cluster.md': '服务器拒绝了 {1}（{2}）{3}；请看 docs/cluster.zh-CN.md',
  'this server wants its keys exchanged for short-lived ones, which is not known here: use a key it takes as it is':
    '这个服务器要求先把密钥换成短期密钥，这里不支持：请用它直接接受的密钥',
  '… has no …, which names weights on a Tinker server: load it with the embedded engine':
    '{1} 没有 {2}（它记录 Tinker 服务器上的权重）：请用内嵌引擎加载',
  'the server no longer knows …: start the run again from its last checkpoint': '服务器已不认识{1}：请从最后的检查点重新开始运行',
  '…: the server does not keep its weights apart; resume from the last checkpoint, with rollout.staleness=0 or another backend':
    '{1}：服务器没有把两份权重分开；请从最后的检查点续跑，并设 rollout.staleness=0 或换一个后端',
  'a Tinker server has one learning rate for all weights: set optimizer.embedding_rate=1':
    'Tinker 服务器对所有权重只有一个学习率：请设 optimizer.embedding_rate=1',
  "SkyRL's JAX server clips no gradients: set optimizer.clip_norm=0, or use another backend":
    'SkyRL 的 JAX 服务器不裁剪梯度：请设 optimizer.clip_norm=0，或换一个后端',
  'this server computes Adam in bfloat16, where … is 1 and a step makes weights that are no numbers: set optimizer.betas=[0.9,0.95] and start again':
    '这个服务器用 bfloat16 计算 Adam，其中 {1} 会变成 1，一步之后权重就不是数了：请设 optimizer.betas=[0.9,0.95] 重新开始',
  'the server has lost weights it saved…; start it with the database and the folder of checkpoints it had, then resume the run':
    '服务器丢失了它保存的权重{1}；请用它原来的数据库和检查点文件夹启动，然后续跑',
  'a Tinker server knows no min_p: leave it out, or use top_p': 'Tinker 服务器没有 min_p：请去掉，或用 top_p',
  'a Tinker server scores at temperature 1, not …: set rollout.temperature=1':
    'Tinker 服务器按温度 1 打分，不是 {1}：请设 rollout.temperature=1',
  'the server at … has no model "…": set engine.model to one of …':
    '{1} 的服务器没有模型“{2}”：请把 engine.model 设为其中之一：{3}',
  // Being one
  "… has no archive: the weights lie as a Hugging Face folder in the server's checkpoint folder, copy them from there":
    '{1} 没有归档文件：权重以 Hugging Face 文件夹的形式放在服务器的检查点文件夹里，请从那里复制',
  'the body is no JSON: send what the SDK sends': '请求体不是 JSON：请按 SDK 的格式发送',
  'datum …: …; every tensor has one entry per token of model_input':
    '第 {1} 条数据：{2}；每个张量对 model_input 的每个 token 各有一项',
  '… models are open here: end another session, or ask again later': '这里已打开 {1} 个模型：请结束别的会话，或稍后再请求',
  'call … of this model never came, so those behind it were not run: send the calls of a model in order, numbered from 1':
    '这个模型的第 {1} 次调用一直没有到，所以后面的都没有执行：请按顺序发送一个模型的调用，从 1 开始编号',
  'checkpoints are not published from here: they lie as Hugging Face folders in the checkpoint folder of the server, upload one from there':
    '这里不发布检查点：它们以 Hugging Face 文件夹的形式放在服务器的检查点文件夹里，请从那里上传',
  'the lifetime of a checkpoint is set when it is saved: pass ttl_seconds to save_state, or delete the checkpoint':
    '检查点的有效期在保存时设定：请给 save_state 传 ttl_seconds，或删除该检查点',
  'there is no loss "…" here: use one of …': '这里没有损失“{1}”：请用其中之一：{2}',
  'the loss … has no setting "…": …': '损失 {1} 没有设置“{2}”：{3}',
  '… of … is …: give a number': '{2} 的 {1} 是 {3}：请给出数',
  'a Tinker message cannot be read, …: send what the SDK sends': 'Tinker 消息无法读取，{1}：请按 SDK 的格式发送',
  'the optimizer … is not here: use adamw': '这里没有优化器 {1}：请用 adamw',
  'optim_step needs adam_params here: the optimizer is AdamW': 'optim_step 在这里需要 adam_params：优化器是 AdamW',
  '… holds weights for sampling only: load tinker://…/weights/…': '{1} 里只有采样用的权重：请加载 tinker://{2}/weights/{3}',
  '"…" is no checkpoint of a Tinker server: give tinker://<run>/weights/<name> or tinker://<run>/sampler_weights/<name>':
    '“{1}”不是 Tinker 服务器的检查点：请写 tinker://<run>/weights/<name> 或 tinker://<run>/sampler_weights/<name>',
  'call … of this model was another one: number each new call one higher than the last':
    '这个模型的第 {1} 次调用已是另一个调用：每个新调用的编号请比上一个大 1',
  'a … cannot be trained here: only policies (leave model_role out)': '这里不能训练 {1}：只能训练策略（请去掉 model_role）',
  'the prompt is empty: give at least one token': '提示词是空的：请至少给一个 token',
  "token … of the prompt is outside the vocabulary of …: use the model's own tokenizer":
    '提示词的第 {1} 个 token 超出词表大小 {2}：请用模型自己的分词器',
  'topk_prompt_logprobs is …, and at most … tokens of a position are told: ask for fewer':
    'topk_prompt_logprobs 是 {1}，而每个位置最多给出 {2} 个 token：请少要一些',
  'the likeliest tokens beside a sample are not told here: send it as a prompt and ask for topk_prompt_logprobs':
    '这里不随采样给出最可能的 token：请把它作为提示词发送，并要求 topk_prompt_logprobs',
  'target_prompt_logprobs is not known here: ask for prompt_logprobs': '这里没有 target_prompt_logprobs：请要求 prompt_logprobs',
  'this engine does not tell the likeliest tokens: ask for prompt_logprobs':
    '这个引擎不给出最可能的 token：请要求 prompt_logprobs',
  'give either base_model or model_path, to sample the one or the other':
    '请在 base_model 和 model_path 中只给一个，说明采样哪一个',
  'give sampling_session_id, model_path or base_model, to say what to sample':
    '请给出 sampling_session_id、model_path 或 base_model，说明采样哪一个',
  '… cannot be written (look at …)': '{1} 无法写入（请检查 {2}）',
  '… exists: choose another name, or overwrite it': '{1} 已存在：请换一个名字，或覆盖它',
  'the model "…" is not served here: ask for "…"': '这里不提供模型“{1}”：请用“{2}”',
  'there is no … "…" here (any more): create it again': '这里没有（或不再有）{1}“{2}”：请重新创建',
};
