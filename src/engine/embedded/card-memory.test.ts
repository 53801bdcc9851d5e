import { describe, expect, it } from 'vitest';
import { cardFit, cardNeed, withAdapters } from './card-memory.ts';
import { presetConfig } from './network/config.ts';
import { layoutOf } from './network/layout.ts';
import { shapeConfig, shapeNames } from './network/shapes.ts';

const gibibyte = 2 ** 30;
const h200 = 139 * gibibyte;

describe('memory of a card', () => {
  it('is counted by what it is for', () => {
    const config = shapeConfig('qwen3-0.6b');
    const need = cardNeed(config);
    const { length } = layoutOf(config);
    expect(need.parameters).toBe(length);
    expect(need.weights).toBe(2 * length);
    expect(need.training).toBe(20 * length);
    // 28 layers of 8 heads of 128 numbers, keys and values, two bytes each
    expect(need.keyValueToken).toBe(2 * 28 * 8 * 128 * 2);
    expect(cardNeed(config, { numbers: 'float32' })).toMatchObject({ weights: 4 * length, training: 16 * length });
    const adapters = cardNeed(withAdapters(config));
    expect(adapters.weights).toBe(need.weights);
    expect(adapters.training).toBeLessThan(need.training / 5);
  });

  it('knows the sizes of shapes by name', () => {
    const millions = Object.fromEntries(shapeNames.map((name) => [name, Math.round(layoutOf(shapeConfig(name)).length / 1e6)]));
    expect(millions).toMatchObject({
      'smollm2-135m': 135,
      'qwen3-0.6b': 596,
      'qwen3-1.7b': 1721,
      'llama-8b': 8030,
      'qwen3-8b': 8191,
    });
    expect(() => shapeConfig('llama-9b')).toThrow(/no shape is called "llama-9b": use one of smollm2-135m/);
  });

  it('holds 8B with adapters on a card of 80 GiB, and not with all weights trained', () => {
    const llama = shapeConfig('llama-8b');
    const card = 79 * gibibyte;
    expect(cardFit(llama, card)).toBeUndefined();
    const adapters = cardFit(withAdapters(llama), card);
    expect(adapters?.fixed).toBeLessThan(40 * gibibyte);
    expect(adapters?.sequences).toBeGreaterThan(64);
    expect(adapters?.rows).toBeGreaterThan(1024);
    expect(cardFit(withAdapters(llama), 16 * gibibyte)).toBeUndefined();
    expect(cardFit(llama, 24 * gibibyte, { train: false })?.sequences).toBeGreaterThan(0);
  });

  it('computes blocks again where activations would not fit, and says how long a sequence may be', () => {
    const large = cardFit(shapeConfig('qwen3-1.7b'), h200);
    const small = cardFit(shapeConfig('qwen3-1.7b'), 48 * gibibyte);
    expect([large?.recomputed, small?.recomputed]).toEqual([false, true]);
    expect(small?.context).toBeLessThan(large?.context ?? 0);
  });

  it('has room for more when more is free, never less', () => {
    for (const config of [shapeConfig('smollm2-135m'), presetConfig('xs', { vocabulary: 300 }), shapeConfig('qwen3-1.7b')]) {
      let before = { sequences: 0, context: 0 };
      for (let free = 2; free <= 139; free += 1) {
        const fit = cardFit(config, free * gibibyte) ?? { sequences: 0, context: 0 };
        expect(fit.sequences).toBeGreaterThanOrEqual(before.sequences);
        expect(fit.context).toBeGreaterThanOrEqual(before.context);
        before = fit;
      }
    }
  });
});
