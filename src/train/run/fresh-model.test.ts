import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sftRecipe } from '../../config/recipe/recipe.ts';
import { conversationTexts } from '../sft/texts.ts';
import { openFreshModel } from './fresh-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-fresh-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a fresh model', () => {
  it('has the words of the files that it will learn from', async () => {
    const path = join(folder, 'talk.jsonl');
    const say = (n: number): string =>
      JSON.stringify({
        messages: [
          { role: 'system', content: 'Unread rules.' },
          { role: 'user', content: `zyzzyva ${n}` },
          { role: 'assistant', content: 'quokka' },
        ],
      });
    writeFileSync(path, [1, 2, 3].map(say).join('\n'));
    expect(await conversationTexts([path], 2)).toEqual(['zyzzyva 1', 'quokka', 'zyzzyva 2', 'quokka']);

    const texts = await conversationTexts([path], 10);
    const { policy, engine } = sftRecipe({
      run: 'fresh',
      policy: { fresh: { preset: 'xxs', vocabulary: 300, context: 64 } },
      data: { train: path },
    });
    if (typeof policy === 'string') throw new Error('a fresh policy was asked for');
    await using model = await openFreshModel({ fresh: policy.fresh, engine, seed: 1, texts });
    expect(model.model.tokenizer.encode('quokka')).toHaveLength(1);
    expect(model.model.tokenizer.encode('Unread').length).toBeGreaterThan(1);
  });
});
