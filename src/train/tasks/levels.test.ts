import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../envs/environment.ts';
import { readMetrics } from '../../run/metrics-log.ts';
import { corridor } from '../fixtures/corridor.fixture.ts';
import { runCorridor } from '../fixtures/corridor-run.fixture.ts';
import { splitDeck } from './deck.ts';
import { TaskSource } from './source.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-levels-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const long: Environment = { ...corridor({ length: 3 }), name: 'long' };
const recipe = {
  tasks: [{ env: 'corridor' }, { env: 'long', level: 4 }],
  curriculum: { success: 0.5, window: 2, review: 0.25 },
  steps: 24,
};
const environments = { corridor: corridor({ length: 1 }), long };

describe('levels of tasks', () => {
  it('begin when the one before is mastered, keep earlier ones in the mix, and are said', async () => {
    const { path } = await runCorridor(folder, { run: 'levels', ...recipe }, { environments });
    const data = (await readMetrics(path)).map((line) => line.data);
    const levels = data.map((one) => one['train/level']);
    const change = levels.indexOf(4);
    expect(levels.slice(0, change).every((level) => level === 0)).toBe(true);
    expect(levels.slice(change).every((level) => level === 4)).toBe(true);
    expect(change).toBeGreaterThan(1);
    const before = [change - 2, change - 1].map((step) => data[step]?.['train/level_success'] ?? 0);
    expect((before[0] ?? 0) + (before[1] ?? 0)).toBeGreaterThanOrEqual(1);
    // One environment has no curve of its own; from the change on there are two.
    expect(data[change - 1]).not.toHaveProperty('train/success/long');
    expect(data.slice(change).some((one) => 'train/success/corridor' in one)).toBe(true);
    const [log = ''] = await readdir(join(path, 'logs'));
    expect(await readFile(join(path, 'logs', log), 'utf8')).toContain(`level 4 of the tasks begins after step ${change}`);
  });

  it.each([2, 15])('go on exactly after a resume at step %i', async (cutAfter) => {
    const whole = await runCorridor(folder, { run: `whole-${cutAfter}`, ...recipe }, { environments });
    const cut = await runCorridor(folder, { run: `cut-${cutAfter}`, ...recipe }, { environments, cutAfter });
    expect(cut.engine.text()).toBe(whole.engine.text());
  });

  it('share the draws by weight from where they begin', () => {
    const part = { split: 'train', from: 0, to: null, weight: 1 };
    const source = new TaskSource([splitDeck(part, corridor()), { ...splitDeck(part, long), level: 1 }], 1);
    source.enter(0, 0.25);
    const draw = (count: number): string[] => Array.from({ length: count }, () => source.next().environment.name);
    expect(new Set(draw(40))).toEqual(new Set(['corridor']));
    source.enter(1, 0.25);
    const mixed = draw(50);
    expect(mixed.filter((name) => name === 'corridor')).toHaveLength(10);
    expect(mixed.slice(0, 10)).toContain('corridor');
  });
});
