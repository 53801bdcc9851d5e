/** Errors of data files and evaluations: DATA_…, EVAL_…. */
import type { Texts } from '../translator.ts';

export const dataErrors: Texts = {
  '…: row … is not UTF-8 text: save the file as UTF-8': '{1}：第 {2} 行不是 UTF-8 文本：请把文件存为 UTF-8',
  '…: row 1 is UTF-16 text: save the file as UTF-8': '{1}：第 1 行是 UTF-16 文本：请把文件存为 UTF-8',
  '…: row … is not JSON (…): correct or remove it': '{1}：第 {2} 行不是 JSON（{3}）：请改正或删除',
  '…: there is text that is not JSON …: remove it': '{1}：有不是 JSON 的文字 {2}：请删除',
  '… is not a whole parquet file (…): it is cut off, damaged or of another kind; copy or write it again':
    '{1} 不是完整的 parquet 文件（{2}）：被截断、损坏或不是这种文件；请重新复制或写出',
  '…: …: …: the file is damaged; copy or write it again': '{1}：{2}：{3}：文件已损坏；请重新复制或写出',
  '…: row … is not a row of … (…)…': '{1}：第 {2} 行不是 {3} 的数据行（{4}）{5}',
  '… has no score from 0 to 1: each row is { prompt, answer, score } or { prompt, chosen, rejected }':
    '{1} 没有 0 到 1 的分数：每行应为 { prompt, answer, score } 或 { prompt, chosen, rejected }',
  '… holds tasks, … holds conversations: play the tasks with "agoge data sample" or "agoge data demonstrate"':
    '{1} 里是任务，{2} 里是对话：请用 "agoge data sample" 或 "agoge data demonstrate" 玩这些任务',
  '… has no tokens, which episodes need: play the tasks with "agoge data sample"':
    '{1} 没有 token，而 episodes 需要：请用 "agoge data sample" 玩这些任务',
  'a row has no item_id, so no task can be asked for: convert a file that has item ids':
    '有一行没有 item_id，不知道是哪个任务：请转换带 item id 的文件',
  '"…" is of the split … of …, whose tasks have no number on a server: convert tasks of its other splits':
    '“{1}”属于 {3} 的划分 {2}，其任务在服务器上没有编号：请转换其他划分的任务',
  '"…" has no number that names a task: use ids such as textcraft_17': '“{1}”没有表示任务的编号：请用 textcraft_17 这样的 id',
  'a row has no item_id: only rows that name their task can become a list of ids':
    '有一行没有 item_id：只有写明任务的行才能变成 id 列表',
  'a row cannot be written as …: …': '有一行不能写成 {1}：{2}',
  '… cannot be written: check that its folder exists and is writable': '{1} 无法写入：请检查其文件夹是否存在、可写',
  '… could not be written and was left as it was; … and run again': '{1} 无法写入，保持原样；{2}，然后重试',
  'the thread that compresses ended; run again': '压缩线程结束了；请重新运行',
  '… cannot be written: check that its folder is writable': '{1} 无法写入：请检查其文件夹是否可写',
  '… changed while it was read (row …): wait until its writer has finished and run again':
    '{1} 在读取时被修改（第 {2} 行）：请等写入者完成后再运行',
  '… changed while it was read: wait until its writer has finished and run again': '{1} 在读取时被修改：请等写入者完成后再运行',
  '… holds no pairs: name a file that has some': '{1} 里没有偏好对：请换一个有的文件',
  '… holds no rows: check that it is the file you meant': '{1} 里没有数据行：请检查是不是你要的文件',
  'there are no .json, .jsonl or .parquet files in …: name a folder that has some':
    '{1} 里没有 .json、.jsonl 或 .parquet 文件：请换一个有的文件夹',
  '… has … rows, too few to split: name a larger file': '{1} 只有 {2} 行，太少，分不开：请换一个更大的文件',
  'all rows of … are of one item, which stays together: split by rows instead':
    '{1} 的所有行属于同一 item，要放在一起：请改为按行划分',
  '… holds no tasks of …, only of …: name that environment': '{1} 里没有 {2} 的任务，只有 {3} 的：请写那个环境',
  '… holds no tasks…: check that it is the file you meant': '{1} 里没有任务{2}：请检查是不是你要的文件',
  '… has … tasks, none from … to …: correct from and to': '{1} 有 {2} 个任务，没有 {3} 到 {4} 的：请改正 from 和 to',
  '… holds no conversation of a model (of … records … are something else): give chat completions as { request, response }, or spans with messages in their attributes':
    '{1} 里没有模型的对话（{2} 条记录中 {3} 条是别的东西）：请给出 { request, response } 形式的聊天补全，或属性中带消息的 span',
  'of … conversations none earned …: lower --min-reward, or judge them by another --reward':
    '{1} 个对话中没有一个达到 {2}：请调低 --min-reward，或换一个 --reward 评判',
  'no conversation could be judged (…): correct the reward and try again': '没有一个对话能被评判（{1}）：请改正奖励后重试',
  'no rows to write to …: …; nothing was written': '没有可写到 {1} 的行：{2}；什么都没有写',
  '… holds no rows: give a gold set with some': '{1} 里没有数据行：请给出有数据的标准答案集',
  '… asks for the format …, and replies are read as …, so none would be understood.\n  the prompt says: …\n  … reads: …\n…':
    '{1} 要求的格式是 {2}，而回复按 {3} 解析，这样一条也读不懂。\n  提示词说：{4}\n  {5} 读取：{6}\n{7}',
  'the prompts of the rows ask for different formats: …. Give the rows of each format a file and a run of their own, or set agent.prompt=null and agent.format to ask all in one':
    '各行的提示词要求不同的格式：{1}。请把每种格式的行分成各自的文件和运行，或设 agent.prompt=null 并用 agent.format 统一提问',
  '… unpacks to more than … times its size, as files do that are made to fill a machine: unpack it yourself (gunzip -k) and name the plain file':
    '{1} 解压后超过原来的 {2} 倍，像是用来撑满机器的文件：请自己解压（gunzip -k），再给出解压后的文件',
  '… episodes failed and … were not begun: run the same command again to play only those':
    '{1} 局失败，{2} 局没有开始：再次运行同一命令，只补这些',
  '… is a Git LFS pointer, not the data: fetch it with "git lfs pull"': '{1} 是 Git LFS 指针，不是数据：请用 "git lfs pull" 取回',
  'row … does not fit the columns of the rows before it (…): convert rows of different kinds separately':
    '第 {1} 行与前面各行的列不符（{2}）：请把不同种类的行分开转换',
  '… holds a …, which parquet has no column for: remove the field': '{1} 里有 {2}，parquet 没有这种列：请删除该字段',
  '… is a … in some rows and a … in others: a parquet column holds one kind; convert the rows separately':
    '{1} 在有些行是 {2}，在另一些行是 {3}：parquet 的一列只能是一种；请分开转换',
  '…: row … is a task without a conversation: play it first with "agoge data sample" or "agoge data demonstrate"':
    '{1}：第 {2} 行是没有对话的任务：请先用 "agoge data sample" 或 "agoge data demonstrate" 玩它',
  '… cannot be read: check the name and its permissions': '{1} 无法读取：请检查名字和权限',
  '… does not exist: check the name': '{1} 不存在：请检查名字',
  '…: row … has no item_id: remove duplicates by words instead': '{1}：第 {2} 行没有 item_id：请改为按内容去重',
  'the row has no item_id: the maze cannot tell where it began': '这一行没有 item_id：不知道迷宫从哪里开始',
  'the first observation does not show commands and a goal: it is not TextCraft': '第一条观察里没有命令和目标：这不是 TextCraft',
  'the row has no item_id: BabyAI cannot tell which level it was': '这一行没有 item_id：不知道是 BabyAI 的哪一关',
  'the row has no item_id: WebShop cannot tell which goal it was': '这一行没有 item_id：不知道是 WebShop 的哪个目标',
  'webshop_… is not a task of this catalogue': 'webshop_{1} 不是这个商品目录的任务',
  '…: row … names no task: it needs an item_id such as webshop_17, or extra_info.interaction_kwargs with name and session_id…':
    '{1}：第 {2} 行没有写明任务：需要 webshop_17 这样的 item_id，或带 name 和 session_id 的 extra_info.interaction_kwargs{3}',
  '… holds the start of another request (other policy, format, sampling or seed): finish that one, or drop it with --force':
    '{1} 里是另一个请求的开头（策略、格式、采样或种子不同）：请先完成它，或用 --force 丢弃',
  '… exists: name another output, or replace it with --force': '{1} 已存在：请换一个输出，或用 --force 替换',
  '…: …: the file is cut off; copy it again or cut it back to whole rows': '{1}：{2}：文件被截断；请重新复制，或截到完整的行',
  '…: row 1 (…) is in no format known here: name one with --from, or see "agoge data --help" for the list':
    '{1}：第 1 行（{2}）不是这里认识的格式：请用 --from 指定，列表见 "agoge data --help"',
  '… cannot be read after row …; copy it again': '{1} 在第 {2} 行之后无法读取；请重新复制',
  'the baseline … is not among the policies: name it with --policy too': '基准 {1} 不在策略之中：请也用 --policy 写上',
  'the evaluation was cancelled; run it again to go on': '评测已取消；再次运行即可继续',
  'episodes can no longer be written to …; … and run the same command again to go on':
    '无法再把各局写入 {1}；{2}，再运行同一命令即可继续',
  'the evaluation failed': '评测失败',
  '… holds …, not an evaluation: nothing was changed; choose another folder with --out':
    '{1} 里是 {2}，不是评测：什么都没有改动；请用 --out 换一个文件夹',
  '… episodes have no result: run the same command again to redo only those (see …/logs)':
    '{1} 局没有结果：再次运行同一命令，只重做这些（见 {2}/logs）',
  '… judged none of … rows (…): choose another judge': '{1} 对 {2} 行都没有给出评判（{3}）：请换一个评判模型',
  'no task has a score in both evaluations: run them again to fill the gaps': '没有任务在两次评测中都有分数：请再运行一次补齐',
  'one of the evaluations has no scores: run it to its end first': '其中一次评测没有分数：请先跑完它',
  'there is no …: give the folders that agoge eval, train or sft wrote': '没有 {1}：请给出 agoge eval、train 或 sft 写出的文件夹',
  '… has … scores here: name one of …': '{1} 在这里有 {2} 个分数：请从中选一个：{3}',
  'these scores answer different questions (…): evaluate both on one panel':
    '这两个分数回答的不是同一个问题（{1}）：请在同一面板上评测',
  '…/… has tasks 0 to …, not …: choose others with --tasks': '{1}/{2} 的任务是 0 到 {3}，没有 {4}：请用 --tasks 另选',
  '…/… has no tasks: choose another split with --split': '{1}/{2} 没有任务：请用 --split 选别的划分',
  'the split has … tasks, too many for one evaluation: choose some with --tasks 0-99':
    '这个划分有 {1} 个任务，一次评测太多：请用 --tasks 0-99 选一些',
  'no tasks of …/… were chosen: name some with --tasks': '没有选中 {1}/{2} 的任何任务：请用 --tasks 指定',
  '"…" names no tasks: write numbers and ranges, for example 0-99 or 3,5,7-9':
    '“{1}”没有表示任何任务：请写编号和范围，例如 0-99 或 3,5,7-9',
  '"…" names more than … tasks: write a smaller range': '“{1}”超过 {2} 个任务：请写小一些的范围',
  'the evaluation in … has not ended: …': '{1} 中的评测还没有结束：{2}',
  'there is no finished evaluation at …: give the folder that agoge eval wrote':
    '{1} 没有已完成的评测：请给出 agoge eval 写出的文件夹',
  '… is not an evaluation of this version (…): evaluate again': '{1} 不是本版本的评测（{2}）：请重新评测',
  '… holds no episodes: check that the evaluation was finished': '{1} 里没有任何一局：请检查评测是否已完成',
  '… is not whole JSON: leave it out, or fetch the file again': '{1} 不是完整的 JSON：请去掉它，或重新取得文件',
  '… is no episode (…): give item_id, reward and success': '{1} 不是一局的记录（{2}）：请给出 item_id、reward 和 success',
  '… is neither an evaluation nor a run: give the folders that agoge eval, train or sft wrote, or one with eval_results_….jsonl':
    '{1} 既不是评测也不是运行：请给出 agoge eval、train 或 sft 写出的文件夹，或含 eval_results_{2}.jsonl 的文件夹',
  '… tasks could not be played or judged and have no score: see …/error.txt, then run the same command again':
    '{1} 个任务无法进行或评判，没有分数：请看 {2}/error.txt，再运行同一命令',
  'task … broke; report this': '任务 {1} 出错；请报告',
  '… has the policies …: choose one, for example …#…': '{1} 里有这些策略：{2}；请选一个，例如 {3}#{4}',
  'no level': '没有这一关',
  '…: row …: …': '{1}：第 {2} 行：{3}',
  '…: row … has no "…": …': '{1}：第 {2} 行没有“{3}”：{4}',
  '…: row … does not say what "…" answers: …': '{1}：第 {2} 行没有说明“{3}”回答的是什么：{4}',
  '…: row … ends "…" without a reply: …': '{1}：第 {2} 行的“{3}”最后没有回复：{4}',
  '…: row … has not two sides: …': '{1}：第 {2} 行没有两个部分：{3}',
};
