import { describe, expect, it } from 'vitest';
import { widthOf } from '../../core/width.ts';
import { inChinese } from './catalogue.ts';
import { Translator } from './translator.ts';

const translator = new Translator({
  'there is no folder …: check the name': '没有文件夹 {1}：请检查名字',
  'there is no …: try again': '没有 {1}：请重试',
  'step {n} of …': '{2} 的第 {1} 步',
  'of … runs … failed': '{2} 个失败，共 {1} 个',
  'reward {n}': '奖励 {1}',
  policy: '策略',
  'success [95 %]': '成功率 [95 %]',
});
const say = (text: string): string => translator.text(text);

it('puts values where the Chinese wants them', () => {
  expect(say('there is no folder a b: check the name')).toBe('没有文件夹 a b：请检查名字');
  expect(say('of 7 runs 2 failed')).toBe('2 个失败，共 7 个');
});

it('takes the sentence that says most, and numbers only for numbers', () => {
  expect(say('there is no thing: try again')).toBe('没有 thing：请重试');
  expect(say('step 3 of x')).toBe('x 的第 3 步');
  expect(say('step three of x')).toBe('step three of x');
});

it('keeps what stands around a sentence: indents, arrows, names of programs and codes', () => {
  expect(say('agoge: there is no thing: try again [RUN_NOT_FOUND]')).toBe('agoge: 没有 thing：请重试 [RUN_NOT_FOUND]');
  expect(say('agoge: nobody has translated this [RUN_NOT_FOUND]')).toBe('agoge: nobody has translated this [RUN_NOT_FOUND]');
  expect(say('   → there is no thing: try again')).toBe('   → 没有 thing：请重试');
});

it('translates the values that are sentences, and never a name', () => {
  expect(say('there is no policy: try again')).toBe('没有 policy：请重试');
  expect(say('there is no reward 3: try again')).toBe('没有奖励 3：请重试');
});

it('keeps the columns of a table by the width of Chinese characters', () => {
  const [head = '', row = ''] = say('policy      success [95 %]  reward 0.5\nbase        0.123           x').split('\n');
  expect(head).toBe('策略        成功率 [95 %]   奖励 0.5');
  expect(widthOf(head.slice(0, head.indexOf('奖励')))).toBe(row.indexOf('x'));
  expect(row).toBe('base        0.123           x');
});

it('parts of a line', () => expect(say('reward 0.5 · x')).toBe('奖励 0.5 · x'));

it('says the diagnosis in the words of the dashboard', () => {
  expect(
    inChinese(
      'not learning, after step 40: success fell from 0.80 at step 12 to 0.10. Remedy: divide optimizer.lr by three, or set algorithm.target_kl (docs/not-learning.md#collapsed)',
    ),
  ).toBe(
    '没有在学习（第 40 步之后）：成功率从第 12 步的 0.80 降到 0.10。对策：把 optimizer.lr 除以三，或设置 algorithm.target_kl（docs/not-learning.zh-CN.md#collapsed）',
  );
});

it('is linear: long lines of other words cost nothing', () => {
  expect(say('a '.repeat(20_000))).toBe('a '.repeat(20_000));
});

describe('errors', () => {
  const errors = new Translator(
    { 'reward {n}': '奖励 {1}' },
    {
      'the recipe …: … Correct it': '配方 {1}：{2} 请改正',
      'the model refused it (see its log)': '模型拒绝了它（请看日志）',
      'give …, not …': '请给出{1}，不是 {2}',
      'a whole number': '整数',
      'a list': '列表',
      '… failed': '{1} 失败',
      'set it to …': '请设为{1}',
    },
  );

  it('tell what is behind them: a cause, several findings, the parts of a sentence', () => {
    expect(errors.text('agoge: the model refused it (see its log): socket hang up [POLICY_X]')).toBe(
      'agoge: 模型拒绝了它（请看日志）：socket hang up [POLICY_X]',
    );
    expect(
      errors.text('agoge: the recipe a: b.c: give a whole number, not "x"; d: give a list, not 3. Correct it [CONFIG_X]'),
    ).toBe('agoge: 配方 a：b.c：请给出整数，不是 "x"；d：请给出列表，不是 3。请改正 [CONFIG_X]');
  });

  it('have a space between Chinese and Latin letters, whatever stands there', () => {
    expect(errors.text('x: set it to cuda [ENV_X]')).toBe('x：请设为 cuda [ENV_X]');
    expect(errors.text('x: set it to a list [ENV_X]')).toBe('x：请设为列表 [ENV_X]');
  });

  it('never speak where somebody else does: few words are an error only where there is one', () => {
    expect(errors.text('the door failed')).toBe('the door failed');
    expect(errors.text('a list')).toBe('a list');
    expect(errors.text('the door failed [ENV_X]')).toBe('the door 失败 [ENV_X]');
  });
});
