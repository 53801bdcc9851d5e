/** The interface in two languages. A key is the English text itself; Chinese stands beside it, and a missing one is a type error. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

export type Language = 'en' | 'zh';

const chinese = {
  Runs: '运行',
  Play: '试玩',
  Overview: '概览',
  Episodes: '轨迹',
  Evaluations: '评估',
  Recipe: '配置',
  Log: '日志',
  Status: '状态',
  Run: '运行',
  Step: '步数',
  Success: '成功率',
  Trend: '走势',
  Updated: '更新时间',
  running: '运行中',
  finished: '已完成',
  stopped: '已停止',
  failed: '失败',
  unknown: '未知',
  success: '成功',
  truncated: '截断',
  'No runs here yet. Start one with `agoge demo`.': '这里还没有运行。用 `agoge demo` 开始一个。',
  'Some of this run could not be read:': '这个运行有一部分无法读取：',
  Smoothing: '平滑',
  'Horizontal axis': '横轴',
  step: '步',
  tokens: '词元',
  time: '时间',
  'Overlay another run': '叠加另一个运行',
  none: '无',
  'No metrics have been written yet.': '还没有写入指标。',
  'Drag to zoom, double-click to reset.': '拖动放大，双击还原。',
  Reward: '奖励',
  'Episode length': '轨迹长度',
  'KL divergence': 'KL 散度',
  Entropy: '熵',
  Loss: '损失',
  'Gradient norm': '梯度范数',
  Throughput: '吞吐',
  Staleness: '陈旧度',
  Failures: '失败数',
  'Learning rate': '学习率',
  Accuracy: '准确率',
  'All metrics': '所有指标',
  Task: '任务',
  Category: '类别',
  'Played for': '用途',
  training: '训练',
  evaluation: '评估',
  Outcome: '结果',
  Turns: '轮数',
  Tokens: '词元',
  Policy: '策略',
  Sample: '样本',
  'Text contains': '文本包含',
  'Reward at least': '奖励至少',
  any: '不限',
  'No episode matches. Loosen the filter.': '没有符合条件的轨迹，请放宽筛选。',
  'more than was searched': '尚未搜索全部',
  episodes: '条轨迹',
  Previous: '上一条',
  Next: '下一条',
  Conversation: '对话',
  'Token view': '词元视图',
  'Rest of the group': '同组其他样本',
  'Same task elsewhere': '同一任务的其他轨迹',
  'Side by side': '并排对比',
  'Close the comparison': '关闭对比',
  Observation: '观察',
  Thought: '思考',
  Action: '动作',
  'nothing could be read': '无法解析出动作',
  'Colour by': '着色依据',
  'log-probability': '对数概率',
  advantage: '优势',
  mask: '掩码',
  'This episode has no tokens: its policy answers in text.': '这条轨迹没有词元：其策略以文本作答。',
  'Keys: j next, k previous, g group, t tokens.': '按键：j 下一条，k 上一条，g 同组，t 词元。',
  Environment: '环境',
  Interval: '区间',
  'No evaluation has been written yet.': '还没有评估结果。',
  'Episodes behind this number': '这个数字背后的轨迹',
  'What differs from': '与之不同之处',
  'The recipes are equal.': '两份配置相同。',
  Checkpoints: '检查点',
  'No checkpoint has been written yet.': '还没有写入检查点。',
  'Take over from here': '从这里接手',
  'Your action': '你的动作',
  Send: '发送',
  Restart: '重新开始',
  'Save as demonstration': '保存为示范',
  'Saved as': '已保存为',
  'The task is solved.': '任务已完成。',
  'The episode is over.': '本局已结束。',
  Split: '数据划分',
  Number: '编号',
  Start: '开始',
  'Possible actions': '可用动作',
  Score: '得分',
  'Loading…': '加载中…',
  'Something went wrong:': '出错了：',
  'Theme: automatic': '主题：自动',
  'Theme: light': '主题：浅色',
  'Theme: dark': '主题：深色',
  中文: 'English',
  'Follows the run live': '实时跟随运行',
  'Report written': '报告生成于',
  'Parts of the reward': '奖励的组成',
  'so far': '截至目前',
  'There is none.': '没有。',
  'Nothing yet': '还没有东西',
  'The page failed:': '页面出错：',
  Inventory: '物品栏',
  'There is no such page.': '没有这个页面。',
  'Skip to content': '跳到正文',
  Started: '开始时间',
} as const;

export type Phrase = keyof typeof chinese;

export const LanguageContext = createContext<Language>('en');

/** The translator of the chosen language. */
export function usePhrases(): (phrase: Phrase) => string {
  const language = useContext(LanguageContext);
  return (phrase) => (language === 'zh' ? chinese[phrase] : phrase);
}

/** A status or outcome word that came as data. */
export function asPhrase(word: string): Phrase | undefined {
  return word in chinese ? (word as Phrase) : undefined;
}

export function preferredLanguage(): Language {
  const kept = localStorage.getItem('agoge.language');
  if (kept === 'en' || kept === 'zh') return kept;
  return navigator.language.startsWith('zh') ? 'zh' : 'en';
}
