/**
 * GGML's block formats to float32. A format is a number of values per block, a number of bytes per block and a function
 * that unpacks one block; names and layouts are those of ggml. Little-endian throughout.
 */
import { float16, widenBfloat16, widenFloat16 } from './half.ts';
import { latticeFormats } from '../tokenizers/lattice.ts';

export interface BlockFormat {
  readonly values: number;
  readonly bytes: number;
  /** Unpacks the block at `from` into `values` numbers at `to`. */
  unpack(source: Uint8Array, from: number, target: Float32Array, to: number): void;
}

/** Unpacks a whole tensor; `source` holds exactly its blocks. */
export function dequantise(format: BlockFormat, source: Uint8Array, target: Float32Array): void {
  for (let from = 0, to = 0; to < target.length; from += format.bytes, to += format.values)
    format.unpack(source, from, target, to);
}

/** The formats by ggml's type name. */
export const blockFormats: Readonly<Record<string, BlockFormat>> = {
  ...latticeFormats,
  F32: {
    values: 1,
    bytes: 4,
    unpack(source, from, target, to) {
      target[to] = new DataView(source.buffer, source.byteOffset + from, 4).getFloat32(0, true);
    },
  },
  F16: {
    values: 1,
    bytes: 2,
    unpack(source, from, target, to) {
      widenFloat16(source.subarray(from, from + 2), target.subarray(to, to + 1));
    },
  },
  BF16: {
    values: 1,
    bytes: 2,
    unpack(source, from, target, to) {
      widenBfloat16(source.subarray(from, from + 2), target.subarray(to, to + 1));
    },
  },
  Q4_0: {
    values: 32,
    bytes: 18,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      for (let i = 0; i < 16; i++) {
        const pair = byte(source, from + 2 + i);
        target[to + i] = scale * ((pair & 15) - 8);
        target[to + 16 + i] = scale * ((pair >> 4) - 8);
      }
    },
  },
  Q4_1: {
    values: 32,
    bytes: 20,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      const minimum = half(source, from + 2);
      for (let i = 0; i < 16; i++) {
        const pair = byte(source, from + 4 + i);
        target[to + i] = scale * (pair & 15) + minimum;
        target[to + 16 + i] = scale * (pair >> 4) + minimum;
      }
    },
  },
  Q5_0: {
    values: 32,
    bytes: 22,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      const high = word(source, from + 2);
      for (let i = 0; i < 16; i++) {
        const pair = byte(source, from + 6 + i);
        target[to + i] = scale * (((pair & 15) | (((high >>> i) & 1) << 4)) - 16);
        target[to + 16 + i] = scale * (((pair >> 4) | (((high >>> (i + 16)) & 1) << 4)) - 16);
      }
    },
  },
  Q5_1: {
    values: 32,
    bytes: 24,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      const minimum = half(source, from + 2);
      const high = word(source, from + 4);
      for (let i = 0; i < 16; i++) {
        const pair = byte(source, from + 8 + i);
        target[to + i] = scale * ((pair & 15) | (((high >>> i) & 1) << 4)) + minimum;
        target[to + 16 + i] = scale * ((pair >> 4) | (((high >>> (i + 16)) & 1) << 4)) + minimum;
      }
    },
  },
  Q8_0: {
    values: 32,
    bytes: 34,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      for (let i = 0; i < 32; i++) target[to + i] = scale * signed(source, from + 2 + i);
    },
  },
  Q2_K: {
    values: 256,
    bytes: 84,
    unpack(source, from, target, to) {
      const scale = half(source, from + 80);
      const minimum = half(source, from + 82);
      for (let group = 0; group < 16; group++) {
        const packed = byte(source, from + group);
        const quants = from + 16 + (group >> 3) * 32 + (group & 1) * 16;
        const shift = ((group & 7) >> 1) * 2;
        const offset = Math.fround(minimum * (packed >> 4));
        const step = Math.fround(scale * (packed & 15));
        for (let i = 0; i < 16; i++) target[to + group * 16 + i] = step * ((byte(source, quants + i) >> shift) & 3) - offset;
      }
    },
  },
  Q3_K: {
    values: 256,
    bytes: 110,
    unpack(source, from, target, to) {
      const scale = half(source, from + 108);
      for (let group = 0; group < 16; group++) {
        const low = (byte(source, from + 96 + (group & 7)) >> (group < 8 ? 0 : 4)) & 15;
        const high = (byte(source, from + 104 + (group & 3)) >> ((group >> 2) * 2)) & 3;
        const step = Math.fround(scale * ((low | (high << 4)) - 32));
        const column = (group & 1) * 16;
        const quants = from + 32 + (group >> 3) * 32 + column;
        const shift = ((group & 7) >> 1) * 2;
        const mask = 1 << (group >> 1);
        for (let i = 0; i < 16; i++) {
          const upper = (byte(source, from + column + i) & mask) === 0 ? 4 : 0;
          target[to + group * 16 + i] = step * (((byte(source, quants + i) >> shift) & 3) - upper);
        }
      }
    },
  },
  Q4_K: {
    values: 256,
    bytes: 144,
    unpack(source, from, target, to) {
      for (let group = 0; group < 8; group++) {
        const [step, offset] = scaleAndMinimum(source, from, group);
        const quants = from + 16 + (group >> 1) * 32;
        const shift = (group & 1) * 4;
        for (let i = 0; i < 32; i++) target[to + group * 32 + i] = step * ((byte(source, quants + i) >> shift) & 15) - offset;
      }
    },
  },
  Q5_K: {
    values: 256,
    bytes: 176,
    unpack(source, from, target, to) {
      for (let group = 0; group < 8; group++) {
        const [step, offset] = scaleAndMinimum(source, from, group);
        const quants = from + 48 + (group >> 1) * 32;
        const shift = (group & 1) * 4;
        for (let i = 0; i < 32; i++) {
          const upper = ((byte(source, from + 16 + i) >> group) & 1) << 4;
          target[to + group * 32 + i] = step * (((byte(source, quants + i) >> shift) & 15) | upper) - offset;
        }
      }
    },
  },
  Q6_K: {
    values: 256,
    bytes: 210,
    unpack(source, from, target, to) {
      const scale = half(source, from + 208);
      for (let part = 0; part < 8; part++) {
        const quarter = part & 3;
        const low = from + (part >> 2) * 64 + (quarter & 1) * 32;
        const high = from + 128 + (part >> 2) * 32;
        for (let i = 0; i < 32; i++) {
          const step = Math.fround(scale * signed(source, from + 192 + part * 2 + (i >> 4)));
          const lower = (byte(source, low + i) >> (quarter < 2 ? 0 : 4)) & 15;
          const upper = ((byte(source, high + i) >> (quarter * 2)) & 3) << 4;
          target[to + part * 32 + i] = step * ((lower | upper) - 32);
        }
      }
    },
  },
  Q8_K: {
    values: 256,
    bytes: 292,
    unpack(source, from, target, to) {
      const scale = new DataView(source.buffer, source.byteOffset + from, 4).getFloat32(0, true);
      for (let i = 0; i < 256; i++) target[to + i] = scale * signed(source, from + 4 + i);
    },
  },
  IQ4_NL: {
    values: 32,
    bytes: 18,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      for (let i = 0; i < 16; i++) {
        const pair = byte(source, from + 2 + i);
        target[to + i] = scale * (levels[pair & 15] as number);
        target[to + 16 + i] = scale * (levels[pair >> 4] as number);
      }
    },
  },
  IQ4_XS: {
    values: 256,
    bytes: 136,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      const high = byte(source, from + 2) | (byte(source, from + 3) << 8);
      for (let group = 0; group < 8; group++) {
        const low = (byte(source, from + 4 + (group >> 1)) >> ((group & 1) * 4)) & 15;
        const step = Math.fround(scale * ((low | (((high >> (2 * group)) & 3) << 4)) - 32));
        const quants = from + 8 + group * 16;
        for (let i = 0; i < 16; i++) {
          const pair = byte(source, quants + i);
          target[to + group * 32 + i] = step * (levels[pair & 15] as number);
          target[to + group * 32 + 16 + i] = step * (levels[pair >> 4] as number);
        }
      }
    },
  },
};

