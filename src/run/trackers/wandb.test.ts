import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { rlRecipe } from '../../config/recipe/recipe.ts';
import { Boards } from './boards.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-wandb-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The records of a block log, checked as its readers check them. */
function records(bytes: Buffer): Buffer[] {
  expect(bytes.subarray(0, 7)).toEqual(Buffer.from([...Buffer.from(':W&B'), 0xe1, 0xbe, 0]));
  const found: Buffer[] = [];
  let open: Buffer[] = [];
  for (let at = 7; at < bytes.length;) {
    const room = 32_768 - (at % 32_768);
    if (room < 7) {
      expect(bytes.subarray(at, at + room).every((byte) => byte === 0)).toBe(true);
      at += room;
      continue;
    }
    const [length, kind] = [bytes.readUInt16LE(at + 4), bytes[at + 6] ?? 0];
    const data = bytes.subarray(at + 7, at + 7 + length);
    expect(length + 7).toBeLessThanOrEqual(room);
    expect(bytes.readUInt32LE(at)).toBe(crc32(Buffer.concat([Buffer.from([kind]), data])));
    expect([1, 2].includes(kind)).toBe(open.length === 0);
    open.push(data);
    if (kind === 1 || kind === 4) {
      found.push(Buffer.concat(open));
      open = [];
    }
    at += 7 + length;
  }
  expect(open).toEqual([]);
  return found;
}

test('an offline run has header, run, a record for each step, and its end, across blocks', async () => {
  const boards = new Boards(folder, ['wandb', 'tensorboard'], { project: 'agoge', run: 'x', config: { seed: 1 } });
  const long = 'n'.repeat(40_000);
  for (let step = 1; step <= 50; step++)
    await boards.scalars(step, { 'critic/score/mean': step / 2, [`m${'x'.repeat(900)}`]: 1, bad: NaN });
  await boards.scalars(51, { [long]: 1 });
  await boards.finish(true);
  const [name = ''] = readdirSync(join(folder, 'wandb'));
  expect(name).toMatch(/^offline-run-\d{8}_\d{6}-[0-9a-f]{8}$/);
  const [file = ''] = readdirSync(join(folder, 'wandb', name));
  const all = records(readFileSync(join(folder, 'wandb', name, file)));
  expect(all).toHaveLength(2 + 51 + 3);
  expect(all[1]?.includes('agoge')).toBe(true);
  expect(all[3]?.includes('critic/score/mean')).toBe(true);
  expect(all[3]?.includes('bad')).toBe(false);
  expect(all[52]?.includes(long)).toBe(true);
  expect(readdirSync(join(folder, 'tensorboard'))).toHaveLength(1);
});

test('a recipe names trackers by a list', () => {
  const base = { run: 'x', tasks: [{ env: 'textcraft' }] };
  expect(rlRecipe({ ...base, log: ['wandb', 'tensorboard'] }).log).toMatchObject({ to: ['wandb', 'tensorboard'], episodes: 1 });
  expect(rlRecipe(base).log.to).toEqual([]);
  expect(() => rlRecipe({ ...base, log: ['mlflow'] })).toThrow(/log/);
});
