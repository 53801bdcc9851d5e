/**
 * The graphs of a card in bfloat16, as far as a processor can try them: it has no kernels for it, but the runtime checks all types before it looks for
 * kernels. A sum of two types would be found here.
 */
import { expect, test } from 'vitest';
import type { CompiledGraph } from '../graph/graph.ts';
import { Session } from '../runtime/session.ts';
import { blockGraphs } from './block.ts';
import { presetConfig, type ModelConfig } from './config.ts';
import { deviceLanguageHead } from './device-head.ts';
import { valueHead } from './head.ts';
import { targetsOf } from './lora.ts';

const variants: Record<string, Partial<ModelConfig>> = {
  llama: {},
  qwen2: { family: 'qwen2', attentionBias: true },
  qwen3: { family: 'qwen3', queryKeyNorm: true },
  'gemma 3': {
    family: 'gemma3_text',
    queryKeyNorm: true,
    gemma: { queryScalar: 6, window: 3, localTheta: 50, local: [true, false] },
  },
  'gemma 2': {
    family: 'gemma2',
    gemma: { queryScalar: 6, window: 3, localTheta: 50, local: [true, false], caps: { attention: 1.5, logits: 2 } },
  },
  'olmo 2': { family: 'olmo2', tied: false },
};

/** What the runtime says of a graph; lack of a kernel comes after all types were found to agree. */
function complaint(graph: CompiledGraph): string {
  try {
    Session.compile(graph)[Symbol.dispose]();
    return '';
  } catch (thrown) {
    const { message } = thrown as Error;
    return message.includes('Could not find an implementation') ? '' : message;
  }
}

test.each(Object.entries(variants))('%s: types agree', (_, overrides) => {
  const base = presetConfig('xxs', { vocabulary: 24, ...overrides });
  const lora = { rank: 2, alpha: 2, targets: targetsOf('all-linear') };
  for (const config of [base, { ...base, frozen: 'bfloat16' as const, lora }]) {
    const { kept, ...blocks } = blockGraphs(config, 2, true, 'bfloat16');
    expect(kept.some(({ type }) => type === 'bfloat16')).toBe(true);
    const graphs = {
      ...blocks,
      ...deviceLanguageHead(config, 'bfloat16'),
      ...Object.fromEntries(
        Object.entries(valueHead({ ...config, head: 'value' }, true, 'bfloat16')).map(([key, graph]) => [`value ${key}`, graph]),
      ),
    };
    for (const [name, graph] of Object.entries(graphs)) expect(complaint(graph), name).toBe('');
  }
});