/** The sixteen levels of ggml's non-linear four-bit formats. */
const levels = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113];

/** Step and offset of one of the eight groups of a Q4_K or Q5_K block: six bits each, packed into twelve bytes. */
function scaleAndMinimum(source: Uint8Array, from: number, group: number): [number, number] {
  const packed = from + 4;
  let step = byte(source, packed + (group & 3)) & 63;
  let offset = byte(source, packed + 4 + (group & 3)) & 63;
  if (group >= 4) {
    step = (byte(source, packed + 4 + group) & 15) | ((byte(source, packed + group - 4) >> 6) << 4);
    offset = (byte(source, packed + 4 + group) >> 4) | ((byte(source, packed + group) >> 6) << 4);
  }
  return [Math.fround(half(source, from) * step), Math.fround(half(source, from + 2) * offset)];
}

function byte(source: Uint8Array, at: number): number {
  return source[at] as number;
}

function signed(source: Uint8Array, at: number): number {
  return (byte(source, at) << 24) >> 24;
}

function half(source: Uint8Array, at: number): number {
  return float16(byte(source, at) | (byte(source, at + 1) << 8));
}

function word(source: Uint8Array, at: number): number {
  return byte(source, at) | (byte(source, at + 1) << 8) | (byte(source, at + 2) << 16) | (byte(source, at + 3) << 24);
}
