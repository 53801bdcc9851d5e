/**
 * Which goals are for training and which for evaluation. For the 1,000 official products these are AgentGym's item ids, kept
 * here as bit sets over its 6,910 goals; other catalogues split by product, so that a held-out goal asks for a product that
 * no training goal asks for.
 */
import type { Goals } from './goals.ts';

export interface Splits {
  readonly train: readonly number[];
  readonly test: readonly number[];
}

/** Number of goals on the official 1,000 products. */
export const OFFICIAL_GOALS = 6910;
const HELD_OUT = 10;
const TEST_TASKS = 200;

export function officialSplits(): Splits {
  return { train: unpack(TRAIN), test: unpack(TEST) };
}

/** Every tenth product is held out; of each the first goal is a test task, up to 200 and at least one. */
export function splitByProduct(goals: Goals): Splits {
  const train: number[] = [];
  const test: number[] = [];
  const tested = new Set<number>();
  for (let index = 0; index < goals.size; index++) {
    const position = goals.productPosition(index);
    if (position % HELD_OUT !== HELD_OUT - 1) train.push(index);
    else if (!tested.has(position) && test.length < TEST_TASKS) {
      tested.add(position);
      test.push(index);
    }
  }
  return test.length > 0 && train.length > 0 ? { train, test } : { train: range(goals.size), test: range(goals.size) };
}

function range(size: number): number[] {
  return Array.from({ length: size }, (_, i) => i);
}

/** Bit i of the set, counted from the lowest bit of each byte, says whether goal i belongs to it. */
function unpack(base64: string): number[] {
  const bytes = atob(base64);
  return range(OFFICIAL_GOALS).filter((i) => (bytes.charCodeAt(i >> 3) >> (i & 7)) & 1);
}

const TRAIN =
  'T3/K69uXkdu5Pb26/TXfAbztjvYXrvYX90097e+tb9yDzrU07//t99ueq9yXk24PwP1zk/2L9W+Xgsiqcdfq5yHovAJivhz59r4L7jD+5HPNwbv7' +
  'cvyBU1NyIH622CIJU6D4tmz3XvVY3sm2Ntb+8FtInHtj2fGz/orvBLL6+h8fLT8fmfG0j2/CER4LCGcPL037y2crzP/6U/1ZD+7/+Nl+7ZJuU4y6' +
  '8VQuT1d9Yx2uvl/Vv6R+QL/v7d2iq/Y5UdxKPxmGaXZLP/QBTvjXbOjIzdbUeStW6td21fSozQ5r1CatadZjYeoT4kUx8LBXTncZ96rdvUOOjxmO' +
  'yu1X35H1+Oxb/0hLfq9EbluercU9MHxtRWWO/bfS6+6PQbw4/7i/f+NSTEyy5y+1pWNN4rDnL8LfES649Xt/fEY7KlYFBdSQ15Roqw7DDnbq/j97' +
  'idbzAcna3tVZNzJ1sftL4aSO2Tudp3Lt9de/pGu2t+BZTYkHCydWtXR6uJixT7hDjczR5Q/sNx07KdgVy59ZUNBtf9yuuVnTW32+43bs3b02+5tY' +
  '8JOa2crhAshX61i3Kv5ezs7dm5hvw9htQPzUDeO5+nbqM2r9vzRNeaweR36qH9+1Q7Ank0fb77ffjPVRhSNM1tA7/xs33Xo/w/qo7/8z07pvwn+r' +
  '7LPcfrK6daDJ/bf1b5OUKr86rW+4uEL5OAf73n96dtGWW7z9ybJIP2xbQvtgvjV7HTyb4I1p1LF7UxLZWXpCGub742K9/5rBdGtNXw0N925WV1BP' +
  '3zKlvHTeR4BMSe/HnwI2UF36G9/Xv1xYlfJzetQ+GMU+eiuQqf4abt5vctoSssFogBgWf8MvxhiK/qG6Y5t89M38EsvYv/neLs41iGtD4Te5O0vV' +
  '+oVgnVi86vc2pIOdf5PY8c/ff2kG72FQL+TqKZ4+1ZLC9D+3+HJTP32IMzN/1ZX7tdFQo57T/7/xXx83S03suSo6+PcnHzC8H3vToah8rLByn/TV' +
  '3wpFkP2di7t/HClHdD8ohf8/8Zvwkt/O+KF9oyPHOjK4uP6lpndIvtS5d6bRPJT+CiODFNS8Mm7DqpPh11EMuFyGx7qJoJa6BEzuc+a7OlAeSQB3' +
  'fezFvdTUZnd4k6Q7woJtkOsi86ZcPO48';

const TEST =
  'AAAABAAAIAAAAABAAAAAAAAAAAAAAAAAABAAAgAAEABQAAAAAAAAAAAAAAAIAIAAAgAAAAAAAAAABAAAAAAAAAABAEAAAAACAAEAAAAAAAAgIAAA' +
  'AAAAAAABAAAAAYCAAAAAAQAAAAigAAAAgAAAAAQAAwAABAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAIIAAAAAEAAAAAAAAAAAAEAAAAgCAAEgAABAE' +
  'AAAAAAAAAAIAAAAAAACAAAAAAAAAAAAAAAAAAIAAAAAAAAAQAAAAAAAAAAAAABAAASAAAAgAAICQIAAAEAAAAAAEEAAAAAoAAAAAAAAAAAAAAGAA' +
  'EAAAAAAIAAAAAAAAAAAAAAAhQAIACgIACAAAAAAgAABwAAAAAAAAAAAAAAAEAAAAEgAAAAAQAAAAAAAAAAAAAAAAAAAAAAIBAAAAAAAAAAABAAAA' +
  'AAAAAAAAAAAgAAAADAAAAAIAAAAAAAAAAAAAQAAAABAAACQAABAAAAAAAAEAAAAAAAAAEBADQAAAAAEAAAAAAAAAAAAAAgAAgABAAAAAAAAAAAAA' +
  'AAAAAAAAAAAAEAAARQAAAAAAIAAAAAAAAAIAAAAAAAAAAAAAAAAAgAAAAAAUAAAAAEAIAAAEAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AAQAAAAAAAIQAAAAAAgAQABAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAgAAAQQCAAAAAAAAACQAAAAAAAAQQAAAABAAAAGAAAAAAAEAAAAAAAAAA' +
  'AAAAAgAAAAAAEBAAAAAACCAAAAAAACIAAAAAAAgAAgAAAABAAAAAAAAAAAAABAAAAAAAAAQAECAAAAAAAACCAAAAQAQEAAQAAAAAEAAIAAAAAAAC' +
  'AAAAAAACAAAAAAAAAAAEAAAAAACAAAAAUAABgAABAAAgAAAAAAAAAAAAgAAAACIAAAgAAAAAAAAAAAAAAAIAAoAAAQgAAAAAAAAgAgAAAAAAAAIA' +
  'AAAIBAAAQACAAAAAgAAAAACAAAAAAQAAAkAAAAAAQAEAAAAQAAAQAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAEAggAQAAAAAAAAAAAAAAA' +
  'ABAAAAAAAAAABAAAAAACAAAAAAAAQAAB';
