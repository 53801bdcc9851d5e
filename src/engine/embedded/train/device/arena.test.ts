import { describe, expect, test } from 'vitest';
import { ResidentDevice } from '../../runtime/resident.ts';
import { DeviceArena } from './arena.ts';

const kilobyte = 1024;
/** Sizes of tensors of a batch: about as much in all, cut otherwise every time. */
const batches = [
  [30, 30, 30],
  [45, 45],
  [20, 70],
  [50, 40],
  [36, 36, 18],
  [62, 28],
  [24, 24, 24, 18],
  [80, 10],
];

function arena(): { device: ResidentDevice; arena: DeviceArena } {
  const device = new ResidentDevice();
  return { device, arena: new DeviceArena(device, 32 * kilobyte) };
}

describe('an arena on a device', () => {
  test('holds no more than the largest batch needs, however often the shapes change', () => {
    const { device, arena: room } = arena();
    using _ = room;
    for (const batch of [...batches, ...batches.toReversed(), ...batches]) {
      for (const size of batch) room.take('uint8', [size * kilobyte]);
      room.rewind();
    }
    room.take('uint8', [1]);
    expect(room.bytes).toBe(96 * kilobyte);
    expect(device.ledger.memory.held.activations).toBe(room.bytes);
    expect(device.ledger.memory.most).toBeLessThanOrEqual(2 * 96 * kilobyte);
  });

  test('leaves alone what is out while more is asked for', () => {
    using room = arena().arena;
    room.take('uint8', [30 * kilobyte]);
    const mark = room.mark();
    const first = room.take('uint8', [30 * kilobyte]);
    const place = first.place;
    room.rewind(mark);
    const again = room.take('uint8', [30 * kilobyte]);
    expect(again.place).toBe(place);
    expect(() => first.address).toThrow(/disposed/);
    expect(room.bytes).toBe(64 * kilobyte);
  });

  test('gives everything back', () => {
    const { device, arena: room } = arena();
    for (const size of [40, 40, 40]) room.take('uint8', [size * kilobyte]);
    room[Symbol.dispose]();
    expect(device.ledger.bytes).toBe(0);
  });
});
