/** The scoring rules: a sequence in order, optional goals in any, -1 once the task has failed. */
import { describe, expect, it } from 'vitest';
import type { Agent } from '../things/agent.ts';
import type { Thing } from '../things/thing.ts';
import type { Goal, Verdict } from './goal.ts';
import { GoalSequence } from './sequence.ts';

const nobody = { container: undefined } as unknown as Agent;
const thing = (name: string): Thing => ({ name }) as unknown as Thing;
const [cup, tree] = [thing('cup'), thing('tree')];
/** A goal that the things of a list meet; the word `bad` in a name fails the task. */
const wants = (names: string, rest: Partial<Goal> = {}): Goal => ({
  description: names,
  ...rest,
  check(on): Verdict {
    if (on?.name.includes('bad') === true) return 'failed';
    return on !== undefined && names.split(' ').includes(on.name) ? 'met' : 'open';
  },
});
const check = (goals: GoalSequence, on?: Thing): { on: Thing | undefined } => {
  const focus = { on };
  goals.check(focus, nobody);
  return focus;
};

describe('the sequence', () => {
  it('is worth the share that is met', () => {
    const goals = new GoalSequence([wants('cup'), wants('tree'), wants('cup'), wants('tree')], []);
    expect(goals.score).toBe(0);
    check(goals, cup);
    expect(goals.score).toBe(0.25);
    check(goals, cup);
    expect(goals.score).toBe(0.25);
    check(goals, tree);
    expect(goals.score).toBe(0.5);
    check(goals, cup);
    check(goals, tree);
    expect([goals.score, goals.isCompleted]).toEqual([1, true]);
  });
  it('goes on as long as the same thing meets the next goal', () => {
    const goals = new GoalSequence([wants('cup'), wants('cup tree'), wants('tree')], []);
    check(goals, cup);
    expect(goals.score).toBeCloseTo(2 / 3, 12);
    expect(goals.last).toBe(cup);
  });
  it('waits without a focus', () => {
    const goals = new GoalSequence([wants('cup')], []);
    check(goals);
    expect([goals.score, goals.isCompleted, goals.hasFailed]).toEqual([0, false, false]);
  });
  it('lets go of the focus where a goal says so, and stops there', () => {
    const goals = new GoalSequence([wants('cup', { defocus: true }), wants('cup')], []);
    expect(check(goals, cup).on).toBeUndefined();
    expect(goals.score).toBe(0.5);
  });
  it('does not fail by a later goal before its turn', () => {
    const goals = new GoalSequence([wants('cup'), wants('tree')], []);
    check(goals, cup);
    expect(goals.hasFailed).toBe(false);
  });
});

describe('failing', () => {
  it('is -1, whatever was met before and is met afterwards', () => {
    const goals = new GoalSequence([wants('cup'), wants('tree')], [wants('cup')]);
    check(goals, cup);
    expect(goals.score).toBeGreaterThan(0.5);
    check(goals, thing('bad'));
    expect([goals.score, goals.hasFailed]).toEqual([-1, true]);
    check(goals, tree);
    expect(goals.score).toBe(-1);
  });
  it('cannot come from an optional goal', () => {
    const goals = new GoalSequence([{ description: '', check: () => 'open' }], [wants('cup')]);
    check(goals, thing('bad'));
    expect([goals.score, goals.hasFailed]).toEqual([0, false]);
  });
});

describe('optional goals', () => {
  it('share one step more than the sequence has', () => {
    const goals = new GoalSequence([wants('never'), wants('never'), wants('never')], [wants('cup'), wants('tree')]);
    check(goals, cup);
    expect(goals.score).toBeCloseTo(1 / 4 / 2, 12);
    check(goals, tree);
    expect(goals.score).toBeCloseTo(1 / 4, 12);
    check(goals, tree);
    expect(goals.score).toBeCloseTo(1 / 4, 12);
  });
  it('never lift the score above 1', () => {
    const goals = new GoalSequence([wants('cup')], [wants('cup')]);
    check(goals, cup);
    expect(goals.score).toBe(1);
  });
  it('are met without a focus where they are about something else', () => {
    const around: Goal = { description: '', check: (on) => (on === undefined ? 'met' : 'open') };
    const goals = new GoalSequence([wants('never')], [around]);
    check(goals);
    expect(goals.score).toBe(0.5);
  });
  it('wait for the keys of others, in one look even where those stand behind them', () => {
    const goals = new GoalSequence(
      [wants('never')],
      [
        wants('cup', { after: ['first', 'second'] }),
        wants('cup', { key: 'second', after: ['first'] }),
        wants('cup', { key: 'first' }),
      ],
    );
    check(goals, cup);
    expect(goals.progress.map(({ met, optional }) => [met, optional])).toEqual([
      [false, false],
      [true, true],
      [true, true],
      [true, true],
    ]);
  });
  it('hold up the sequence where it waits for their keys', () => {
    const goals = new GoalSequence([wants('cup', { after: ['key'] })], [wants('tree', { key: 'key' })]);
    check(goals, cup);
    expect(goals.isCompleted).toBe(false);
    check(goals, tree);
    check(goals, cup);
    expect(goals.isCompleted).toBe(true);
  });
});

describe('what is told', () => {
  it('has every goal with whether it is met, and the keys', () => {
    const goals = new GoalSequence([wants('cup', { key: 'held' }), wants('tree')], [wants('stone')]);
    check(goals, cup);
    const lines = goals.report.split('\n');
    expect(lines[0]).toBe('Completed keys: held');
    expect(lines.filter((line) => /^\d\t/.test(line))).toEqual(['0\ttrue\tcup', '1\tfalse\ttree', '0\tfalse\tstone']);
  });
  it('is new after a reset', () => {
    const goals = new GoalSequence([wants('cup')], [wants('cup')]);
    check(goals, thing('bad'));
    goals.reset();
    expect([goals.score, goals.hasFailed, goals.last]).toEqual([0, false, undefined]);
  });
});
