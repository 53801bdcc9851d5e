/** Why a run does not learn, in the words that the dashboard has for it: both languages are asked about the same numbers. */
import { diagnosisInChinese, remediesInChinese } from '../../run/diagnosis/chinese.ts';
import type { Diagnosis } from '../../run/diagnosis/diagnosis.ts';
import { diagnosisText, remedies } from '../../run/diagnosis/words.ts';
import type { Texts } from './translator.ts';

/** Numbers that are found again in both sentences, each different. */
const examples: readonly Diagnosis[] = [
  { kind: 'replies-flat', steps: 77, level: 0.31 },
  { kind: 'success-flat', steps: 77, level: 0.31 },
  { kind: 'no-signal', steps: 77 },
  { kind: 'reward-up-success-down', reward: [1.11, 2.22], success: [3.33, 4.44] },
  { kind: 'giving-up', success: [1.11, 2.22], turns: [3.33, 4.44] },
  { kind: 'collapsed', success: [1.11, 2.22], peak: 77 },
  { kind: 'entropy-gone', entropy: 1.1 },
  { kind: 'replies-cut', share: 0.31 },
  { kind: 'context-full', share: 0.31 },
  { kind: 'unreadable', share: 0.31 },
  { kind: 'rate-too-high', kl: 1.1 },
  { kind: 'unlearned', success: [1.11, 2.22] },
];

const number = /\d+(?:\.\d+)?/g;

export const diagnosisTexts: Texts = {
  'not learning, after step {n}: …. Remedy: … (docs/not-learning.md#…)':
    '没有在学习（第 {1} 步之后）：{2}。对策：{3}（docs/not-learning.zh-CN.md#{4}）',
  'not learning: …. Remedy: … (docs/not-learning.md#…)': '没有在学习：{1}。对策：{2}（docs/not-learning.zh-CN.md#{3}）',
  ...Object.fromEntries(examples.map(({ kind }) => [remedies[kind], remediesInChinese[kind]])),
  ...Object.fromEntries(examples.map(formOf)),
};

function formOf(example: Diagnosis): [english: string, chinese: string] {
  const english = diagnosisText(example);
  const places: readonly string[] = english.match(number) ?? [];
  const chinese = diagnosisInChinese(example).replace(number, (found) => `{${String(places.indexOf(found) + 1)}}`);
  return [english.replace(number, '{n}'), chinese];
}
