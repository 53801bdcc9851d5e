/**
 * GGML's lattice formats (IQ2 and IQ3): groups of a block are points of a fixed lattice with signs, times a step of their own.
 * Layouts and names are those of ggml; little-endian throughout.
 */
import { float16 } from '../files/half.ts';
import { iq2s, iq2xs, iq2xxs, iq3s, iq3xxs, type Lattice } from './lattice-points.ts';

interface LatticeFormat {
  readonly values: number;
  readonly bytes: number;
  unpack(source: Uint8Array, from: number, target: Float32Array, to: number): void;
}

/** The formats by ggml's type name. */
export const latticeFormats: Readonly<Record<string, LatticeFormat>> = {
  IQ2_XXS: {
    values: 256,
    bytes: 66,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      for (let group = 0; group < 8; group++) {
        const at = from + 2 + group * 8;
        const tail = word(source, at + 4);
        const step = Math.fround(scale * (0.5 + (tail >>> 28)) * 0.25);
        for (let part = 0; part < 4; part++)
          put(iq2xxs, byte(source, at + part), evenSigns(tail >>> (7 * part)), step, target, to + group * 32 + part * 8);
      }
    },
  },
  IQ2_XS: {
    values: 256,
    bytes: 74,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      for (let part = 0; part < 32; part++) {
        const packed = byte(source, from + 2 + part * 2) | (byte(source, from + 3 + part * 2) << 8);
        const step = Math.fround(scale * (0.5 + nibble(source, from + 66, part >> 1)) * 0.25);
        put(iq2xs, packed & 511, evenSigns(packed >> 9), step, target, to + part * 8);
      }
    },
  },
  IQ2_S: {
    values: 256,
    bytes: 82,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      for (let part = 0; part < 32; part++) {
        const high = (byte(source, from + 66 + (part >> 2)) >> ((part & 3) * 2)) & 3;
        const point = byte(source, from + 2 + part) | (high << 8);
        const step = Math.fround(scale * (0.5 + nibble(source, from + 74, part >> 1)) * 0.25);
        put(iq2s, point, byte(source, from + 34 + part), step, target, to + part * 8);
      }
    },
  },
  IQ3_XXS: {
    values: 256,
    bytes: 98,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      for (let part = 0; part < 64; part++) {
        const tail = word(source, from + 66 + (part >> 3) * 4);
        const step = Math.fround(scale * (0.5 + (tail >>> 28)) * 0.5);
        const signs = evenSigns(tail >>> (7 * ((part >> 1) & 3))) >> ((part & 1) * 4);
        put(iq3xxs, byte(source, from + 2 + part), signs, step, target, to + part * 4);
      }
    },
  },
  IQ3_S: {
    values: 256,
    bytes: 110,
    unpack(source, from, target, to) {
      const scale = half(source, from);
      for (let part = 0; part < 64; part++) {
        const high = (byte(source, from + 66 + (part >> 3)) >> (part & 7)) & 1;
        const point = byte(source, from + 2 + part) | (high << 8);
        const step = Math.fround(scale * (1 + 2 * nibble(source, from + 106, part >> 3)));
        put(iq3s, point, byte(source, from + 74 + (part >> 1)) >> ((part & 1) * 4), step, target, to + part * 4);
      }
    },
  },
};

/** Writes one point: a set bit of `signs` makes a value negative. */
function put({ width, points }: Lattice, point: number, signs: number, step: number, target: Float32Array, to: number): void {
  for (let i = 0; i < width; i++) {
    const value = step * (points[point * width + i] as number);
    target[to + i] = ((signs >> i) & 1) === 0 ? value : -value;
  }
}

/** Seven signs are stored; the eighth makes the number of negative ones even. */
function evenSigns(stored: number): number {
  const signs = stored & 127;
  let parity = signs ^ (signs >> 4);
  parity ^= parity >> 2;
  parity ^= parity >> 1;
  return signs | ((parity & 1) << 7);
}

function byte(source: Uint8Array, at: number): number {
  return source[at] as number;
}

/** The four bits at a place in a row of them, low half of a byte first. */
function nibble(source: Uint8Array, from: number, place: number): number {
  return (byte(source, from + (place >> 1)) >> ((place & 1) * 4)) & 15;
}

function half(source: Uint8Array, at: number): number {
  return float16(byte(source, at) | (byte(source, at + 1) << 8));
}

function word(source: Uint8Array, at: number): number {
  return byte(source, at) | (byte(source, at + 1) << 8) | (byte(source, at + 2) << 16) | (byte(source, at + 3) << 24);
}
