/**
 * The dashboard on a large run: 2,000 steps, 500,000 episodes. Prints the time to the first page, to the list of episodes, to
 * a filtered list and from click to an open episode in the packaged Chromium, and the server's memory.
 *   npx tsx bench/servers/view.ts [steps] [episodes per step]
 */
import { appendFile, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunLibrary } from '../../src/dashboard/runs/library.ts';
import { startView } from '../../src/dashboard/server/server.ts';
import { episodesFile, layout } from '../../src/run/layout.ts';
import { launchBrowser } from '../../tests/browser.ts';
import { writeFixtureRun } from '../../tests/fixture-run.ts';

const steps = Number(process.argv[2] ?? 2000);
const perStep = Number(process.argv[3] ?? 250);
const distinct = 10;

const root = await mkdtemp(join(tmpdir(), 'agoge-bench-view-'));
try {
  const path = join(root, 'large');
  await writeFixtureRun(path, { steps: distinct, groups: Math.ceil(perStep / 8), samples: 8 });
  await multiply(path);
  const library = new RunLibrary(root);
  await using server = await startView({ library, host: '127.0.0.1', port: 0, demonstrations: join(root, 'demonstrations') });
  const before = process.memoryUsage.rss();
  const browser = await launchBrowser();
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  const timed = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    await act();
    console.log(`${what.padEnd(44)} ${(performance.now() - start).toFixed(0).padStart(6)} ms`);
  };
  console.log(`${steps} steps, ${steps * Math.ceil(perStep / 8) * 8} episodes`);
  await timed('first page: list of runs', async () => {
    await page.goto(server.url);
    await page.locator('tbody a').first().waitFor();
  });
  await timed('the run: all curves', async () => {
    await page.locator('tbody a').first().click();
    await page.locator('.plot canvas').first().waitFor();
  });
  await timed('list of episodes', async () => {
    await page.getByRole('link', { name: 'Episodes' }).click();
    await page.locator('tbody tr').nth(50).waitFor();
  });
  await timed('filter by outcome', async () => {
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('truncated');
    await page.locator('tbody .outcome.success').first().waitFor({ state: 'detached' });
    await page.locator('tbody .outcome.truncated').first().waitFor();
  });
  const listed = await page.locator('tbody tr').count();
  for (const row of [0, 0.4, 0.8].map((share) => Math.floor(share * listed))) {
    await timed(`from click to episode (row ${String(row)})`, async () => {
      await page.locator('tbody a').nth(row).click();
      await page.locator('.said.action').first().waitFor();
    });
    await page.goBack();
    await page
      .locator('tbody tr')
      .nth(listed - 1)
      .waitFor();
  }
  await browser.close();
  console.log(`server memory: ${(before / 1e6).toFixed(0)} MB before, ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB after`);
} finally {
  await rm(root, { recursive: true, force: true });
}

/** Repeats the distinct steps under new numbers until the run is as long as asked. */
async function multiply(path: string): Promise<void> {
  const index = (await readFile(join(path, layout.episodeIndex), 'utf8')).split('\n').filter(Boolean);
  const metrics = (await readFile(join(path, layout.metrics), 'utf8')).split('\n').filter(Boolean);
  for (let step = distinct + 1; step <= steps; step++) {
    const like = ((step - 1) % distinct) + 1;
    await copyFile(episodesFile(path, like), episodesFile(path, step));
    const lines = index
      .filter((line) => line.startsWith(`{"step":${String(like)},`))
      .map((line) => line.replace(`{"step":${String(like)},`, `{"step":${String(step)},`));
    await appendFile(join(path, layout.episodeIndex), `${lines.join('\n')}\n`);
    await appendFile(
      join(path, layout.metrics),
      `${(metrics[like - 1] ?? '').replace(`"step":${String(like)}`, `"step":${String(step)}`)}\n`,
    );
  }
}
