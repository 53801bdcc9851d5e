import { describe, expect, test } from 'vitest';
import { outOfMemory } from './device.ts';
import { MemoryLedger } from './ledger.ts';
import { ResidentDevice } from './resident.ts';

const gibibyte = 2 ** 30;

describe('who holds what of a device', () => {
  test('is counted by what it is for, with the most there ever was', () => {
    const ledger = new MemoryLedger(() => 7);
    const giveBack = ledger.take('cache', 100);
    ledger.take('weights', 20);
    giveBack();
    const { held, most } = ledger.memory;
    expect(held).toEqual({ weights: 20, training: 0, activations: 0, cache: 0, other: 0, runtime: 7 });
    expect(most).toBe(127);
  });

  test('without a bound a device is what it is', () => {
    const ledger = new MemoryLedger(() => 0, gibibyte);
    ledger.take('weights', 5);
    expect(ledger.within({ free: 10, total: 20 })).toEqual({ free: 10, total: 20, byBound: false });
    expect(ledger.runtimeBound).toBe(0);
  });

  test("a bound includes the context, what is held and the runtime's quarter", () => {
    let runtime = 0;
    const ledger = new MemoryLedger(() => runtime, gibibyte);
    ledger.limit(5 * gibibyte);
    ledger.take('weights', gibibyte);
    const card = { free: 100 * gibibyte, total: 140 * gibibyte };
    expect(ledger.within(card)).toEqual({ free: 2 * gibibyte, total: 4 * gibibyte, byBound: true });
    runtime = 2 * gibibyte;
    expect(ledger.within(card).free).toBe(gibibyte);
    runtime = 9 * gibibyte;
    expect(ledger.within(card).free).toBe(0);
    expect(ledger.within({ free: 3, total: 4 })).toEqual({ free: 0, total: 4, byBound: true });
  });

  test('a device that others have filled is not what a bound has left', () => {
    const ledger = new MemoryLedger(() => 0, gibibyte);
    ledger.limit(5 * gibibyte);
    expect(ledger.within({ free: gibibyte, total: 140 * gibibyte })).toEqual({
      free: gibibyte,
      total: 4 * gibibyte,
      byBound: false,
    });
    expect(outOfMemory(2 * gibibyte, ledger.within({ free: gibibyte, total: 140 * gibibyte })).message).toContain(
      'the device has 1.00 GiB free',
    );
  });

  test('a bound that leaves nothing is refused', () => {
    expect(() => new MemoryLedger(() => 0, gibibyte).limit(gibibyte)).toThrow(/1\.25 GiB are the least, set engine\.card_memory/);
  });

  test('what is not within the bound is refused by its name', () => {
    const device = new ResidentDevice();
    device.ledger.limit(2 ** 28);
    using _ = device.allocate(2 ** 27, 'weights');
    expect(() => device.allocate(2 ** 27)).toThrow(
      /0\.06 GiB are left of engine\.card_memory and 0\.13 GiB more are needed: raise it/,
    );
  });
});
