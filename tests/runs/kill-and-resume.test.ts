/**
 * Every command that takes long, killed by SIGKILL at named writes (whole ones, torn ones, files that have no name yet) and given again: in the end
 * its folder holds what an unbroken one holds, weights, metrics, results and the index of episodes row by row.
 */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { agoge, contents, indexOf, type Kill } from './kill-and-resume.ts';

const base = mkdtempSync(join(tmpdir(), 'agoge-kills-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const recipes = {
  'sft.yaml': `
run: run
policy: { fresh: { preset: xxs, vocabulary: 700, context: 512, tokenizer_samples: 150 } }
data: { source: experts, experts: [{ env: textcraft, generated: true, settings: { expert: stack } }], max_tokens: 256 }
batch_tokens: 512
optimizer: { lr: 3e-3 }
steps: 6
evaluate: { every: 2, tasks: 3, split: generated-short, max_turns: 2 }
checkpoint: { every: 3 }
log: { every: 1 }
`,
  'reward.yaml': `
run: run
policy: { fresh: { preset: xxs, vocabulary: 512, context: 256 } }
pairs: { source: generated, level: 1 }
batch_pairs: 4
steps: 6
validate: { every: 2, pairs: 8 }
checkpoint: { every: 3 }
log: { every: 1 }
`,
  'rl.yaml': `
run: run
policy: base
tasks: [{ env: textcraft, split: generated-short }]
agent: { max_turns: 2, tokens_per_turn: 8 }
rollout: { groups: 2, samples: 2 }
algorithm: { name: reinforce++, entropy: 0.01, truncation_penalty: -0.1 }
steps: 5
evaluate: { every: 2, tasks: 2, split: validation, choose: true }
checkpoint: { every: 2 }
`,
};

/** A folder with the recipes in it. */
function place(name: string): string {
  const folder = join(base, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(recipes)) writeFileSync(join(folder, file), text);
  return folder;
}

/** Given until nothing kills it any more: at each start one kill, then once without. */
function broken(folder: string, args: () => readonly string[], kills: readonly Kill[]): void {
  for (const kill of kills) {
    const { killed, status, stderr } = agoge(folder, args(), kill);
    expect({ kill, killed, status, stderr: killed ? '' : stderr }).toEqual({ kill, killed: true, status: null, stderr: '' });
  }
  const { status, stderr } = agoge(folder, args());
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
}

const metrics = 'metrics/training_metrics.jsonl';

describe('a run that is killed', () => {
  it.each<[string, string, readonly Kill[]]>([
    [
      'sft',
      'sft.yaml',
      [
        { kind: 'kill-rename', below: 'config.yaml', at: 0 },
        { kind: 'kill-torn', below: metrics, at: 1 },
        { kind: 'kill-torn', below: 'checkpoints', at: 2 },
        { kind: 'kill-torn', below: 'episodes/index.jsonl', at: 0 },
        { kind: 'kill-rename', below: 'checkpoints', at: 1 },
        { kind: 'kill-write', below: 'metrics/evaluations.jsonl', at: 1 },
        { kind: 'kill-rename', below: 'metrics/training_metrics.json', at: 0 },
      ],
    ],
    [
      'reward',
      'reward.yaml',
      [
        { kind: 'kill-torn', below: '', at: 0 },
        { kind: 'kill-write', below: metrics, at: 1 },
        { kind: 'kill-torn', below: 'checkpoints', at: 1 },
        { kind: 'kill-rename', below: 'checkpoints', at: 1 },
        { kind: 'kill-torn', below: metrics, at: 2 },
        { kind: 'kill-rename', below: 'metrics/training_metrics.json', at: 0 },
      ],
    ],
    [
      'train',
      'rl.yaml',
      [
        { kind: 'kill-write', below: 'episodes', at: 1 },
        { kind: 'kill-torn', below: 'episodes/index.jsonl', at: 2 },
        { kind: 'kill-rename', below: 'checkpoints', at: 1 },
        { kind: 'kill-torn', below: metrics, at: 0 },
        { kind: 'kill-torn', below: 'metrics/evaluations.jsonl', at: 0 },
        { kind: 'kill-rename', below: 'metrics/training_metrics.json', at: 0 },
      ],
    ],
  ])('%s ends as one that was not', (command, recipe, kills) => {
    const [whole, other] = [place(`${command}-whole`), place(`${command}-broken`)];
    broken(whole, () => [command, recipe, '--no-view'], []);
    const again = (): string[] =>
      existsSync(join(other, 'outputs/run/run.json')) ? [command, '--resume', 'outputs/run'] : [command, recipe];
    broken(
      other,
      () => [...again(), '--no-view'],
      kills.map((kill) => ({ ...kill, below: join('outputs/run', kill.below) })),
    );
    expect(contents(join(other, 'outputs/run'))).toEqual(contents(join(whole, 'outputs/run')));
    expect(indexOf(join(other, 'outputs/run'))).toEqual(indexOf(join(whole, 'outputs/run')));
    if (command !== 'reward') expect(indexOf(join(whole, 'outputs/run')).length).toBeGreaterThan(5);
  });
});

describe('an evaluation that is killed', () => {
  it('given again, ends with the episodes and scores of one go', () => {
    const [whole, other] = [place('eval-whole'), place('eval-broken')];
    const args = [
      'eval',
      'textcraft',
      '-p',
      'random',
      '-p',
      'expert',
      '--tasks',
      '0-5',
      '--max-turns',
      '3',
      '--no-view',
      '-o',
      'out',
    ];
    broken(whole, () => args, []);
    broken(other, () => args, [
      { kind: 'kill-write', below: 'out/episodes.jsonl', at: 0 },
      { kind: 'kill-torn', below: 'out/episodes.jsonl', at: 2 },
      { kind: 'kill-write', below: 'out/episodes.jsonl', at: 1 },
      { kind: 'kill-rename', below: 'out/episodes.jsonl.gz', at: 0 },
      { kind: 'kill-rename', below: 'out/eval.json', at: 0 },
      { kind: 'kill-write', below: 'out/textcraft', at: 1 },
    ]);
    expect(contents(join(other, 'out'))).toEqual(contents(join(whole, 'out')));
  });
});

describe('data that is being made and killed', () => {
  it.each<[string, readonly string[], string, readonly Kill[]]>([
    [
      'sampling',
      ['data', 'sample', 'textcraft', '--policy', 'random', '--keep', 'all', '--count', '6', '--samples', '2', '--turns', '3'],
      'out/rows.jsonl',
      [
        { kind: 'kill-write', below: 'out/rows.jsonl.partial.jsonl', at: 0 },
        { kind: 'kill-torn', below: 'out/rows.jsonl.partial.jsonl', at: 3 },
        { kind: 'kill-torn', below: 'out/rows.jsonl.partial.jsonl', at: 4 },
        { kind: 'kill-rename', below: 'out/rows.jsonl', at: 0 },
      ],
    ],
    [
      'demonstrations',
      ['data', 'demonstrate', 'textcraft', '--count', '12'],
      'out/demonstrations.parquet',
      [
        { kind: 'kill-torn', below: 'out/demonstrations.parquet.partial.jsonl', at: 5 },
        { kind: 'kill-rename', below: 'out/demonstrations.parquet', at: 0 },
      ],
    ],
  ])('%s, given again, ends with the bytes of one go', (name, args, file, kills) => {
    const [whole, other] = [place(`${name}-whole`), place(`${name}-broken`)];
    broken(whole, () => [...args, '--out', file], []);
    broken(other, () => [...args, '--out', file], kills);
    expect(contents(join(other, 'out'))).toEqual(contents(join(whole, 'out')));
    expect(readFileSync(join(other, file)).equals(readFileSync(join(whole, file)))).toBe(true);
  });

  it('a long conversion leaves no half of a file, and the same command makes the whole one', () => {
    const folder = place('convert');
    const row = {
      messages: [
        { role: 'user', content: 'goal '.repeat(40) },
        { role: 'assistant', content: 'act' },
      ],
    };
    for (let part = 0; part < 20; part++)
      appendFileSync(join(folder, 'rows.jsonl'), `${JSON.stringify({ ...row, part })}\n`.repeat(2000));
    const to = (out: string): string[] => ['data', 'convert', 'rows.jsonl', out];
    for (const extension of ['parquet', 'json', 'jsonl']) {
      broken(folder, () => to(`whole.${extension}`), []);
      const out = `out-${extension}/rows.${extension}`;
      for (const kind of ['kill-torn', 'kill-rename'] as const) {
        const { killed } = agoge(folder, to(out), { kind, below: `out-${extension}`, at: 0 });
        expect({ extension, kind, killed, there: existsSync(join(folder, out)) }).toEqual({
          extension,
          kind,
          killed: true,
          there: false,
        });
      }
      broken(folder, () => to(out), []);
      expect(readFileSync(join(folder, out)).equals(readFileSync(join(folder, `whole.${extension}`)))).toBe(true);
      expect(Object.keys(contents(join(folder, `out-${extension}`)))).toEqual([`rows.${extension}`]);
    }
  });
});

describe('a sweep that is killed', () => {
  const args = ['sweep', 'rl.yaml', 'steps=3', '--over', 'seed=1,2', '--jobs', '1'];
  const inRun = (seed: number, path: string): string => `outputs/run-sweep/seed=${seed}/${path}`;
  it('given again, ends with the runs and the table of one go', () => {
    const [whole, other] = [place('sweep-whole'), place('sweep-broken')];
    broken(whole, () => args, []);
    broken(other, () => args, [
      { kind: 'kill-torn', below: 'outputs/run-sweep', at: 0, only: 'sweep' },
      // The sweep and its run at once; then the sweep alone, whose run goes on without it.
      { kind: 'kill-torn', below: inRun(1, metrics), at: 1, only: 'run=seed=1', parent: true },
      { kind: 'disk-late', below: inRun(1, 'checkpoints'), at: 1, only: '--resume', parent: true },
      { kind: 'kill-rename', below: inRun(2, 'checkpoints'), at: 1, only: 'run=seed=2', parent: true },
      { kind: 'kill-torn', below: 'outputs/run-sweep', at: 1, only: 'sweep' },
    ]);
    expect(contents(join(other, 'outputs'))).toEqual(contents(join(whole, 'outputs')));
    for (const seed of [1, 2]) expect(indexOf(join(other, inRun(seed, '')))).toEqual(indexOf(join(whole, inRun(seed, ''))));
  });

  it('says so where a run of it died, and ends it when given again', () => {
    const folder = place('sweep-cell');
    const { status, stderr } = agoge(folder, args, { kind: 'kill-torn', below: inRun(2, metrics), at: 1, only: 'run=seed=2' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/1 of 2 runs did not end: .* give the same command again/);
    broken(folder, () => args, []);
    expect(contents(join(folder, 'outputs'))).toEqual(contents(join(base, 'sweep-whole', 'outputs')));
  });
});

describe('a demo that is killed', () => {
  it('is gone on with: both tests, the step, the weights and the index are those of one go', () => {
    const [whole, other] = [place('demo-whole'), place('demo-broken')];
    const runOf = (folder: string): string => join('demos', readdirSync(join(folder, 'demos'))[0] ?? '');
    // The clock ends a demo after the step under which its time is over: no time is one step, however fast the machine.
    const args = ['demo', '--policy', 'base', '--seconds', '0.01', '--json', '--no-view', '--output', 'demos'];
    broken(whole, () => args, []);
    expect(agoge(other, args, { kind: 'kill-torn', below: 'demos', at: 9 }).killed).toBe(true);
    const run = runOf(other);
    broken(other, () => ['demo', '--resume', run, '--json', '--no-view'], [
      { kind: 'kill-torn', below: join(run, metrics), at: 0 },
      { kind: 'kill-rename', below: join(run, 'checkpoints'), at: 0 },
      { kind: 'kill-torn', below: join(run, 'evaluation/episodes.jsonl'), at: 2 },
    ]);
    expect(indexOf(join(other, run))).toEqual(indexOf(join(whole, run)));
    const found = (folder: string): Record<string, unknown> => {
      const { 'evaluation/episodes.jsonl.gz': played, ...rest } = contents(join(folder, runOf(folder)));
      const rows = (played as { policy?: string }[]).filter((row) => typeof row === 'object');
      // Episodes end in any order, and the hash of who played has the name in it.
      return { ...rest, played: rows.map((row) => JSON.stringify({ ...row, identity: '' })).sort() };
    };
    expect((found(whole)['played'] as unknown[]).length).toBe(512);
    expect(found(other)).toEqual(found(whole));
  });
});
