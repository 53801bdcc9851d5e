import { expect, it } from 'vitest';
import { RunningSuccess } from './eval-progress.ts';

it('success while an evaluation runs is marked as what it is: of the episodes that ended first', () => {
  const success = new RunningSuccess(4, []);
  const failed = { kind: 'failed', by: 'policy', error: { code: 'POLICY_ENDPOINT', message: 'gone' } } as const;
  expect(success.add(failed)).toBe('');
  expect(success.add({ kind: 'finished', reward: 1, success: true })).toBe('success 1.000 so far, shortest first');
  expect(success.add({ kind: 'finished', reward: 0, success: false })).toBe('success 0.500 so far, shortest first');
  expect(success.add({ kind: 'truncated', reward: 0, limit: 'turns' })).toBe('success 0.333');
});

it('a resumed evaluation shows the success of all its episodes, those of the first try included', () => {
  const ready = [true, true, false].map((success) => ({
    outcome: { kind: 'finished', reward: Number(success), success } as const,
  }));
  const success = new RunningSuccess(4, ready);
  expect(success.add({ kind: 'truncated', reward: 0, limit: 'turns' })).toBe('success 0.500');
});
