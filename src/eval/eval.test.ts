import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToyEnvironment } from '../../tests/fixtures/toy-environment.ts';
import { createFormat } from '../agent/formats/index.ts';
import { defineEnvironment } from '../envs/define.ts';
import { loadEnvironmentFile } from '../envs/load-file.ts';
import type { TaskInfo, TaskSet } from '../envs/environment.ts';
import { ExpertPolicy } from '../policy/expert.ts';
import { RandomPolicy } from '../policy/random-policy.ts';
import { compareScores } from './compare.ts';
import { evaluate, type Evaluation, type EvaluationRequest } from './evaluate.ts';
import { createPanel, panelDifferences, parseTasks } from './panel.ts';
import { compareFolders, readEvaluation } from './read.ts';
import { readPacked } from './store.ts';
import { summaryRows } from './summary-files.ts';
import { comparisonText, evaluationText } from './table.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eval-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const coin = `
const step = () => ({ observation: 'RULE', reward: 0, done: true });
export default {
  name: 'coin', version: '1', splits: ['test'], instructions: { task: '', actions: [] },
  tasks: () => ({ size: 2, info: (index) => ({ category: '', itemId: 'coin_' + index }) }),
  open: () => ({ observation: '?', step, [Symbol.asyncDispose]: async () => undefined }),
};
`;

const expert = { id: 'expert', identity: {}, open: () => Promise.resolve(new ExpertPolicy()) };
const random = { id: 'random', identity: {}, open: () => Promise.resolve(new RandomPolicy()) };

const request = (extra: Partial<EvaluationRequest> = {}, environment = new ToyEnvironment()): EvaluationRequest => ({
  panels: [
    { environment, split: 'test', tasks: parseTasks('all', 20), limits: { turns: 4, tokensPerTurn: 16, stepDeadline: 1000 } },
  ],
  policies: [expert, random],
  format: createFormat('direct'),
  sampling: { temperature: 1 },
  repeats: { samples: 1, seeds: 1, seed: 0 },
  folder,
  stamp: '20261115_120000',
  ...extra,
});

/** What must not depend on how an evaluation came about. */
const essence = ({ scores }: Evaluation): unknown => scores.map((score) => ({ ...score, seconds: 0, retried: {}, usage: {} }));

describe('panels', () => {
  it('are equal when the question is equal, and say what differs when it is not', () => {
    const environment = new ToyEnvironment();
    const format = createFormat('react');
    const a = createPanel(environment, 'test', [3, 1, 2], format, { turns: 5, tokensPerTurn: 9, deadline: 1 });
    expect(createPanel(environment, 'test', [1, 2, 3, 3], format, { turns: 5, tokensPerTurn: 9 }).hash).toBe(a.hash);
    const b = createPanel(environment, 'test', [1, 2], createFormat('react', { fewShot: true }), { turns: 6, tokensPerTurn: 9 });
    expect(b.hash).not.toBe(a.hash);
    expect(panelDifferences(a, b)).toEqual([
      'format: react and react (few-shot)',
      'turns: 5 and 6',
      'tasks: 1 only in the first, 0 only in the second, 2 in both',
    ]);
    expect(() => createPanel(environment, 'test', [20], format, { turns: 5, tokensPerTurn: 9 })).toThrow(/0 to 19/);
  });

  it('read their tasks from the command line', () => {
    expect(parseTasks('0-3,7', 100)).toEqual([0, 1, 2, 3, 7]);
    expect(parseTasks('all', 3)).toEqual([0, 1, 2]);
    expect(parseTasks('all', Infinity)).toHaveLength(100);
    for (const bad of ['', '5-2', 'x', '1;2']) expect(() => parseTasks(bad, 9)).toThrow(/0-99/);
  });
});

describe('evaluate', () => {
  it('a task that cannot start and a step that rejects are failed episodes with their reasons; the others are scored', async () => {
    const environment = defineEnvironment<number>({
      name: 'brittle',
      splits: { test: 4 },
      instructions: 'Say go.',
      start: ({ index }) => {
        if (index === 1) throw new Error('no such level');
        return { state: index, observation: 'ready' };
      },
      step: async (index) => {
        await Promise.resolve();
        if (index === 2) throw new TypeError('bad step');
        return { observation: 'done', reward: 1, done: true };
      },
    });
    const panels = request().panels.map((panel) => ({ ...panel, environment, tasks: [0, 1, 2, 3] }));
    const { scores } = await evaluate(request({ panels, policies: [random], retries: 0 }));
    expect(scores[0]).toMatchObject({ scored: 2, failures: { 'environment AGENT_ENVIRONMENT': 2 }, success: { mean: 1 } });
    const failed = (await readPacked(join(folder, 'episodes.jsonl.gz'))).flatMap(({ record: { task, outcome } }) =>
      outcome.kind === 'failed' ? [`${task}: ${outcome.error.message}`] : [],
    );
    expect(failed).toEqual([
      expect.stringMatching(/^brittle\/test#1: .*no such level/),
      expect.stringMatching(/^brittle\/test#2: .*bad step/),
    ]);
  });

  it('an environment that cannot say what a task is ends nothing either', async () => {
    const toy = new ToyEnvironment();
    const tasks = (split: string): TaskSet => {
      const info = (index: number): TaskInfo => {
        if (index === 3) throw new Error('no row 3');
        return toy.tasks(split).info(index);
      };
      return { ...toy.tasks(split), info };
    };
    const environment = Object.assign(new ToyEnvironment(), { tasks });
    const { scores } = await evaluate(request({ policies: [expert] }, environment));
    expect(scores[0]).toMatchObject({ scored: 20, success: { mean: 1 } });
  });

  it('begins anew beside files of somebody else, which stay, and plays everything again', async () => {
    await evaluate(request());
    await writeFile(join(folder, 'notes.md'), 'mine');
    const environment = new ToyEnvironment();
    let played = 0;
    const onEpisode = (): number => played++;
    await evaluate(request({ fresh: true, stamp: '20261115_130000' }, environment), { onEpisode });
    expect(played).toBe(40);
    expect(await readFile(join(folder, 'notes.md'), 'utf8')).toBe('mine');
    expect((await readdir(join(folder, 'toy/expert')))[0]).toBe('eval_results_20261115_130000.jsonl');
    expect((await readEvaluation(folder)).scores).toHaveLength(2);
  });

  it('beginning anew removes nothing where it cannot begin', async () => {
    await evaluate(request());
    const before = await readdir(folder, { recursive: true });
    const unknown = request({ fresh: true });
    const panels = unknown.panels.map((panel) => ({ ...panel, tasks: [99] }));
    await expect(evaluate({ ...unknown, panels })).rejects.toThrow(/0 to 19/);
    // Another process writes there.
    await writeFile(join(folder, '.owner-2'), JSON.stringify({ pid: process.ppid }));
    await expect(evaluate(request({ fresh: true }))).rejects.toMatchObject({ code: 'RUN_BUSY' });
    await rm(join(folder, '.owner-2'));
    expect(await readdir(folder, { recursive: true })).toEqual(before);
  });

  it('scores, compares, and writes what AgentGym writes', async () => {
    const evaluation = await evaluate(request({ baseline: 'random' }));
    const [best, worst] = evaluation.scores;
    expect(best?.success).toMatchObject({ mean: 1, high: 1, method: 'wilson' });
    expect(best?.success.low).toBeCloseTo(0.8389, 4);
    expect(worst?.success.mean).toBeLessThan(1);
    expect(best?.categories.map(({ name, tasks }) => [name, tasks])).toEqual([
      ['even', 10],
      ['odd', 10],
    ]);
    expect(evaluation.comparisons).toHaveLength(1);
    expect(await readdir(join(folder, 'toy/expert'))).toEqual([
      'eval_results_20261115_120000.jsonl',
      'eval_summary_20261115_120000.txt',
      'eval_task_stats_20261115_120000.json',
    ]);
    const [line] = (await readFile(join(folder, 'toy/expert/eval_results_20261115_120000.jsonl'), 'utf8')).split('\n');
    const result = { item_id: 'toy_0', session_id: 0, sample_idx: 0, reward: 1, success: true, num_turns: 1 };
    expect(JSON.parse(line ?? '')).toMatchObject(result);
    const summary = await readFile(join(folder, 'toy/expert/eval_summary_20261115_120000.txt'), 'utf8');
    expect(summary).toContain('Success Rate: 1.0000 (20/20)');
    expect(await readPacked(join(folder, 'episodes.jsonl.gz'))).toHaveLength(40);
    for (const row of evaluationText(evaluation).split('\n')) expect(row.length).toBeLessThanOrEqual(80);
  });

  it('is a function of its request', async () => {
    const first = await evaluate(request());
    await rm(folder, { recursive: true });
    expect(essence(await evaluate(request({ concurrency: 1 })))).toEqual(essence(first));
  });

  it('gives several samples and seeds their statistics', async () => {
    const evaluation = await evaluate(request({ policies: [random], repeats: { samples: 4, seeds: 2, seed: 3 } }));
    const [score] = evaluation.scores;
    expect(score?.success.method).toBe('bootstrap');
    expect(Object.keys(score?.passAt ?? {})).toEqual(['1', '2', '4', '8']);
    expect(score?.passAt['1']).toBeCloseTo(score?.success.mean ?? 0, 10);
    expect(score?.passAt['8']).toBeGreaterThanOrEqual(score?.passAt['1'] ?? 1);
    expect(score?.passHat['8']).toBeLessThanOrEqual(score?.passHat['1'] ?? 0);
    expect(score?.seeds?.success).toHaveLength(2);
    expect(evaluationText(evaluation)).toMatch(/pass\^k/);
    const seeds = new Set((await readPacked(join(folder, 'episodes.jsonl.gz'))).map(({ record }) => record.seed));
    expect(seeds.size).toBe(160);
  });

  it('plays nothing twice: a second run finds everything there', async () => {
    const first = await evaluate(request());
    const environment = new ToyEnvironment();
    let opened = 0;
    const counting = { ...expert, open: () => Promise.resolve((opened++, new ExpertPolicy())) };
    const again = await evaluate(request({ policies: [counting, random] }, environment));
    expect([environment.opened, opened]).toEqual([0, 0]);
    expect(essence(again)).toEqual(essence(first));
  });

  it('says that the file of an environment has changed since its episodes were played', async () => {
    const file = join(folder, 'coin.mjs');
    const play = async (rule: string): Promise<string[]> => {
      await writeFile(file, coin.replace('RULE', rule));
      const environment = await loadEnvironmentFile(file);
      const panels = request().panels.map((panel) => ({ ...panel, environment, tasks: [0, 1] }));
      const notices: string[] = [];
      const out = join(folder, 'out');
      await evaluate(request({ panels, policies: [random], folder: out }), { onNotice: (text) => notices.push(text) });
      return notices;
    };
    expect(await play('heads')).toEqual([]);
    expect(await play('heads')).toEqual([]);
    expect(await play('tails')).toEqual([
      'the file of coin has changed since 2 of its episodes here were played: where a rule or an observation changed, raise its version, or begin anew with --fresh',
    ]);
  });

  it('goes on after an interruption, and ends with the score of an undisturbed run', async () => {
    const clean = await evaluate(request({ policies: [random] }));
    await rm(folder, { recursive: true });
    const controller = new AbortController();
    let seen = 0;
    const interrupted = evaluate(request({ policies: [random], concurrency: 2, signal: controller.signal }), {
      onEpisode: () => {
        if (++seen === 7) controller.abort(new Error('Ctrl-C'));
      },
    });
    await expect(interrupted).rejects.toThrow(/Ctrl-C/);
    await appendFile(join(folder, 'episodes.jsonl'), '{"v":1,"cut in the mid'); // as a kill would leave it
    const environment = new ToyEnvironment();
    const resumed = await evaluate(request({ policies: [random] }, environment));
    expect(environment.opened).toBeLessThanOrEqual(13);
    expect(essence(resumed)).toEqual(essence(clean));
  });

  it('what was under way when it was interrupted is no result, and no failure either', async () => {
    const controller = new AbortController();
    const environment = new ToyEnvironment({ trouble: (call) => (call === 0 ? undefined : 'hang') });
    const told: string[] = [];
    const interrupted = evaluate(request({ policies: [expert], concurrency: 3, signal: controller.signal }, environment), {
      onEpisode: ({ task, outcome }) => {
        told.push(`${task} ${outcome.kind}`);
        controller.abort(new Error('Ctrl-C'));
      },
    });
    await expect(interrupted).rejects.toThrow(/Ctrl-C/);
    expect(told).toEqual(['toy/test#0 finished']);
    expect((await readFile(join(folder, 'episodes.jsonl'), 'utf8')).trimEnd().split('\n')).toHaveLength(1);
  });

  it('a line of the journal that cannot be read costs its own episode, and no other', async () => {
    const clean = await evaluate(request({ policies: [random] }));
    await rm(folder, { recursive: true });
    const controller = new AbortController();
    let seen = 0;
    const cut = evaluate(request({ policies: [random], concurrency: 2, signal: controller.signal }), {
      onEpisode: () => {
        if (++seen === 7) controller.abort(new Error('Ctrl-C'));
      },
    });
    await expect(cut).rejects.toThrow(/Ctrl-C/);
    const journal = join(folder, 'episodes.jsonl');
    const [first = '', , ...rest] = (await readFile(journal, 'utf8')).split('\n');
    await writeFile(journal, [first, 'not a line of ours', ...rest].join('\n'));
    const notices: string[] = [];
    const environment = new ToyEnvironment();
    const resumed = await evaluate(request({ policies: [random] }, environment), { onNotice: (text) => notices.push(text) });
    expect(notices.join()).toMatch(/1 line cannot be read/);
    expect(environment.opened).toBeLessThanOrEqual(14);
    expect(essence(resumed)).toEqual(essence(clean));
  });

  it('never counts a failure as a zero: says what is missing, and a second run fills it in', async () => {
    const clean = await evaluate(request({ policies: [expert] }));
    await rm(folder, { recursive: true });
    const broken = new ToyEnvironment({ trouble: (call) => (call % 4 === 1 ? 'throw' : undefined) });
    const partial = await evaluate(request({ policies: [expert], retries: 0 }, broken));
    const [score] = partial.scores;
    expect(score?.scored).toBeLessThan(20);
    expect(score?.success.mean).toBe(1);
    expect(score?.bounds).toEqual({ low: (score?.scored ?? 0) / 20, high: 1 });
    expect(Object.keys(score?.failures ?? {})).toEqual(['environment GYM_HTTP']);
    expect(evaluationText(partial)).toMatch(/have no result/);
    expect(essence(await evaluate(request({ policies: [expert] })))).toEqual(essence(clean));
  });

  it('retries within its budget: 2 % of steps failing and 1 % hanging leave the scores of a clean run', async () => {
    const repeats = { samples: 4, seeds: 1, seed: 0 };
    const clean = await evaluate(request({ repeats }));
    await rm(folder, { recursive: true });
    const troubled = new ToyEnvironment({
      trouble: (call) => (call % 50 === 3 ? 'throw' : call % 100 === 17 ? 'hang' : undefined),
    });
    const evaluation = await evaluate(request({ repeats, retries: 40 }, troubled));
    expect(essence(evaluation)).toEqual(essence(clean));
    const retried = evaluation.scores.flatMap((score) => Object.keys(score.retried));
    expect(new Set(retried)).toEqual(new Set(['deadline AGENT_ENVIRONMENT_DEADLINE', 'environment GYM_HTTP']));
  });

  it('does not mistake other weights for the policy of an earlier run', async () => {
    await evaluate(request({ policies: [{ ...expert, identity: { weights: 'a' } }] }));
    const environment = new ToyEnvironment();
    await evaluate(request({ policies: [{ ...expert, identity: { weights: 'b' } }] }, environment));
    expect(environment.opened).toBe(20);
  });
});

describe('comparison', () => {
  it('says what is distinguishable and what is not, and what would be needed', async () => {
    const { scores, panels } = await evaluate(request());
    const [best, worst] = scores;
    const [panel] = panels;
    if (!best || !worst || !panel) throw new Error('no scores');
    const clear = compareScores(worst, panel, best, panel);
    expect(clear.success.test).toBe('mcnemar');
    expect(clear.verdict).toMatch(/^expert solves more tasks than random/);
    const same = compareScores(best, panel, best, panel);
    expect(same.verdict).toBe('not distinguishable (n = 20, p = 1.00); no difference in success was seen');
    const slightly = { ...best, perTask: best.perTask.map((task, at) => (at < 3 ? { ...task, success: [0] } : task)) };
    const unclear = compareScores(slightly, panel, best, panel);
    expect(unclear.verdict).toMatch(/^not distinguishable \(n = 20, p = 0\.25\); about \d+ tasks would be needed/);
  });

  it('refuses different panels and says what differs', async () => {
    await evaluate(request());
    const other = await mkdtemp(join(tmpdir(), 'eval-'));
    await evaluate({ ...request({ format: createFormat('react') }), folder: other });
    await expect(compareFolders(`${folder}#expert`, `${other}#expert`)).rejects.toThrow(/format: direct and react/);
    await expect(compareFolders(folder, other)).rejects.toThrow(/choose one/);
    expect(await compareFolders(`${folder}#random`, `${folder}#expert`)).toHaveLength(1);
    await expect(readEvaluation(join(folder, 'nowhere'))).rejects.toThrow(/no finished evaluation/);
    // One that was interrupted is said to be one, and how it goes on.
    await mkdir(join(folder, 'half'));
    await writeFile(join(folder, 'half', 'episodes.jsonl'), '{}\n');
    for (const read of [readEvaluation, summaryRows])
      await expect(read(join(folder, 'half'))).rejects.toThrow(/half has not ended: run the same agoge eval command again/);
    await rm(other, { recursive: true });
  });

  it('says that two evaluations were sampled differently, unless one of them is not sampled at all', async () => {
    const base = { ...random, id: 'base' };
    await evaluate(request({ policies: [base, random] }));
    const other = await mkdtemp(join(tmpdir(), 'eval-'));
    await evaluate({ ...request({ policies: [base], sampling: { temperature: 0, topP: 0.9 } }), folder: other });
    const [comparison] = await compareFolders(`${folder}#base`, other);
    if (!comparison) throw new Error('nothing compared');
    expect(comparison.sampled).toMatch(/^sampled differently \(temperature: 1 and 0; top-p: none and 0\.9\), so this compares/);
    expect(comparisonText(comparison)).toContain('\nsampled differently (temperature: 1 and 0;');
    expect(comparison).toMatchObject({ a: 'base', b: 'base' });
    for (const [yardstick] of [
      await compareFolders(`${folder}#random`, other),
      await compareFolders(folder + '#base', folder + '#random'),
    ])
      expect(yardstick).not.toHaveProperty('sampled');
    await rm(other, { recursive: true });
  });
});
