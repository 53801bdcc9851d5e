import { describe, expect, it } from 'vitest';
import { estimateAdvantages } from './advantages/estimator.ts';
import { generalisedAdvantage } from './advantages/gae.ts';
import { importanceWeights, offPolicyMetrics } from './correction.ts';
import { policyLoss, policyLossNames, policyLossOf } from './losses/policy-loss.ts';
import { valueLoss } from './losses/value-loss.ts';
import { at, largest, smallest } from './numbers.ts';
import type { Row } from './rows.ts';
import { pairedBootstrap } from './statistics.ts';
import { Random } from '../core/random/random.ts';

const row = (more: Partial<Row>): Row => ({ group: '7', rewards: [0, 0, 1], turnEnds: [3], ...more });
const code = (what: string) => expect.objectContaining({ code: what }) as Error;

describe('what is missing is an error by name, never a zero', () => {
  it('a place outside a list', () => {
    expect(() => at([1, 2], 2)).toThrow('there is no entry 2 in a list of 2');
    expect(() => at(new Float32Array(0), 0)).toThrow(code('LEARN_MISSING'));
  });

  it.each(policyLossNames)('a short old array: %s', (name) => {
    const short = { logprobs: [-1, -1, -1], old: [-1, -1], advantages: [1, 1, 1] };
    expect(() => policyLoss(policyLossOf(name), short, { clip: [0.2, 0.2] })).toThrow(
      'a row has 3 log-probabilities and 2 old log-probabilities',
    );
    const few = { logprobs: [-1, -1, -1], old: [-1, -1, -1], advantages: [1] };
    expect(() => policyLoss(policyLossOf(name), few, { clip: [0.2, 0.2] })).toThrow('3 log-probabilities and 1 advantages');
  });

  it('a loss of a user that forgets a token', () => {
    const forgetful = {
      name: 'mine',
      loss: () => ({ loss: new Float64Array(2), gradient: new Float64Array(3), clipped: 0, clippedLower: 0 }),
    };
    const whole = { logprobs: [-1, -1, -1], old: [-1, -1, -1], advantages: [1, 1, 1] };
    expect(() => policyLoss(forgetful, whole, { clip: [0.2, 0.2] })).toThrow(
      'the loss mine has 3 log-probabilities and 2 losses',
    );
  });

  it('a missing value', () => {
    expect(() => estimateAdvantages('gae', [row({})])).toThrow(code('LEARN_NO_VALUES'));
    expect(() => estimateAdvantages('gae', [row({ values: [0, 0] })])).toThrow('a row of group 7 has 3 rewards and 2 values');
    expect(() => generalisedAdvantage([row({ values: [0, 0] })])).toThrow(code('LEARN_MISSING'));
    expect(() => valueLoss({ values: [1, 2], old: [1], returns: [1, 2] }, 0.5)).toThrow(code('LEARN_BAD_LENGTH'));
  });

  it('a missing reward', () => {
    const holes = [0, undefined, 1] as unknown as number[];
    expect(() => estimateAdvantages('grpo', [row({ rewards: holes })])).toThrow('a row of group 7 has the reward undefined at 1');
    expect(() => estimateAdvantages('grpo', [row({ rewards: [0, NaN, 1] })])).toThrow(code('LEARN_NOT_A_NUMBER'));
    expect(() => estimateAdvantages('grpo', [row({ turnEnds: [2, 5] })])).toThrow('a turn that ends at 5');
    expect(() => estimateAdvantages('remax', [row({})])).toThrow(code('LEARN_NO_BASELINE'));
    expect(() => estimateAdvantages('gigpo', [row({})])).toThrow(code('LEARN_NO_STATES'));
  });

  it('unequal pairs and samplers', () => {
    expect(() => pairedBootstrap([1, 2], [1], Random.of(1, 'x'))).toThrow('2 scores of a and 1 scores of b');
    expect(() => offPolicyMetrics([{ train: [-1, -2], sampler: [-1] }])).toThrow(code('LEARN_BAD_LENGTH'));
  });
});

it('the extremes of a batch of any size', () => {
  const many = new Float64Array(300_000).map((_, i) => (i * 7919) % 300_007);
  expect(largest(many)).toBe(300_006);
  expect(smallest(many)).toBe(0);
  const long = Array.from({ length: 200_000 }, () => -1);
  const { metrics } = importanceWeights([{ train: long, sampler: long }], { level: 'token', threshold: 2 });
  expect(metrics['rollout_corr/rollout_is_max']).toBe(1);
});
