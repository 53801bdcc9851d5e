/**
 * Rotary position embedding as tables: cos and sin of position × frequency, `[positions, headSize / 2]`. The scaled kinds
 * follow transformers' definitions of `linear`, `llama3` and `yarn`.
 */
import { localBlocks, type ModelConfig, type RopeConfig } from './config.ts';

/** How the blocks of a network turn queries and keys: `local` those with a window, where they differ. */
export function ropesOf(config: ModelConfig): { readonly whole: RopeConfig; readonly local?: RopeConfig } {
  const local = localBlocks(config)?.rope;
  return { whole: config.rope, ...(local && { local }) };
}

export interface RopeTables {
  readonly cos: Float32Array;
  readonly sin: Float32Array;
  readonly positions: number;
}

/** `scale`: both queries and keys come out so many times as long. */
export function ropeTables(rope: RopeConfig, headSize: number, positions: number, scale = 1): RopeTables {
  const frequencies = ropeFrequencies(rope, headSize);
  const magnitude = rope.kind === 'yarn' ? rope.attentionFactor * scale : scale;
  const half = frequencies.length;
  const cos = new Float32Array(positions * half);
  const sin = new Float32Array(positions * half);
  for (let position = 0; position < positions; position++) {
    for (let i = 0; i < half; i++) {
      const angle = position * (frequencies[i] as number);
      cos[position * half + i] = Math.cos(angle) * magnitude;
      sin[position * half + i] = Math.sin(angle) * magnitude;
    }
  }
  return { cos, sin, positions };
}

/** Radians per position for each pair of dimensions. */
export function ropeFrequencies(rope: RopeConfig, headSize: number): Float64Array {
  const half = headSize / 2;
  const plain = Float64Array.from({ length: half }, (_, i) => rope.theta ** ((-2 * i) / headSize));
  switch (rope.kind) {
    case 'default':
      return plain;
    case 'none':
      return plain.fill(0);
    case 'linear':
      return plain.map((frequency) => frequency / rope.factor);
    case 'llama3': {
      const { factor, lowFrequencyFactor: low, highFrequencyFactor: high, originalContext } = rope;
      return plain.map((frequency) => {
        const wavelength = (2 * Math.PI) / frequency;
        if (wavelength < originalContext / high) return frequency;
        if (wavelength > originalContext / low) return frequency / factor;
        const smooth = (originalContext / wavelength - low) / (high - low);
        return ((1 - smooth) * frequency) / factor + smooth * frequency;
      });
    }
    case 'yarn': {
      const { factor, originalContext, betaFast, betaSlow, theta } = rope;
      const dimensionOf = (rotations: number): number =>
        (headSize * Math.log(originalContext / (rotations * 2 * Math.PI))) / (2 * Math.log(theta));
      const low = Math.max(Math.floor(dimensionOf(betaFast)), 0);
      const high = Math.min(Math.ceil(dimensionOf(betaSlow)), headSize - 1);
      const width = high === low ? 0.001 : high - low;
      return plain.map((frequency, i) => {
        const interpolated = Math.min(Math.max((i - low) / width, 0), 1);
        return (frequency / factor) * interpolated + frequency * (1 - interpolated);
      });
    }
  }
}
