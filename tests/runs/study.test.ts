/** A whole study as a user runs it: real runs in processes of their own, a kill -9 on the way, a run that fails. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { cudaFiles, runtimeFiles, writeFiles } from '../../src/engine/embedded/runtime/cuda/wheel.fixture.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-study-e2e-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

function agoge(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return agogeWith(process.env, ...args);
}

function agogeWith(env: NodeJS.ProcessEnv, ...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

const start = `
run: start
policy: { fresh: { preset: xxs, vocabulary: 700, context: 512, tokenizer_samples: 100 } }
data:
  source: experts
  experts: [{ env: textcraft, split: generated-short, from: 0, to: 40, settings: { expert: stack } }]
  max_tokens: 256
batch_tokens: 512
steps: 6
evaluate: { at_end: false }
checkpoint: { every: 1 }
log: { every: 1 }
`;
const rl = `
run: rl
tasks: [{ env: textcraft, split: generated-short }]
agent: { max_turns: 3, tokens_per_turn: 12 }
rollout: { groups: 2, samples: 2 }
algorithm: { entropy: 0.01 }
steps: 3
evaluate: { tasks: 2, max_turns: 2, panels: [{ env: textcraft, split: generated-short, from: 1000, to: 1010 }] }
checkpoint: { every: 1 }
`;
const plan = `
study: tiny
question: Does a study run from its plan to its table?
seeds: [1, 2]
environments:
  textcraft: { panels: { fresh: { split: generated-short-test, tasks: 4, samples: 2, max_turns: 2, max_tokens: 12 } } }
arms:
  start: { recipe: start.yaml }
  rl: { recipe: rl.yaml, after: start }
compare: [[start, rl]]
`;
await writeFile(join(folder, 'start.yaml'), start);
await writeFile(join(folder, 'rl.yaml'), rl);
await writeFile(join(folder, 'plan.yaml'), plan);

const files = ['start', 'rl'].flatMap((arm) => [1, 2].map((seed) => `runs/textcraft/${arm}/seed_${seed}.json`));
const result = (results: string, file: string): Promise<string> => readFile(join(folder, results, file), 'utf8');
/** What does not depend on the clock. */
const scores = async (results: string): Promise<unknown[]> =>
  Promise.all(files.map(async (file) => (JSON.parse(await result(results, file)) as { panels: unknown }).panels));

it('runs two arms with two seeds, survives a kill -9, repeats nothing, and shows its table from small files', async () => {
  expect(agoge('study', 'plan.yaml', '--dry-run').stdout).toContain('4 of 4 runs to do');

  expect(agoge('study', 'plan.yaml', '--only', 'textkraft')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/did you mean "textcraft"/) as string,
  });

  // Killed once the first run is under way; the child that is left behind goes on, and is waited for.
  const killed = spawn(process.execPath, [cli, 'study', 'plan.yaml', '--jobs', '2'], { cwd: folder, stdio: 'ignore' });
  while (!existsSync(join(folder, 'outputs/tiny/textcraft/start/seed_1/run.json'))) await new Promise((go) => setTimeout(go, 20));
  killed.kill('SIGKILL');
  await once(killed, 'close');

  const first = agoge('study', 'plan.yaml', '--jobs', '2');
  expect(first.status, first.stderr).toBe(0);
  expect(first.stdout).toMatch(/\| rl \(after start\) \| 2\/2 \| \d\.\d{3} \| \d\.\d{3} \[/);
  for (const file of ['study.json', 'page.md', 'curves.svg', ...files])
    expect(existsSync(join(folder, 'studies/tiny', file)), file).toBe(true);

  // Once more: nothing is made again.
  const made = join(folder, 'outputs/tiny/textcraft/rl/seed_2/run.json');
  const before = (await stat(made)).mtimeMs;
  const again = agoge('study', 'plan.yaml');
  expect([again.status, again.stderr]).toEqual([0, expect.stringContaining('all 4 runs are in')]);
  expect((await stat(made)).mtimeMs).toBe(before);

  // Elsewhere, and stopped by the clock on the way: the same scores, because the seeds decide them.
  const cut = agoge('study', 'plan.yaml', '--results', 'again', '--out', 'outputs/again', '--minutes', '0.02');
  expect([cut.status, cut.stderr]).toEqual([
    0,
    expect.stringMatching(
      /time is up: \d of 4 runs are left; go on with: agoge study plan.yaml --results again --out outputs\/again --minutes 0.02$/m,
    ),
  ]);
  expect(existsSync(join(folder, 'again/page.md'))).toBe(true);
  const whole = agoge('study', 'plan.yaml', '--results', 'again', '--out', 'outputs/again');
  expect(whole.status, whole.stderr).toBe(0);
  expect(await scores('again')).toEqual(await scores('studies/tiny'));

  // The small files alone, elsewhere: the same table.
  await cp(join(folder, 'studies/tiny'), join(folder, 'copy'), { recursive: true });
  await rm(join(folder, 'outputs/tiny'), { recursive: true });
  const shown = agoge('study', 'show', 'copy');
  expect(shown.status, shown.stderr).toBe(0);
  expect(first.stdout).toContain(shown.stdout.slice(shown.stdout.indexOf('##')).trim());
  const json = JSON.parse(agoge('study', 'show', 'copy', '--json').stdout) as { runs: unknown };
  expect(json.runs).toEqual({ finished: 4, failed: 0, planned: 4 });
});

