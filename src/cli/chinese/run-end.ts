/** How a run ended: what it did, why, and its best checkpoint, in every combination that there is. */
import { causeText, type StopReason } from '../../run/cause.ts';
import type { Texts } from './translator.ts';

/** English and Chinese, in the order of what is said. */
type Pair = readonly [english: string, chinese: string];

const ends: readonly Pair[] = [
  ['finished after step {n}', '已完成，共 {1} 步'],
  ['stopped after step {n}', '在第 {1} 步之后停止'],
];
const reasons: readonly Pair[] = [
  ['', ''],
  [' (…)', '（{1}）'],
];
const bests: readonly Pair[] = [
  ['', ''],
  ['; best success {n} at step {n}', '；最好的成功率 {1}，在第 {2} 步'],
  [
    '; best success {n} at step {n}, which is not better than {n} before training (step 0)',
    '；最好的成功率 {1}，在第 {2} 步，并不优于训练前的 {3}（第 0 步）',
  ],
  ['; lowest validation loss {n} at step {n}', '；最低验证损失 {1}，在第 {2} 步'],
  ['; nothing was better than the start (success {n}), which is its @best', '；没有比起点（成功率 {1}）更好的，@best 就是起点'],
];

/** Why a run stops before its last step. Numbers that are found again, each different. */
const causes: readonly (readonly [StopReason, chinese: string])[] = [
  [
    { kind: 'no-signal', steps: 77 },
    '最近 {1} 步没有一组的奖励有差别：任务要么全解出，要么全解不出；请换任务，或调高 rollout.samples',
  ],
  [{ kind: 'success', score: 0.5 }, '评测达到 {1}'],
  [{ kind: 'patience', evaluations: 77 }, '最近 {1} 次评测没有更好的'],
  [
    { kind: 'fall', evaluations: 77, from: 0.9, to: 0.5 },
    '成功率从 {1} 降到 {2}，并持续了 {3} 次评测；最好的检查点保留着（@best）',
  ],
  [{ kind: 'minutes', minutes: 77 }, '{1} 分钟已用完'],
  [{ kind: 'minutes', minutes: 0.5 }, '{1} 秒已用完'],
];

export const endTexts: Texts = {
  ...Object.fromEntries(
    ends.flatMap((end) => reasons.flatMap((reason) => bests.map((best) => [end, reason, best].reduce(joined, ['', ''])))),
  ),
  ...Object.fromEntries(causes.map(([cause, chinese]) => [causeText(cause).replace(/\d+(?:\.\d+)?/g, '{n}'), chinese])),
};

/** One behind the other: the values of the second are counted on. */
function joined([english, chinese]: Pair, [more, inChinese]: Pair): Pair {
  const values = [...english.matchAll(/…|\{n\}/g)].length;
  return [english + more, chinese + inChinese.replace(/\{(\d)\}/g, (_, digit: string) => `{${Number(digit) + values}}`)];
}
