/** A study without its processes: what plans are refused, and what the table says of small files whose answers are known. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { armRuns, plannedRuns, type ArmRuns } from './arm-runs.ts';
import { checkPanels } from './check-panels.ts';
import { curvesSvg } from './curves.ts';
import { studyTable } from './gains.ts';
import { madeOn } from './made-on.ts';
import { pageText, tablesText } from './page.ts';
import { checkMadeFrom, writeMadeFrom } from './made-from.ts';
import { evaluationArgs } from './panel-scores.ts';
import { readPlan, type PanelPlan } from './plan.ts';
import { policyFile, readSmall, readStudy, runFile, writeSmall, type Finished, type Scores, type StudyFacts } from './results.ts';
import { StudyWork } from './study-work.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-study-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const whole = `
study: mine
seeds: [1, 2]
environments:
  maze: { panels: { fresh: { split: generated-test, tasks: 10 } } }
arms:
  start: { recipe: sft.yaml, set: [steps=2] }
  rl: { recipe: '{env}-grpo.yaml', after: start, choose: { over: { optimizer.lr: [1e-4, 3e-4] } } }
compare: [[start, rl]]
`;
const sft =
  'run: a\ndata: { source: experts, experts: [{ env: maze, split: generated }] }\nevaluate: { at_end: false }\nminutes: 3\n';
const rl = 'run: b\ntasks: [{ env: maze, split: generated }]\nsteps: 4\n';
await writeFile(join(folder, 'sft.yaml'), sft);
await writeFile(join(folder, 'maze-grpo.yaml'), rl);

async function planOf(text: string): Promise<Awaited<ReturnType<typeof readPlan>>> {
  const path = join(folder, 'plan.yaml');
  await writeFile(path, text);
  return readPlan(path);
}

describe('a plan', () => {
  it('comes to a run for each arm, seed and environment, those that others begin with first', async () => {
    const plan = await planOf(whole);
    const runs = await armRuns(plan);
    expect(runs.map(({ arm, command, cells, policy, minutes }) => [arm, command, cells.length, policy, minutes])).toEqual([
      ['start', 'sft', 1, 'base', 3],
      ['rl', 'train', 2, undefined, null],
    ]);
    const planned = await plannedRuns(plan, runs, join(folder, 'none'));
    expect(planned.map(({ arm, seed, state, trials, minutes }) => [arm, seed, state, trials, minutes])).toEqual([
      ['start', 1, 'to do', 0, 3],
      ['start', 2, 'to do', 0, 3],
      ['rl', 1, 'to do', 1, undefined],
      ['rl', 2, 'to do', 0, undefined],
    ]);
  });

  it.each([
    [
      'a misspelt arm',
      whole.replace('after: start', 'after: strat'),
      /arms\.rl\.after names the arm "strat": did you mean "start"/,
    ],
    ['a misspelt arm that is compared', whole.replace('[[start, rl]]', '[[start, lr]]'), /compare names the arm "lr"/],
    ['settings of no arm', whole.replace('{ panels', '{ set: { r: [a=1] }, panels'), /environments\.maze\.set names the arm "r"/],
    ['an arm after itself', whole.replace('after: start', 'after: rl'), /rl comes after itself/],
    ['a seed twice', whole.replace('[1, 2]', '[1, 1]'), /a seed twice/],
    ['a key that is unknown', whole.replace('seeds:', 'seed:'), /CONFIG_STUDY|seeds/],
    ['a name that is no folder', whole.replace('  rl:', '  ../rl:').replace('[[start, rl]]', '[]'), /letters, digits/],
  ])('is refused with %s', async (_what, text, message) => {
    await expect(planOf(text)).rejects.toThrow(message);
  });

  it.each([
    ['seed=4', /arms\.rl sets seed, which the study gives itself: name seeds below seeds:/],
    ['+run=other', /arms\.rl sets run/],
    ['engine.threads=2', /set threads: of the plan/],
    ['policy.fresh.preset=xs', /arms\.rl sets policy\.fresh\.preset.*it begins with start/],
    ['~policy', /arms\.rl sets policy/],
  ])('is refused with %s, which its runs would pass over', async (setting, message) => {
    const plan = await planOf(whole.replace('after: start,', `after: start, set: ['${setting}'],`));
    await expect(armRuns(plan)).rejects.toThrow(message);
  });

  it.each([
    ['split: generated-test', 'split: generated-tset', /panels\.fresh: maze has no split "generated-tset"/],
    ['split: generated-test, tasks: 10', 'split: test, tasks: 90-999', /panels\.fresh: maze\/test has tasks 0 to \d+, not/],
    ['tasks: 10', 'tasks: ten', /panels\.fresh: "ten" names no tasks/],
    ['tasks: 10', 'tasks: 10, settings: { sise: 3 }', /panels\.fresh: maze has no setting "sise"/],
    ['{ panels', '{ env: mase, panels', /environments\.maze\.panels\.fresh: there is no environment "mase"/],
  ])('is refused before its first run with a panel that is not there: %s', async (from, to, message) => {
    const plan = await planOf(whole.replace(from, to));
    await expect(checkPanels(plan, ['maze'])).rejects.toThrow(message);
    await expect(checkPanels(await planOf(whole), ['maze'])).resolves.toBeUndefined();
  });

  it('asks for the settings of an environment in a file by the name that it has in commands', async () => {
    const plan = await planOf(
      whole.replace('{ panels', '{ env: ./lab/maze.ts, panels').replace('tasks: 10', 'settings: { size: 3 }'),
    );
    const [start] = (await armRuns(plan)) as [ArmRuns];
    const [panel] = Object.values(start.played.panels) as [PanelPlan];
    expect(evaluationArgs(start, panel, 'base', 'out', 1).join(' ')).toContain('--set maze.size=3');
  });

  it('is refused with a recipe that is missing, wrong, or evaluates test tasks on its way', async () => {
    const refused = async (text: string): Promise<unknown> => armRuns(await planOf(text)).catch((thrown: unknown) => thrown);
    expect(await refused(whole.replace('sft.yaml', 'sfd.yaml'))).toMatchObject({
      code: 'CONFIG_STUDY',
      message: /arms\.start has no recipe sfd/,
    });
    expect(await refused(whole.replace('steps=2', 'step=2'))).toMatchObject({ code: 'CONFIG_INVALID' });
    const test = whole.replace('[steps=2]', "['evaluate.panels=[{env: maze, split: generated-test}]']");
    expect(await refused(test)).toMatchObject({ code: 'CONFIG_CHOOSES_ON_TEST' });
  });

  it('asks no server for its panels: it may be started later', async () => {
    const plan = await planOf(whole.replace('maze: {', 'maze: { env: maze@http://127.0.0.1:9,'));
    await expect(checkPanels(plan, ['maze'])).resolves.toBeUndefined();
  });
});

describe('a device', () => {
  const onCard = whole.replace('maze: {', 'maze: { device: cuda,');
  it('reaches the runs of its environment and their evaluations, and keeps their results apart', async () => {
    const plan = await planOf(whole);
    const [host] = await armRuns(plan);
    const runs = await armRuns(await planOf(onCard));
    expect(runs.map(({ device, overrides }) => [device, overrides.includes('engine.device=cuda')])).toEqual([
      ['cuda', true],
      ['cuda', true],
    ]);
    const [card] = runs as [ArmRuns];
    const [panel] = Object.values(card.played.panels) as [PanelPlan];
    expect(evaluationArgs(card, panel, 'base', 'out', 1).join(' ')).toContain('--device cuda');
    expect(card.fingerprint).not.toBe(host?.fingerprint);
    const planned = await plannedRuns(plan, runs, join(folder, 'none'));
    expect(planned.map(({ device }) => device)).toEqual(['cuda', 'cuda', 'cuda', 'cuda']);
  });
  it('is shared by a bound for each run and evaluation, which cores have none of', async () => {
    const bounded = await planOf(onCard.replace('device: cuda,', 'device: cuda, card_memory: 6,'));
    const [card] = (await armRuns(bounded)) as [ArmRuns];
    expect(card.overrides).toContain('engine.card_memory=6');
    const [panel] = Object.values(card.played.panels) as [PanelPlan];
    expect(evaluationArgs(card, panel, 'base', 'out', 1).join(' ')).toContain('--device cuda --card-memory 6');
    const [host] = (await armRuns(bounded, 'host')) as [ArmRuns];
    expect(host.overrides.join(' ')).not.toContain('card_memory');
    expect(evaluationArgs(host, panel, 'base', 'out', 1)).not.toContain('--card-memory');
  });
  it('has no more runs at once than there is memory for', async () => {
    const bounded = await planOf(onCard.replace('device: cuda,', 'device: cuda, card_memory: 6,'));
    const runs = await armRuns(bounded);
    const [start] = runs as [ArmRuns];
    expect([start.memory, (await armRuns(bounded, 'host'))[0]?.memory]).toEqual([6, undefined]);
    const output = join(folder, 'memory');
    const program = [process.execPath, '-e', '1', '--'] as const;
    const begun: string[] = [];
    const work = new StudyWork(
      {
        ...{ plan: bounded, runs, only: ['maze'], output, results: output, jobs: 2, cardJobs: 2, cardMemory: 11, program },
        signal: new AbortController().signal,
        onNote: ({ name }) => begun.push(name),
      },
      () => Promise.resolve(),
    );
    const ends = ['base', 'reader'].map(async (policy) => {
      await work.start({ ...start, start: policy }, policy).catch(() => undefined);
      begun.push(`${policy} ended`);
    });
    await Promise.all(ends);
    expect(begun).toEqual(['maze base', 'base ended', 'maze reader', 'reader ended']);
  });
  it('of the command line goes before the plan, and the usual one changes no fingerprint', async () => {
    const [usual] = await armRuns(await planOf(whole));
    const [given] = await armRuns(await planOf(onCard), 'host');
    expect([given?.device, given?.fingerprint]).toEqual(['host', usual?.fingerprint]);
    await expect(planOf(whole.replace('maze: {', 'maze: { device: gpu,'))).rejects.toThrow(/environments\.maze\.device/);
  });
  it.each([
    [1, 'card: undefined'],
    [2, 'card: 1'],
  ])('with places for %i on the card, its processes hear %s', async (cardJobs, said) => {
    const plan = await planOf(onCard);
    const runs = await armRuns(plan);
    const output = join(folder, `said-${cardJobs}`);
    const program = [process.execPath, '-e', 'console.log("card:", process.env.AGOGE_SHARE_CARD)', '--'] as const;
    const { signal } = new AbortController();
    const options = { plan, runs, only: ['maze'], output, results: output, jobs: 1, cardJobs, program, agoge: '0', signal };
    const [start] = runs as [ArmRuns];
    // Such a process evaluates nothing, so that there is no score; what it was told is in its log.
    await expect(new StudyWork(options, () => Promise.resolve()).start(start, 'base')).rejects.toThrow(
      'its evaluation did not end',
    );
    const [log = ''] = readdirSync(join(output, 'maze')).filter((name) => name.endsWith('.log'));
    expect(readFileSync(join(output, 'maze', log), 'utf8')).toContain(said);
  });
});

describe('a run whose settings are not chosen yet', () => {
  it('has its start trained meanwhile, whatever became of the choice', async () => {
    const plan = await planOf(whole);
    const runs = await armRuns(plan);
    const output = join(folder, 'meanwhile');
    const program = [process.execPath, '-e', '1', '--'] as const;
    const begun: string[] = [];
    const work = new StudyWork(
      {
        ...{ plan, runs, only: ['maze'], output, results: output, jobs: 1, cardJobs: 1, program },
        signal: new AbortController().signal,
        onNote: ({ name, text }) => begun.push(`${name}: ${text}`),
      },
      () => Promise.resolve(),
    );
    // Such a process trains nothing: the choice, which is by seed 1, has no start.
    const [, rl] = runs as [ArmRuns, ArmRuns];
    expect((await work.result(rl, 2)).status).toBe('failed');
    expect(begun).toContain('maze start seed_2: begins');
  });
});

describe('a start that no run has taught', () => {
  it('is asked with the words of its recipe, as its checkpoints will be', async () => {
    await writeFile(join(folder, 'words.txt'), '=== user\nA maze.\n=== assistant\nmove up\n');
    const agent = `agent: { format: react, prompt: ${join(folder, 'words.txt')}, stop: ["\\n"], chat_template: plain, thinking: false, few_shot: true }`;
    await writeFile(join(folder, 'maze-words.yaml'), `${rl}policy: base\n${agent}\n`);
    const plan = await planOf(
      `study: mine\nseeds: [1]\nenvironments: { maze: { panels: { a: { tasks: 1 } } } }\narms: { rl: { recipe: maze-words.yaml } }\n`,
    );
    const runs = await armRuns(plan);
    const output = join(folder, 'words');
    const program = [process.execPath, '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--'] as const;
    const { signal } = new AbortController();
    const options = { plan, runs, only: ['maze'], output, results: output, jobs: 1, cardJobs: 1, program, agoge: '0', signal };
    const [start] = runs as [ArmRuns];
    await expect(new StudyWork(options, () => Promise.resolve()).start(start, 'base')).rejects.toThrow('did not end');
    const [log = ''] = readdirSync(join(output, 'maze')).filter((name) => name.endsWith('.log'));
    const said = JSON.parse(readFileSync(join(output, 'maze', log), 'utf8')) as string[];
    expect(said.slice(said.indexOf('--no-view') + 1)).toEqual([
      ...['--format', 'react', '--few-shot', '--prompt', join(folder, 'words.txt')],
      ...['--stop', '\\n', '--thinking', 'off', '--chat-template', 'plain'],
    ]);
  });
});

describe('two arms that ask one policy in other words', () => {
  it('have a start each, and those that ask alike share theirs', async () => {
    const arms = ['rl', 'again', 'stopped', 'too']
      .map((name, at) => `${name}: { recipe: maze-grpo.yaml${at > 1 ? `, set: ['agent.stop=["x"]']` : ''} }`)
      .join(', ');
    const plan = await planOf(
      `study: mine\nseeds: [1]\nenvironments: { maze: { panels: { a: { split: generated-test, tasks: 1 } } } }\narms: { ${arms} }\n`,
    );
    expect((await armRuns(plan)).map(({ start }) => start)).toEqual(['base', 'base', 'base as stopped', 'base as stopped']);
  });
});

describe('the plans that ship', () => {
  const plans = readdirSync('studies').map((name) => join('studies', name, 'plan.yaml'));
  it.each(plans)('%s can be run: its recipes are there and right, and its results are its own', async (path) => {
    const plan = await readPlan(path);
    expect(join('studies', plan.study, 'plan.yaml')).toBe(path);
    const planned = await plannedRuns(plan, await armRuns(plan), join('studies', plan.study));
    expect(planned.length).toBeGreaterThan(0);
    await checkPanels(plan, Object.keys(plan.environments));
  });
});

const facts: StudyFacts = {
  v: 1,
  study: 'mine',
  question: 'Which?',
  plan: 'studies/mine/plan.yaml',
  seeds: [1, 2, 3],
  threads: 1,
  arms: [
    { name: 'start', after: null, recipe: 'sft.yaml', set: [], checkpoint: 'best' },
    { name: 'rl', after: 'start', recipe: 'rl.yaml', set: ['steps=2'], checkpoint: 'latest' },
  ],
  environments: [{ name: 'maze', panels: ['fresh'], arms: ['start', 'rl'], starts: { start: 'base' } }],
  compare: [['start', 'rl']],
};

function scores(rows: readonly string[], panel = 'abc'): Scores {
  return {
    panel,
    split: 'generated-test',
    samples: 2,
    temperature: 1,
    missing: 0,
    tasks: rows.map((row, at) => [at, 'near', row, 0]),
  };
}

function finished(rows: readonly string[]): Finished {
  const cost = { episodes: 100, tokens: 20_000, updates: 10, core_minutes: 1.5 };
  const curve: [number, number, number][] = [[1, 0.5, 0.25]];
  return {
    v: 1,
    status: 'finished',
    fingerprint: 'f',
    chosen: {},
    step: 10,
    checkpoint: 'step_10',
    cost,
    validation: curve,
    training: curve,
    panels: { fresh: scores(rows) },
    made_on: '2 × a processor, agoge 0',
  };
}

describe('the table', () => {
  it('pairs by seed and task, counts failed runs as missing and never as zeros, and says pass@k', async () => {
    const results = join(folder, 'results');
    const put = (arm: string, seed: number, rows: readonly string[]): Promise<void> =>
      writeSmall(results, 'runs', runFile('maze', arm, seed), finished(rows));
    await writeSmall(results, 'study.json', 'study.json', facts);
    await writeSmall(results, 'policies', policyFile('maze', 'base'), {
      v: 1,
      fingerprint: 'f',
      policy: 'base',
      panels: { fresh: scores(['00', '00', '00', '10']) },
    });
    await put('start', 1, ['00', '10', '00', '11']);
    await put('start', 2, ['00', '00', '10', '11']);
    await put('start', 3, ['00', '00', '00', '00']);
    await put('rl', 1, ['00', '11', '10', '11']);
    await put('rl', 2, ['10', '10', '11', '11']);
    await writeSmall(results, 'runs', runFile('maze', 'rl', 3), {
      v: 1,
      status: 'failed',
      fingerprint: 'f',
      reason: 'the disk is full',
    });
    const table = await studyTable(results, await readStudy(results));
    expect(table.runs).toEqual({ finished: 5, failed: 1, planned: 6 });
    const [panel] = table.panels;
    const [start, rl] = panel?.arms ?? [];
    // Start: (3/8 + 3/8 + 0) / 3, from base's 1/8. RL: 5/8 and 6/8 over the two seeds that it has; its start is that of the same seeds.
    expect(start?.end?.mean).toBeCloseTo(0.25, 10);
    expect(start?.gain?.mean).toBeCloseTo(0.125, 10);
    expect([rl?.seeds, rl?.start]).toEqual([[1, 2], 0.375]);
    expect(rl?.end?.mean).toBeCloseTo(11 / 16, 10);
    expect(rl?.gain?.mean).toBeCloseTo(5 / 16, 10);
    expect([rl?.passStart, rl?.passEnd]).toEqual([0.5, 0.875]);
    expect(panel?.pairs[0]).toMatchObject({
      from: 'start',
      to: 'rl',
      seeds: 2,
      difference: { mean: expect.closeTo(5 / 16, 10) as number },
    });
    const text = tablesText(table);
    expect(text).toMatch(/\| rl \(after start\) \| 2\/3, 1 failed \| 0\.375 \| 0\.688 \[/);
    expect(text).toContain('rl, seed 3: **failed** (the disk is full)');
    const page = pageText(table);
    expect(page).toContain('5 of 6 runs have finished, 1 failed. Seeds: 1, 2, 3. Made on 2 × a processor, agoge 0.');
    expect(page).toContain('hierarchical bootstrap');
    expect(curvesSvg(table)).toMatch(/^<svg[^]*<circle[^]*<\/svg>\n$/);
    expect(await readSmall(results, 'runs', runFile('maze', 'rl', 1))).toEqual(finished(['00', '11', '10', '11']));
  });

  it('says how core-minutes were counted, and on a card what the processor took beside them', async () => {
    const results = join(folder, 'minutes');
    const put = (arm: string, cost: object): Promise<void> => {
      const result = finished(['00', '11']);
      return writeSmall(results, 'runs', runFile('maze', arm, 1), { ...result, cost: { ...result.cost, ...cost } });
    };
    await put('start', { core_minutes: 3, minutes: 3, processor_minutes: 1.2 });
    await put('rl', { core_minutes: 2.5, minutes: 4, processor_minutes: 2.5 });
    const table = await studyTable(results, facts);
    expect(tablesText(table)).toMatch(/\| 3\.0 \(processor 1\.2\) \|\n.* \| 2\.5 \|$/m);
    expect(pageText(table)).toContain('Core-minutes are processor time of training');
    await put('rl', {});
    const older = pageText(await studyTable(results, facts));
    expect(older).toContain('minutes by the clock times threads, which say too much beside other work, in: maze rl.');
  });

  it('says of every run where it was made: a study may go on elsewhere', async () => {
    const results = join(folder, 'elsewhere');
    const put = (seed: number, made_on?: string): Promise<void> => {
      const { made_on: _, ...result } = finished(['00', '11']);
      return writeSmall(results, 'runs', runFile('maze', 'start', seed), { ...result, ...(made_on ? { made_on } : {}) });
    };
    const text = async (): Promise<string> => pageText(await studyTable(results, facts));
    expect(await text()).not.toContain('Made on');
    await put(1, 'a laptop');
    await put(2, 'a card, 16 × a processor');
    await put(3, 'a card, 16 × a processor');
    expect(await text()).toContain('Made on a card, 16 × a processor (2 runs); a laptop (1 run).');
    await put(1);
    expect(await text()).toContain('; a machine that was not written down (1 run).');
    const versions = { agoge: '1', node: '2' };
    const card = {
      index: 0,
      identity: 'GPU-1',
      name: 'NVIDIA H200',
      driver: '580',
      capability: 9,
      total: 1,
      free: 1,
      holders: [],
    };
    const onCard = (cards: () => (typeof card)[]): string => madeOn({ device: 'cuda (bfloat16)', versions }, cards);
    expect(onCard(() => [card])).toMatch(/^NVIDIA H200 \(bfloat16\), \d+ × .+, agoge 1, node 2$/);
    const silent = (): never => {
      throw new Error('the driver is gone');
    };
    expect(onCard(silent)).toMatch(/^cuda \(bfloat16\), /);
    expect(madeOn({ device: 'host (float32)', versions })).toMatch(/^\d+ × .+, agoge 1, node 2$/);
  });

  it('gives no interval to one seed, and no gain between different panels', async () => {
    const results = join(folder, 'one');
    await writeSmall(results, 'runs', runFile('maze', 'start', 1), finished(['00', '11']));
    const other = finished(['11', '11']);
    await writeSmall(results, 'runs', runFile('maze', 'rl', 1), { ...other, panels: { fresh: scores(['11', '11'], 'other') } });
    const { panels } = await studyTable(results, facts);
    const [, rl] = panels[0]?.arms ?? [];
    expect(rl?.gain).toBeUndefined();
    expect(
      tablesText({ study: facts, panels, learning: [], foretold: [], runs: { finished: 2, failed: 0, planned: 6 }, madeOn: [] }),
    ).toContain('1.000 (one seed)');
  });

  it('says what cannot be read', async () => {
    await expect(readStudy(join(folder, 'nothing'))).rejects.toMatchObject({ code: 'RUN_NO_STUDY' });
    await writeFile(join(folder, 'study.json'), '{"v": 1}');
    await expect(readStudy(folder)).rejects.toMatchObject({ code: 'RUN_STUDY_FILE' });
  });

  it('takes no weights for its own that another plan has made', async () => {
    const output = join(folder, 'made');
    const plan = await planOf(whole);
    const [start] = (await armRuns(plan)) as [ArmRuns];
    const path = join(output, 'maze/start/seed_2');
    const state = (status: string, step: number): Promise<void> =>
      writeFile(join(path, 'run.json'), JSON.stringify({ name: 'seed_2', kind: 'sft', status, step, resumes: [] }));
    await mkdir(path, { recursive: true });
    await writeMadeFrom(path, start.made);
    await state('running', 3);
    const check = async (text: string): Promise<void> => checkMadeFrom(output, await armRuns(await planOf(text)), [1, 2]);
    await expect(check(whole)).resolves.toBeUndefined();
    await expect(check(whole.replace('tasks: 10', 'tasks: 20'))).resolves.toBeUndefined(); // panels make no weights
    await expect(check(whole.replace('steps=2', 'steps=3'))).rejects.toThrow(/maze\/start\/seed_2 was made with another recipe/);
    await state('failed', 0);
    await expect(check(whole.replace('steps=2', 'steps=3'))).resolves.toBeUndefined();
  });

  it('is not mixed with results of another plan', async () => {
    const results = join(folder, 'changed');
    await writeSmall(results, 'runs', runFile('maze', 'start', 2), finished(['00']));
    const plan = await planOf(whole);
    await expect(plannedRuns(plan, await armRuns(plan), results)).rejects.toMatchObject({ code: 'CONFIG_STUDY_CHANGED' });
  });
});