it('says after Ctrl-C how many runs are left, and the command that goes on with them', async () => {
  await writeFile(join(folder, 'my plan.yaml'), plan.replace('study: tiny', 'study: cut'));
  const running = spawn(process.execPath, [cli, 'study', 'my plan.yaml', '--jobs', '1'], { cwd: folder });
  let told = '';
  running.stderr.setEncoding('utf8').on('data', (part: string) => {
    // The first run has ended, and the second is under way. A second signal would not wait until it is saved.
    if (!told.includes('[1/4]') && (told + part).includes('[1/4]')) running.kill('SIGINT');
    told += part;
  });
  const [status] = (await once(running, 'close')) as [number];
  expect([status, told]).toEqual([
    130,
    expect.stringMatching(
      /interrupted: [23] of 4 runs are left; go on with: agoge study 'my plan.yaml' --jobs 1 \[CLI_INTERRUPTED\]$/m,
    ),
  ]);
});

it('plays one environment on cores and one by the rules of a card, at once, and says where', async () => {
  const own = plan
    .replace('study: tiny', 'study: places')
    .replace('[1, 2]', '[1]')
    .replace(/( {2}textcraft: \{)(.*\n)/, '$1$2  crafts: { env: textcraft, device: resident,$2');
  await writeFile(join(folder, 'places.yaml'), own);
  const ran = agoge('study', 'places.yaml', '--jobs', '1', '--card-jobs', '2');
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  expect(ran.stderr).toContain('4 of 4 runs to do, 1 at once on cores, 2 at once on the card');
  const device = (environment: string): Promise<string> =>
    readFile(join(folder, `outputs/places/${environment}/rl/seed_1/config.yaml`), 'utf8');
  expect([await device('textcraft'), await device('crafts')]).toEqual([
    expect.stringContaining('device: host') as string,
    expect.stringContaining('device: resident') as string,
  ]);
  expect(await result('studies/places', 'page.md')).toContain('* On the card: crafts (resident).');
});

it('says that a run failed, and why those after it have no result; the same command tries again', async () => {
  const broken = plan.replace('study: tiny', 'study: broken').replace('start.yaml', 'files.yaml').replace('[1, 2]', '[1]');
  await writeFile(join(folder, 'files.yaml'), 'run: f\ndata: { train: nowhere.jsonl }\nsteps: 1\nevaluate: { at_end: false }\n');
  await writeFile(join(folder, 'broken.yaml'), broken);
  const failed = agoge('study', 'broken.yaml');
  expect([failed.status, failed.stderr]).toEqual([1, expect.stringMatching(/2 of 2 runs failed.*CLI_STUDY_FAILED/s)]);
  expect(failed.stdout).toMatch(/\| start \| 0\/1, 1 failed \| – \| – \|/);
  expect(failed.stdout).toMatch(/rl, seed 1: \*\*failed\*\* \(its start, start with seed 1, did not end/);
  await writeFile(
    join(folder, 'nowhere.jsonl'),
    `${JSON.stringify({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    })}\n`,
  );
  const mended = agoge('study', 'broken.yaml');
  expect(mended.status, mended.stdout + mended.stderr).toBe(0);
  expect(mended.stdout).toMatch(/\| start \| 1\/1 \|/);
});

it('says how many runs fit on the card by what they say they take', async () => {
  // A driver and libraries in name alone: the study looks at both, and its runs find that they are none.
  const libraries = writeFiles(join(folder, 'libraries'), { ...runtimeFiles(), ...cudaFiles() });
  const driver = join(folder, 'driver');
  await mkdir(driver);
  await writeFile(
    join(driver, 'nvidia-smi'),
    '#!/bin/sh\ncase "$1" in *query-gpu*) echo \'0, GPU-1, NVIDIA H200, 580.95.05, 9.0, 143771, 13312\' ;; esac\n',
    { mode: 0o755 },
  );
  const own = plan.replace('study: tiny', 'study: card').replace('textcraft: {', 'textcraft: { device: cuda, card_memory: 6,');
  await writeFile(join(folder, 'card.yaml'), own);
  const env = { ...process.env, PATH: `${driver}:${process.env['PATH']}`, AGOGE_ONNXRUNTIME: libraries };
  const { status, stderr } = agogeWith(env, 'study', 'card.yaml', '--card-jobs', '4');
  expect(stderr).toContain('the card has 13.0 GiB free: of runs that take 6 GiB, 2 at once');
  expect([status, stderr]).toEqual([1, expect.stringContaining('CLI_STUDY_FAILED')]);
});

it.skipIf(existsSync('/dev/nvidiactl'))('refuses a study for a card before its first run where there is none', () => {
  const { status, stderr } = agoge('study', 'plan.yaml', '--device', 'cuda', '--results', 'none', '--out', 'nowhere');
  expect(stderr).toContain('ENGINE_NO_CARD');
  expect(status).not.toBe(0);
  expect([existsSync(join(folder, 'none')), existsSync(join(folder, 'nowhere'))]).toEqual([false, false]);
});
