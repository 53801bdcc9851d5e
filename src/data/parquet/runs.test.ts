import fc from 'fast-check';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { expect, test } from 'vitest';
import { encodeRuns } from './runs.ts';

test('runs and packed groups come back, of any width', () => {
  const run = fc.tuple(fc.nat(), fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(run, { minLength: 1, maxLength: 40 }), (width, runs) => {
      const values = runs.flatMap(([value, length]) => Array<number>(length).fill(value % 2 ** width));
      const bytes = encodeRuns(values, width);
      const read = new Array<number>(values.length);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      readRleBitPackedHybrid({ view, offset: 0 }, width, read, bytes.length);
      expect(read).toEqual(values);
    }),
  );
});
