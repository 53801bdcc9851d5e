import { expect, it } from 'vitest';
import { RunningSuccess, TimeLeft } from './eval-progress.ts';

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

it('what is left is told by the replies played, before an episode has ended', () => {
  const left = new TimeLeft(10, 6);
  const now = performance.now();
  expect(left.text(now + 1000)).toBe('');
  expect(left.text(now + 10_000)).toBe('');
  for (let i = 0; i < 20; i++) left.turn();
  // 20 of at most 60 replies in 100 s.
  expect(left.text(now + 100_000)).toBe(' · 3 min left at most');
  for (let i = 0; i < 9; i++) left.episode();
  expect(left.text(now + 100_000)).toBe(' · 12 s left at most');
  left.episode();
  expect(left.text(now + 100_000)).toBe('');
});
