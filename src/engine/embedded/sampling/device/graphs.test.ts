/** The graphs in bfloat16, as far as a processor can try them: the runtime checks all types before it looks for kernels, which it lacks. */
import { expect, test } from 'vitest';
import type { CompiledGraph } from '../../graph/graph.ts';
import { presetConfig, type ModelConfig } from '../../network/config.ts';
import { Session } from '../../runtime/session.ts';
import { blocksOf } from './draw-graph.ts';
import { copyGraph, promptGraph, singlePromptGraph, stepGraph } from './graphs.ts';

const gemma = { queryScalar: 6, window: 3, localTheta: 50, local: [true, false] };
const variants: Record<string, Partial<ModelConfig>> = {
  llama: {},
  qwen2: { family: 'qwen2', attentionBias: true },
  qwen3: { family: 'qwen3', queryKeyNorm: true },
  'gemma 3': { family: 'gemma3_text', queryKeyNorm: true, gemma },
  'gemma 2': { family: 'gemma2', gemma: { ...gemma, caps: { attention: 1.5, logits: 2 } } },
  'olmo 2': { family: 'olmo2', tied: false },
};

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
  const config = presetConfig('xxs', { vocabulary: 97, ...overrides });
  const options = { type: 'bfloat16', length: 32 } as const;
  for (const attention of ['fused', 'composed'] as const)
    for (const kind of ['plain', 'cut', 64, 97] as const)
      for (const alternatives of [false, true])
        expect(complaint(stepGraph(config, { ...options, attention, kind, alternatives })), `${attention} ${kind}`).toBe('');
  expect(complaint(promptGraph(config, options)), 'prompts').toBe('');
  expect(complaint(promptGraph(config, options, 64)), 'prompts of a fixed shape').toBe('');
  expect(complaint(singlePromptGraph(config, options)), 'long prompts').toBe('');
  expect(complaint(copyGraph(config, options)), 'copies').toBe('');
});

test.each([1, 2, 97, 300, 512, 2048, 49_152, 50_257, 151_936, 262_144])('a row of %d in blocks', (width) => {
  const [blocks, size] = blocksOf(width);
  expect(blocks * size).toBeGreaterThanOrEqual(width);
  expect(blocks * size - width).toBeLessThan(size);
  expect(Math.max(blocks, size)).toBeLessThanOrEqual(17 * Math.sqrt(width));
});
