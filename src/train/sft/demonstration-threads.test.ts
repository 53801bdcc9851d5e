import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Environments } from '../../agent/environments.ts';
import { openPrompting } from '../../agent/prompting.ts';
import { sftRecipe } from '../../config/recipe/recipe.ts';
import { loadWords } from '../../engine/embedded/models/checkpoint.ts';
import { createRenderer } from '../../policy/renderer.ts';
import { DemonstrationThreads } from './demonstration-threads.ts';
import { Demonstrations } from './demonstrations.ts';
import type { Drawing } from './drawing.ts';
import { ExpertSource } from './expert-source.ts';

const recipe = sftRecipe(
  {
    run: 'threads',
    policy: 'base',
    data: {
      source: 'experts',
      experts: [
        { env: 'invented', generated: true, weight: 2 },
        { env: 'wordle', split: 'generated' },
      ],
      curriculum: { levels: 4, window: 1, threshold: 0.5 },
    },
    steps: 1,
  },
  'the test',
);

it.each(['all', 'source'] as const)('threads draw the same batches as the main thread, with levels for %s', async (each) => {
  const curriculum = { ...recipe.data.curriculum, each };
  const leveled = { ...recipe, data: { ...recipe.data, curriculum } };
  const { tokenizer, chatTemplate } = await loadWords(fileURLToPath(new URL('../../../models/base', import.meta.url)));
  const prompt = { ...recipe.agent, format: 'direct' };
  const { format } = await openPrompting(prompt);
  await using environments = new Environments();
  const decks = await Promise.all(
    recipe.data.experts.map(async (entry) => ({ entry, environment: await environments.open(entry) })),
  );
  const renderer = createRenderer(tokenizer, { template: chatTemplate });
  const here = new Demonstrations({ decks, format, renderer, seed: 1, maxTurns: 20 });
  await using threads = new DemonstrationThreads(2, {
    entries: recipe.data.experts,
    prompt,
    tokenizer: tokenizer.files,
    chatTemplate,
    seed: 1,
    maxTurns: 20,
  });
  const batches = async (drawing: Drawing): Promise<unknown[]> => {
    const source = new ExpertSource(drawing, leveled, 2048);
    const drawn: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      const { data, judged } = await source.next(1500);
      drawn.push(data.map((datum) => [Array.from(datum.tokens), Array.from(datum.mask), judged?.get(datum)]));
      source.note(new Map([[0, { token: 1, reply: i === 1 ? 1 : 0 }]]));
    }
    return drawn;
  };
  const expected = await batches(here);
  expect(await batches(threads)).toEqual(expected);
});

it('what a thread cannot open is told as an error with its code', async () => {
  const { tokenizer } = await loadWords(fileURLToPath(new URL('../../../models/base', import.meta.url)));
  const entries = recipe.data.experts.map((entry) => ({ ...entry, env: 'nowhere' }));
  const prompt = { ...recipe.agent, format: 'direct' };
  await using threads = new DemonstrationThreads(1, {
    entries,
    prompt,
    tokenizer: tokenizer.files,
    chatTemplate: undefined,
    seed: 1,
    maxTurns: 20,
  });
  await expect(threads.draw(1, 0)).rejects.toMatchObject({ code: 'ENV_UNKNOWN' });
});
