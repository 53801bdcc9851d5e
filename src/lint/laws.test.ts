import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { defineEnvironment } from '../envs/define.ts';
import type { Environment, Step } from '../envs/environment.ts';
import { textCraft } from '../envs/textcraft/textcraft.ts';
import { checkLaws, explain, type LawReport } from './laws.ts';
import { shrink } from './shrink.ts';
import { stairs, type Breaks, type Stairs } from './stairs.fixture.ts';

const quick = { cases: 20, memorySteps: 5000 };

async function broken(environment: Environment, options = {}): Promise<Record<string, LawReport>> {
  const reports: Record<string, LawReport> = {};
  for await (const report of checkLaws(environment, { ...quick, ...options })) {
    if (report.violation) reports[report.law] = report;
  }
  return reports;
}

describe('checkLaws', () => {
  it('passes environments that keep them', async () => {
    expect(await broken(stairs())).toEqual({});
    expect(await broken(textCraft(), { expertTasks: 50 })).toEqual({});
  });

  it('lets a world that asks back forget its question', async () => {
    const asks = defineEnvironment({
      name: 'asks',
      splits: { all: 4 },
      instructions: { task: 'Take the apple.', actions: [] },
      start: () => ({ state: { asked: false }, observation: 'Two apples.' }),
      step: (state: { asked: boolean }, action) => {
        const { asked } = state;
        state.asked = action === 'take apple';
        if (state.asked) return { observation: 'Which one, 1 or 2?' };
        const taken = asked && (action === '1' || action === '2');
        return { observation: taken ? 'Taken.' : 'Nothing happens.', reward: taken ? 1 : 0, done: taken };
      },
      solve: ({ asked }) => (asked ? '1' : 'take apple'),
    });
    expect(await broken(asks)).toEqual({});
  });

  let turns = 0;
  const shared: Stairs[] = [];
  const kept: Uint8Array[] = [];
  const purposes: [string, Breaks, RegExp][] = [
    ['contract', { name: 'My Env' }, /not lower case/],
    ['contract', { lenient: true }, /all#-1 is not refused with ENV_UNKNOWN_TASK/],
    [
      'deterministic',
      { step: (_, action, play) => ({ ...play(action), ...(action !== '' && { observation: `turn ${turns++}` }) }) },
      /action 1: .*turn \d+.* and .*turn \d+/,
    ],
    ['independent', { observation: (place) => seenBy(shared, place) }, /opening|action/],
    ['robust', { step: (_, action, play) => (action.length > 500 ? fail('too long') : play(action)) }, /threw too long/],
    ['robust', { step: (place, action, play) => play(action === '' && place.floor > 0 ? 'climb down' : action) }, /instead of/],
    ['ended', { step: (_, action, play) => rewardAgain(play(action)) }, /after the end, .* reward 1/],
    ['expert', { expert: () => ({ next: () => null }) }, /ended after 0 actions with reward 0, unsolved/],
    ['expert', { expert: null }, /has no expert/],
    ['floor', { step: (_, action, play) => ({ ...play(action), ...(action === '' && { reward: 0.5 }) }) }, /silence earned 0.5/],
    [
      'floor',
      { step: (_, action, play) => ({ ...play(action), ...(/^go /.test(action) && { reward: 0.5 }) }) },
      /babbling earned/,
    ],
    [
      'memory',
      // Bytes: texts share what they have in common, and 8,000 characters took one kilobyte.
      { step: (_, action, play) => (kept.push(new Uint8Array(8000)), play(action)) },
      /were kept/,
    ],
  ];
  it.each(purposes)('finds %s broken (%#)', async (law, breaks, detail) => {
    const { [law]: report } = await broken(stairs(breaks));
    shared.length = 0;
    kept.length = 0;
    expect(report && explain(report.violation!)).toMatch(detail);
  });

  it('plays fewer steps of the memory law where they are slow, and closes what it opened', async () => {
    let open = 0;
    const plain = stairs();
    const slow: Environment = {
      ...plain,
      async open(task) {
        const inner = await plain.open(task);
        open++;
        return {
          observation: inner.observation,
          step: async (action) => {
            await sleep(2);
            return inner.step(action);
          },
          [Symbol.asyncDispose]: async () => {
            open--;
            await inner[Symbol.asyncDispose]();
          },
        };
      },
    };
    const some = { cases: 1, expertTasks: 1, memorySteps: 1_000_000, memoryWithin: 100 };
    for await (const { law, checked, violation } of checkLaws(slow, some)) {
      expect(violation).toBeUndefined();
      if (law === 'memory') expect(checked).toMatch(/^\d+ steps, of 1000000 within 0.1 s, /);
    }
    expect(open).toBe(0);
  });

  it('stops when it is told to, although nothing that it plays ever waits', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 10);
    const check = async (): Promise<void> => {
      for await (const { violation } of checkLaws(stairs(), { memorySteps: 2_000_000, signal: stop.signal }))
        expect(violation).toBeUndefined();
    };
    await expect(check()).rejects.toThrow('enough');
  });

  it('shows a counter-example that cannot be much smaller', async () => {
    const { deterministic } = await broken(
      stairs({ step: (_, action, play) => ({ ...play(action), observation: `turn ${turns++}` }) }),
    );
    expect(deterministic?.violation?.actions).toEqual(['']);
    const { robust } = await broken(
      stairs({ step: (_, action, play) => (action.length > 500 ? fail('too long') : play(action)) }),
    );
    expect(robust?.violation?.actions).toHaveLength(1);
    expect(robust?.violation?.actions?.[0]?.length).toBeLessThan(1100);
  });
});

describe('shrink', () => {
  it('keeps only what the failure needs', async () => {
    const needs = async (actions: readonly string[]) => actions.some((a) => a.includes('x')) && actions.includes('b');
    expect(await shrink(['a', 'aaxaa', 'c', 'b', 'd', 'aaxaa'], needs)).toEqual(['b', 'x']);
  });
});

function fail(message: string): Step {
  throw new Error(message);
}

/** An observation that depends on how many other episodes were opened since the last one ended at its start. */
function seenBy(all: Stairs[], place: Stairs): string {
  if (!all.includes(place)) all.push(place);
  const near = all.slice(-2).filter((other) => other !== place && other.steps > 0 && other.steps < place.steps + 2);
  return `floor ${place.floor} of ${place.goal}, ${near.length} others`;
}

function rewardAgain(step: Step): Step {
  return step.done ? { ...step, reward: 1 } : step;
}
