import { describe, expect, test } from 'vitest';
import { presetConfig } from '../../network/config.ts';
import { shapeConfig } from '../../network/shapes.ts';
import type { WeightsOnDevice } from './lane-memory.ts';
import { deviceLaneShape, tokenBytes } from './device-plan.ts';

const config = shapeConfig('qwen3-0.6b', { context: 4096 });
const bytes = tokenBytes(config, 'bfloat16');
/** Two fifths of what is free are for keys and values. */
const card = (slots: number, positions: number) =>
  ({ type: 'bfloat16', device: { memory: () => ({ free: (slots * positions * bytes) / 0.4, total: 0 }) } }) as unknown as Pick<
    WeightsOnDevice,
    'device' | 'type'
  >;

describe('slots of a lane on a device', () => {
  test('are all there, somewhat shorter, where the usual length does not fit', () => {
    expect(deviceLaneShape(config, {}, card(257, 2000), 1100)).toEqual({ slots: 256, capacity: 1792 - 4 });
  });

  test('are as many as there are requests at once, unless every step computes all of them', () => {
    const small = presetConfig('deep-6', { vocabulary: 4096, context: 2048 });
    const roomy = card(1e6, 2048);
    expect(deviceLaneShape(small, {}, roomy, 1000).slots).toBe(1024);
    expect(deviceLaneShape(small, { atOnce: 256 }, roomy, 1000).slots).toBe(256);
    expect(deviceLaneShape(small, { atOnce: 5000 }, roomy, 1000).slots).toBe(1024);
    expect(deviceLaneShape(small, { atOnce: 64, fixedWidth: true }, roomy, 1000).slots).toBe(256);
  });

  test('are as long as is needed, and fewer then', () => {
    const { slots, capacity } = deviceLaneShape(config, {}, card(257, 1024), 3000);
    expect(capacity).toBe(3072 - 4);
    expect(slots).toBe(84);
  });

  test('have twice the length once a longer sequence comes, as far as memory goes', () => {
    const present = { slots: 256, capacity: 1024 - 4 };
    expect(deviceLaneShape(config, {}, card(1, 1), 1000, present)).toBe(present);
    expect(deviceLaneShape(config, {}, card(257, 4096), 1100, present)).toEqual({ slots: 256, capacity: 2 * present.capacity });
  });

  test('are refused with a sentence where not one fits', () => {
    expect(() => deviceLaneShape(config, {}, card(1, 512), 3000)).toThrow(/allow more, or shorten the context/);
  });
});
