/** Errors of learning, rewards and what judges them: LEARN_…, REWARD_…, SANDBOX_…, SEARCH_…. */
import type { Texts } from '../translator.ts';

export const learnErrors: Texts = {
  // Advantages and losses
  'the estimator … gave … numbers for row … of … tokens: give one advantage and one return per token':
    '估计方法 {1} 对第 {3} 行（{4} 个 token）给出 {2} 个数：请给每个 token 一个优势和一个回报',
  '… has … rewards and a turn that ends at …: give one reward per token':
    '{1} 有 {2} 个奖励，却有一轮在 {3} 处结束：请给每个 token 一个奖励',
  '… has … … and … …: give one of each for every sampled token': '{1} 有 {2} 个 {3}、{4} 个 {5}：请对每个采样的 token 各给一个',
  '"…" is not a threshold: write one number, or low_high such as 0.5_2.0':
    '“{1}”不是阈值：请写一个数，或写成 low_high，例如 0.5_2.0',
  'there is no entry … in a list of …: give lists of equal length, one entry for every sampled token':
    '长 {2} 的列表里没有第 {1} 项：请给出等长的列表，每个采样的 token 一项',
  '… has the … … at …: give a finite number': '{1} 的 {2} 在 {4} 处是 {3}：请给出有限的数',
  'group … has no greedy reward: ReMax plays one greedy episode per task first':
    '第 {1} 组没有贪心奖励：ReMax 要先对每个任务贪心地玩一局',
  'a row of group … has no states: GiGPO needs one for each turn': '第 {1} 组有一行没有状态：GiGPO 每一轮都需要一个',
  'a row of group … has no values: GAE needs a critic, as in algorithm: { name: ppo }':
    '第 {1} 组有一行没有价值：GAE 需要 critic，例如 algorithm: { name: ppo }',
  'grpo_passk compares the best with the second best: set rollout.samples to 2 or more':
    'grpo_passk 要比较最好的和次好的：请把 rollout.samples 设为 2 或更大',
  'there is no estimator "…": choose one of …, or give a file that exports one (./mine.ts)':
    '没有估计方法“{1}”：请从中选一个：{2}，或给出导出估计方法的文件（./mine.ts）',
  'there is no policy loss "…": choose one of …, or give a file that exports one (./mine.ts)':
    '没有策略损失“{1}”：请从中选一个：{2}，或给出导出损失的文件（./mine.ts）',
  // Rewards
  'reward judge needs a model: add model: openai:<name>@http://host:8000/v1':
    '奖励 judge 需要模型：请加上 model: openai:<name>@http://host:8000/v1',
  'reward reward_model needs a model: add model: run:outputs/<reward run>, hf:<folder> or http://host:8000':
    '奖励 reward_model 需要模型：请加上 model: run:outputs/<reward run>、hf:<folder> 或 http://host:8000',
  'reward format: … is no pattern: correct it': '奖励 format：{1} 不是正则：请改正',
  'reward format needs a pattern: add pattern: "<answer>.*</answer>"':
    '奖励 format 需要正则：请加上 pattern: "<answer>.*</answer>"',
  'reward … needs …: add …: 512 (tokens)': '奖励 {1} 需要 {2}：请加上 {3}: 512（token 数）',
  'two parts of the reward are called "…": give one of them a name': '奖励有两个部分都叫“{1}”：请给其中一个另取 name',
  'reward … gave no list of … values: one for each sample': '奖励 {1} 没有给出 {2} 个值的列表：每个样本要有一个',
  'programs are scored against { inputs, outputs, fn_name? }, two lists of texts of the same length: correct reward_model.ground_truth':
    '程序按 { inputs, outputs, fn_name? } 打分，前两个是等长的文本列表：请改正 reward_model.ground_truth',
  'what a function returns is compared with JSON, and … is none: correct reward_model.ground_truth':
    '函数的返回值要与 JSON 比较，而 {1} 不是 JSON：请改正 reward_model.ground_truth',
  'countdown is scored against { target, numbers }: correct reward_model.ground_truth':
    'countdown 按 { target, numbers } 打分：请改正 reward_model.ground_truth',
  'this score compares with a text, the ground truth is …: write reward_model.ground_truth as a text, or choose another score':
    '这种打分要与文本比较，而标准答案是 {1}：请把 reward_model.ground_truth 写成文本，或换一种打分',
  'questions are scored against a text, a list of texts or { target: … }: correct reward_model.ground_truth':
    '问答按一个文本、文本列表或 { target: {1} } 打分：请改正 reward_model.ground_truth',
  '… is a language model, not a reward model: train one on it with agoge reward, or use it as a judge (use: judge)':
    '{1} 是语言模型，不是奖励模型：请用 agoge reward 在它之上训练一个，或让它做评判（use: judge）',
  '… scores one episode at a time: export a function group, or set reward.manager=prime':
    '{1} 一次只给一局打分：请导出函数 group，或设 reward.manager=prime',
  '… gives no tokens to count: rewards by length need a policy that runs on an engine':
    '{1} 没有可计数的 token：按长度的奖励需要在引擎上运行的策略',
  'the reward model at … …: …': '{1} 的奖励模型{2}：{3}',
  'the sandbox at … does not answer (…): see that it runs': '{1} 的沙箱没有响应（{2}）：请检查它是否在运行',
  'the reward threw; correct it': '奖励抛出了异常；请改正',
  // Sandboxes
  'the sandbox cannot start its program (…): install agoge again': '沙箱无法启动它的程序（{1}）：请重新安装 agoge',
  'the request was cancelled by its owner: ask again if it is still wanted': '请求已被发起者取消：如仍需要请重新请求',
  'the sandbox is closed: open another one': '沙箱已关闭：请另开一个',
  'the worker was ended: start another one': '工作进程已被结束：请另起一个',
  'the worker ended by itself (…): try again': '工作进程自己结束了（{1}）：请重试',
  'it needed more than … MiB: ask for less or allow more memory': '它需要的内存超过 {1} MiB：请少要一些，或放宽内存上限',
  'processes cannot be started here: run agoge in Node instead of in a page':
    '这里不能启动进程：请在 Node 中运行 agoge，不要在网页中',
  'running Python needs the package pyodide (14 MB): npm install pyodide@314.0.7':
    '运行 Python 需要 pyodide 包（14 MB）：npm install pyodide@314.0.7',
  'its answer is longer than … bytes: ask for less or allow longer answers':
    '它的回答超过 {1} 字节：请少要一些，或允许更长的回答',
  'the program took longer than … s: allow more time, or count it as failed': '程序超过 {1} 秒：请放宽时限，或算作失败',
  'it took longer than … s: ask for less or allow more time': '它超过 {1} 秒：请少要一些，或放宽时限',
  // Retrieval
  'two documents have the id "…": give every document its own': '有两个文档的 id 都是“{1}”：请给每个文档不同的 id',
  '… gives vectors of … and of … numbers: use one model': '{1} 给出的向量有 {2} 维的，也有 {3} 维的：请只用一个模型',
  '… gives no embeddings (…): check searchqa.embeddings and searchqa.model':
    '{1} 没有给出嵌入（{2}）：请检查 searchqa.embeddings 和 searchqa.model',
  '… did not answer with one embedding per text: is it an OpenAI-compatible server?':
    '{1} 没有对每个文本各回一个嵌入：它是兼容 OpenAI 的服务器吗？',
  '… has no readable …: give a folder with model.onnx, tokenizer.json and config.json':
    '{1} 里没有可读的 {2}：请给出含 model.onnx、tokenizer.json 和 config.json 的文件夹',
  'the index cannot be written to … (…): set searchqa.index to a folder with room':
    '索引无法写入 {1}（{2}）：请把 searchqa.index 设为有空间的文件夹',
  '… does not answer (…): is the retrieval server running there?': '{1} 没有响应（{2}）：检索服务器在那里运行吗？',
  'an index holds … documents and no more: split them': '一个索引最多放 {1} 个文档：请拆开',
};
