import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { cardsHere, chosenCard, type Card } from './card.ts';
import { heldByOthers, unmetDemands } from './demands.ts';
import { holdCard } from './hold.ts';
import { mpsRuns } from './mps.ts';
import { temporaryFolder } from './wheel.fixture.ts';

const path = process.env['PATH'];
afterEach(() => {
  process.env['PATH'] = path;
  delete process.env['AGOGE_SHARE_CARD'];
});

/** What stands in the driver's place: a program on the PATH that answers both questions. */
const driver = (cards: string, holders = '', status = 0): void => {
  const folder = temporaryFolder();
  const file = join(folder, 'nvidia-smi');
  writeFileSync(
    file,
    `#!/bin/sh\ncase "$1" in\n*query-gpu*) cat <<'E'\n${cards}\nE\n;;\n*) cat <<'E'\n${holders}\nE\n;;\nesac\nexit ${status}\n`,
  );
  chmodSync(file, 0o755);
  process.env['PATH'] = `${folder}:/usr/bin:/bin`;
};

const h200 = '0, GPU-11aa, NVIDIA H200, 580.95.05, 9.0, 143771, 100000';
const card = (over: Partial<Card> = {}): Card => ({
  index: 0,
  identity: 'GPU-11aa',
  name: 'NVIDIA H200',
  driver: '580.95.05',
  capability: 9,
  total: 2 ** 37,
  free: 2 ** 36,
  holders: [],
  ...over,
});

describe.skipIf(process.platform === 'win32')('cards', () => {
  it('are read from the driver, with the processes that hold their memory', () => {
    driver(`${h200}\n1, GPU-22bb, NVIDIA L4, 580.95.05, 8.9, 23034, 22000`, 'GPU-11aa, 4242, python3, 43008');
    const cards = cardsHere();
    expect(cards).toHaveLength(2);
    expect(cards[0]).toMatchObject({ name: 'NVIDIA H200', capability: 9, driver: '580.95.05', total: 143771 * 2 ** 20 });
    expect(cards[0]?.holders).toEqual([{ process: 4242, name: 'python3', bytes: 43008 * 2 ** 20 }]);
    expect(cards[1]?.holders).toEqual([]);
    expect(chosenCard(cards, undefined)?.index).toBe(0);
    expect(chosenCard(cards, '1')?.name).toBe('NVIDIA L4');
    expect(chosenCard(cards, 'GPU-22')?.index).toBe(1);
    expect(chosenCard(cards, '')).toBeUndefined();
    expect(chosenCard(cards, '7')).toBeUndefined();
  });

  it('are none without a driver, and an error where the driver does not answer', () => {
    process.env['PATH'] = temporaryFolder();
    expect(cardsHere()).toEqual([]);
    driver('NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.', '', 9);
    expect(() => cardsHere()).toThrow(/could not communicate with the NVIDIA driver.*: load the driver/);
  });

  it('must be there, have a driver new enough, and compute in bfloat16 where it is asked for', () => {
    const codes = (over: Partial<Card>, numbers: 'bfloat16' | 'float32' = 'bfloat16', cuda = 13): string[] =>
      unmetDemands(card(over), { cuda }, numbers).map(({ code }) => code);
    expect(unmetDemands(undefined, { cuda: 13 }, 'bfloat16').map(({ code }) => code)).toEqual(['ENGINE_NO_CARD']);
    expect(codes({})).toEqual([]);
    expect(codes({ driver: '570.86.10' })).toEqual(['ENGINE_GPU_DRIVER']);
    expect(codes({ driver: '570.86.10' }, 'bfloat16', 12)).toEqual([]);
    expect(codes({ name: 'Tesla T4', capability: 7.5 })).toEqual(['ENGINE_GPU_NUMBERS']);
    expect(codes({ name: 'Tesla T4', capability: 7.5 }, 'float32')).toEqual([]);
    expect(codes({ name: 'Tesla V100', capability: 7 }, 'float32')).toEqual(['ENGINE_GPU_CARD']);
    expect(unmetDemands(card({ capability: 7.5 }), { cuda: 13 }, 'bfloat16')[0]?.message).toMatch(/set engine\.numbers=float32$/);
  });

  it('say who else holds their memory, and not that we do', () => {
    const holders = [{ process: 4242, name: 'python3', bytes: 42 * 2 ** 30 }];
    expect(heldByOthers(card({ holders }))).toMatch(/process 4242 \(python3\) 42\.0 GiB: end it, or choose another card/);
    expect(heldByOthers(card({ holders: [{ process: process.pid, name: 'node', bytes: 1 }] }))).toBeUndefined();
    const server = { process: 768, name: '/usr/bin/nvidia-cuda-mps-server', bytes: 66 * 2 ** 20 };
    expect(heldByOthers(card({ holders: [server] }))).toBeUndefined();
  });

  it('are shared at once where MPS has made its pipe', () => {
    const folder = temporaryFolder();
    expect(mpsRuns(folder)).toBe(false);
    writeFileSync(join(folder, 'control'), '');
    expect(mpsRuns(folder)).toBe(true);
  });

  it('serve one run at a time; a process that ended without a word does not count', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'GPU-11aa.pid');
    {
      using _held = holdCard(card(), folder);
      using _again = holdCard(card(), folder);
    }
    writeFileSync(file, String(process.ppid));
    expect(() => holdCard(card(), folder)).toThrow(/already runs on card 0: wait for it, choose another card/);
    process.env['AGOGE_SHARE_CARD'] = '1';
    expect(() => holdCard(card(), folder)).not.toThrow();
    delete process.env['AGOGE_SHARE_CARD'];
    writeFileSync(file, '4194303');
    expect(() => holdCard(card(), folder)).not.toThrow();
  });

  it('are shared by runs that say how much they take, and by no other', () => {
    const folder = temporaryFolder();
    using _one = holdCard(card(), folder, true);
    using _other = holdCard(card(), folder, true);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, 'GPU-11aa.pid'), String(process.ppid));
    expect(() => holdCard(card(), folder, true)).toThrow(/or share it: set engine\.card_memory for both/);
  });
});
