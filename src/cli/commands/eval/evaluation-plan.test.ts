import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluatedPolicies, evaluationRequest } from '../../../eval/evaluation-request.ts';
import { createPanel } from '../../../eval/panel.ts';
import { limitsOf } from '../../../eval/request-panels.ts';
import { evaluate } from '../../../library/evaluate.ts';
import { evaluationChoices, evaluationPlan, namedEnvironments, openEnvironments, type EvalOptions } from './evaluation-plan.ts';

const options: EvalOptions = {
  policy: ['expert', 'random'],
  split: 'test',
  tasks: '0-2',
  samples: 2,
  seeds: 1,
  seed: 7,
  temperature: 0,
  concurrency: 4,
  retries: 1,
  stepTimeout: 60,
  replyTimeout: 300,
  server: [],
  set: [],
};
const { signal } = new AbortController();

async function requestFor(names: readonly string[], more: Partial<EvalOptions> = {}) {
  const asked = { ...options, ...more };
  const plan = await evaluationPlan(names, asked);
  await using opened = openEnvironments(plan, asked, { signal, notice: () => undefined });
  return await evaluationRequest(() => namedEnvironments(plan, opened), await evaluationChoices(asked, plan, signal));
}

describe('the request of agoge eval', () => {
  it('has a panel for each environment, each policy once, and what the options say', async () => {
    const request = await requestFor(['textcraft', 'wordle'], { policy: ['expert', 'expert'], topP: 0.9 });
    expect(request.panels.map(({ environment, split, tasks }) => [environment.name, split, tasks])).toEqual([
      ['textcraft', 'test', [0, 1, 2]],
      ['wordle', 'test', [0, 1, 2]],
    ]);
    expect(request.policies.map(({ id }) => id)).toEqual(['expert']);
    expect(request).toMatchObject({
      sampling: { temperature: 0, topP: 0.9 },
      repeats: { samples: 2, seeds: 1, seed: 7 },
      concurrency: 4,
    });
    expect(request.sampling).not.toHaveProperty('topK');
  });

  it('is the one that a program makes: the same tasks, limits and sampling', async () => {
    const request = await requestFor(['wordle'], { policy: ['expert'], tasks: '0-1', samples: 1, seed: 0, temperature: 1 });
    const folder = mkdtempSync(join(tmpdir(), 'agoge-eval-plan-'));
    try {
      const { panels, sampling, repeats } = await evaluate('wordle', { policies: ['expert'], tasks: '0-1', folder });
      expect(panels.map(({ hash }) => hash)).toEqual(
        request.panels.map((one) => createPanel(one.environment, one.split, one.tasks, request.format, one.limits).hash),
      );
      expect({ sampling, repeats }).toEqual({ sampling: request.sampling, repeats: request.repeats });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('goes to one folder for one request, whatever is asked beside it', async () => {
    const { folder } = await requestFor(['textcraft']);
    expect(folder).toMatch(/^outputs.eval-[0-9a-f]{8}$/);
    expect((await requestFor(['textcraft'], { concurrency: 1, json: true })).folder).toBe(folder);
    expect((await requestFor(['textcraft'], { seed: 8 })).folder).not.toBe(folder);
    expect((await requestFor(['textcraft'], { out: join('a', 'b') })).folder).toBe(join('a', 'b'));
  });

  it('gives settings to the environment they name, and refuses those of another', async () => {
    const [panel] = (await requestFor(['textcraft'], { set: ['textcraft.edition=2024'] })).panels;
    const [plain] = (await requestFor(['textcraft'])).panels;
    expect(panel?.environment.version).not.toBe(plain?.environment.version);
    await expect(requestFor(['textcraft'], { set: ['wordle.words=5'] })).rejects.toThrow(/not among textcraft/);
  });

  it('limits episodes by the options, else by what is usual, never beyond what a server allows', async () => {
    const [panel] = (await requestFor(['textcraft'])).panels;
    if (!panel) throw new Error('one environment, one panel');
    const { environment } = panel;
    const usual = limitsOf(environment, {}, options);
    expect(limitsOf(environment, { turns: 3, stepDeadline: 5 }, options)).toMatchObject({ turns: 3, stepDeadline: 5 });
    expect(limitsOf(environment, { turns: 10_000 }, options).turns).toBe(usual.turns);
    expect(limitsOf(environment, { turns: 3 }, { ...options, maxTurns: 9, maxTokens: 11 })).toMatchObject({
      turns: 9,
      tokensPerTurn: 11,
    });
    expect(usual).not.toHaveProperty('context');
  });
});

it('evaluates the base policy where none is named, and the baseline beside those that are', () => {
  expect(evaluatedPolicies({})).toEqual(['base']);
  expect(evaluatedPolicies({ policies: ['random'], baseline: 'expert' })).toEqual(['expert', 'random']);
  expect(evaluatedPolicies({ policies: ['random', 'expert'], baseline: 'expert' })).toEqual(['random', 'expert']);
});
