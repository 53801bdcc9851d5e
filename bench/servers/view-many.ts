/**
 * The dashboard on a folder of many runs: 200 trainings of 300 steps and 500 evaluations of 200 tasks. Prints the time from opening the
 * address to the list in the packaged Chromium, to the list sorted by success, and from a click to twenty compared runs.
 *   npx tsx bench/servers/view-many.ts [runs] [evaluations]
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunLibrary } from '../../src/dashboard/runs/library.ts';
import { startView } from '../../src/dashboard/server/server.ts';
import { layout } from '../../src/run/layout.ts';
import { launchBrowser } from '../../tests/browser.ts';
import { writeFixtureRun } from '../../tests/fixture-run.ts';

const runs = Number(process.argv[2] ?? 200);
const evaluations = Number(process.argv[3] ?? 500);
const steps = 300;

const root = await mkdtemp(join(tmpdir(), 'agoge-bench-many-'));
try {
  await writeRuns();
  await writeEvaluations();
  const library = new RunLibrary(root);
  await using server = await startView({ library, host: '127.0.0.1', port: 0, demonstrations: join(root, 'demonstrations') });
  const browser = await launchBrowser();
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  await page.goto('about:blank');
  const timed = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    const spent = `${((user + system) / 1000).toFixed(0)} ms of the server's processor`;
    console.log(`${what.padEnd(40)} ${(performance.now() - start).toFixed(0).padStart(6)} ms, ${spent}`);
  };
  console.log(`${String(runs)} runs of ${String(steps)} steps, ${String(evaluations)} evaluations`);
  await timed('the list, first time', async () => {
    await page.goto(server.url);
    await page.locator('tbody tr').nth(90).waitFor();
  });
  await timed('the list, again', async () => {
    await page.reload();
    await page.locator('tbody tr').nth(90).waitFor();
  });
  await timed('sorted by success', async () => {
    await page.getByRole('button', { name: 'Success' }).click();
    await page.locator('th[aria-sort=descending]', { hasText: 'Success' }).waitFor();
  });
  await page.getByRole('combobox', { name: 'Show' }).selectOption('training');
  for (let i = 0; i < 20; i++) await page.locator('tbody input').nth(i).check();
  await timed('twenty runs compared', async () => {
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.locator('.plot canvas').nth(5).waitFor();
  });
  await browser.close();
} finally {
  await rm(root, { recursive: true, force: true });
}

/** One run, written as trainers write it and lengthened with sixty metrics a step, then copied. */
async function writeRuns(): Promise<void> {
  const first = join(root, 'run-000');
  await writeFixtureRun(first, { steps: 10, groups: 2, samples: 4 });
  const [line = ''] = (await readFile(join(first, layout.metrics), 'utf8')).split('\n').slice(-2);
  const { data } = JSON.parse(line) as { data: Record<string, number> };
  const more = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`extra/metric_${String(i)}`, Math.sin(i)]));
  const lines = Array.from({ length: steps }, (_, i) =>
    JSON.stringify({
      step: i + 1,
      time: new Date(0).toISOString(),
      data: { ...data, ...more, 'train/success': Math.sqrt(i / steps) },
    }),
  );
  await writeFile(join(first, layout.metrics), `${lines.join('\n')}\n`);
  for (let i = 1; i < runs; i++) {
    const copy = join(root, `run-${String(i).padStart(3, '0')}`);
    await cp(first, copy, { recursive: true });
    const config = await readFile(join(copy, layout.config), 'utf8');
    await writeFile(join(copy, layout.config), config.replace('seed: 1', `seed: ${String(i)}`));
  }
}

async function writeEvaluations(): Promise<void> {
  const estimate = { mean: 0.5, low: 0.43, high: 0.57 };
  const perTask = Array.from({ length: 200 }, (_, index) => ({
    index,
    item: `textcraft_${String(index)}`,
    category: `depth ${String(index % 4)}`,
    samples: [0],
    success: [index % 2],
    reward: [index % 2],
  }));
  const score = {
    panel: 'abc',
    env: 'textcraft',
    split: 'test',
    tasks: 200,
    scored: 200,
    turns: 7,
    failures: {},
    truncated: {},
    unreadable: 0,
    perTask,
  };
  const categories = [0, 1, 2, 3].map((depth) => ({
    name: `depth ${String(depth)}`,
    scored: 50,
    success: estimate,
    reward: 0.5,
  }));
  for (let i = 0; i < evaluations; i++) {
    const folder = join(root, `eval-${(i + 0x1000000).toString(16)}`);
    await mkdir(folder);
    const time = new Date(1.7e12 + i * 6e4).toISOString();
    const scores = ['base', 'expert'].map((policy) => ({ ...score, policy, success: estimate, reward: estimate, categories }));
    await writeFile(join(folder, 'eval.json'), JSON.stringify({ scores, comparisons: [] }));
    const status = {
      status: 'finished',
      title: 'evaluation · textcraft/test · base, expert',
      startedAt: time,
      updatedAt: time,
      pid: 1,
      // As an evaluation notes them when it ends: without their tasks.
      scores: scores.map(({ perTask: _, ...listed }) => listed),
    };
    await writeFile(join(folder, 'status.json'), JSON.stringify(status));
  }
}
