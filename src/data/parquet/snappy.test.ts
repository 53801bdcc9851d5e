import { snappyUncompress } from 'hyparquet';
import { expect, test } from 'vitest';
import { Random } from '../../core/random/random.ts';
import { snappyCompress } from './snappy.ts';

test('what is compressed comes back, whatever it is', () => {
  const random = Random.of(3);
  const cases = [0, 1, 3, 14, 15, 16, 17, 59, 60, 61, 64, 67, 68, 255, 256, 257, 4096, 70_000, 300_000].flatMap((length) => [
    new Uint8Array(length),
    Uint8Array.from({ length }, () => random.below(256)),
    Uint8Array.from({ length }, () => 97 + random.below(2)),
    Uint8Array.from({ length }, (_, i) => (i % 5000 < 4000 ? 65 + ((i * i) % 23) : random.below(256))),
  ]);
  for (const input of cases) {
    const packed = snappyCompress(input);
    const output = new Uint8Array(input.length);
    snappyUncompress(packed, output);
    expect(Buffer.from(output).equals(Buffer.from(input)), `${input.length} bytes`).toBe(true);
  }
});

test('text that repeats becomes small', () => {
  const text = Buffer.from('craft 4 oak planks using 1 oak log\n'.repeat(2000));
  expect(snappyCompress(text).length).toBeLessThan(text.length / 15);
});
