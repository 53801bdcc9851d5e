import { describe, expect, it } from 'vitest';
import { nextCommand } from '../../cli/commands/doctor/next-command.ts';
import { checkupLines, verdictText } from '../../cli/commands/doctor/print-checkup.ts';
import type { Environment } from '../../envs/environment.ts';
import { RandomPolicy } from '../../policy/random-policy.ts';
import { corridor, corridorWords } from '../fixtures/corridor.fixture.ts';
import { TabularEngine } from '../fixtures/tabular-engine.fixture.ts';
import { checkup, type Checkup, type CheckupOptions } from './checkup.ts';

const engine = (): TabularEngine => new TabularEngine({ words: corridorWords, seed: 1 });

function asked(environment: Environment, given: Partial<CheckupOptions> = {}): CheckupOptions {
  const { signal } = new AbortController();
  return { environment, name: 'corridor', format: 'direct', seconds: 0.5, level: 0.5, signal, ...given };
}

function withoutExpert(): Environment {
  const parts = Object.entries(corridor()).filter(([part]) => part !== 'expert');
  return Object.fromEntries(parts) as unknown as Environment;
}

function lines(found: Checkup): string {
  const text = checkupLines(found).join('\n');
  expect(text).not.toMatch(/NaN|undefined|Infinity/);
  return text;
}

describe('a check-up', () => {
  it('scores the expert turn by turn, plays groups, tries imitation and forecasts', async () => {
    const found = await checkup(engine(), 'base', asked(corridor()));
    if ('missing' in found.expert) throw new Error(found.expert.missing);
    const { before, after, curve, turns } = found.expert;
    expect(turns).toBe(2);
    expect(before.kinds.map(({ kind }) => kind).sort()).toEqual(['left', 'right']);
    expect(after.nats).toBeLessThan(before.nats);
    expect(curve.map(({ nats }) => nats)).toEqual([...curve.map(({ nats }) => nats)].sort((a, b) => b - a));
    expect(found.play.episodes).toBe(8 * found.play.tasks);
    expect(found.play.pass8).toBeGreaterThanOrEqual(found.play.pass1);
    expect(found.words?.broken).toEqual([]);
    expect(lines(found)).toMatch(/pass@1 0\.\d\d, pass@8 .*signal .*expert +2\.0 replies.*next/s);
  });

  it('says what can be said without an expert', async () => {
    const rest = withoutExpert();
    const found = await checkup(engine(), 'base', asked(rest));
    expect(found.expert).toEqual({ missing: 'corridor has no expert (solve)' });
    expect(found.forecast).toEqual({ verdict: 'may-learn', because: 'signal' });
    expect(lines(found)).toMatch(/GRPO has something to learn from/);
    const hopeless = await checkup(engine(), 'base', asked({ ...rest, open: (task) => corridor({ length: 99 }).open(task) }));
    expect(hopeless.forecast).toEqual({ verdict: 'no', because: 'no-signal' });
    expect(verdictText(hopeless)).toMatch(/not from here, because there is no expert to imitate/);
    expect(nextCommand(hopeless)).toMatch(/give the environment an expert/);
  });

  it('only plays where the policy runs elsewhere', async () => {
    const found = await checkup(new RandomPolicy(), 'random', asked(corridor()));
    expect(found.expert).toEqual({ missing: 'the policy runs elsewhere: its replies alone are seen' });
    expect(found.words).toBeNull();
    lines(found);
  });

  it('scores the expert where the policy runs elsewhere and tells log-probabilities, and says why where it does not', async () => {
    const tells = Object.assign(new RandomPolicy(), {
      scoreReply: (messages: readonly { readonly text: string }[], reply: string) =>
        Promise.resolve({ logprobs: [reply === 'right' ? -0.1 : -3, messages.length > 1 ? -0.1 : -0.2] }),
    });
    const found = await checkup(tells, 'openai:x@http://x/v1', asked(corridor()));
    expect(found.expert).toMatchObject({
      turns: 2,
      scores: {
        kinds: [
          { kind: 'left', right: 0 },
          { kind: 'right', right: 1 },
        ],
      },
    });
    expect(lines(found)).toMatch(/it is scored, not taught.*left +\d+ +0 %.*next +ask the same of its weights/s);
    const silent = Object.assign(new RandomPolicy(), { scoreReply: () => Promise.resolve({ missing: 'no echo' }) });
    const unscored = await checkup(silent, 'openai:x@http://x/v1', asked(corridor()));
    expect(unscored.expert).toEqual({
      missing: 'the policy runs elsewhere and does not score replies (no echo): its own alone are seen',
    });
    lines(unscored);
  });

  it('an episode that does not fit into the context is not from here', async () => {
    const small = engine();
    Object.assign(small.model, { context: 6 });
    const found = await checkup(small, 'base', asked(corridor()));
    expect(found.forecast).toEqual({ verdict: 'no', because: 'context' });
    expect(verdictText(found)).toMatch(/tokens and the context 6$/);
  });
});
