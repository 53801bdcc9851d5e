import { expect, test } from 'vitest';
import { Random } from '../../../../core/random/random.ts';
import { webArena } from '../../webarena.ts';

async function plays(share: number): Promise<readonly { readonly text: string; readonly solved: boolean }[]> {
  const environment = await webArena({ text: 'short', sites: 'map,wikipedia', longest: '3' });
  return Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const { episode, expert } = await environment.practice(Random.of(7, 'practice', at), share);
      const said = [episode.observation];
      for (;;) {
        const action = expert.next(said.at(-1) ?? '') ?? '';
        const step = await episode.step(action);
        said.push(action, step.observation);
        // What is said can be read off the page that was shown.
        const [, answer = ''] = /^stop \[(.*)\]$/.exec(action) ?? [];
        if (answer !== 'done') expect(said.at(-3)).toContain(answer);
        if (step.done) return { text: said.join('\n'), solved: step.success === true };
      }
    }),
  );
}

test('practice shows what is needed first, whole pages in the end, under other names, and is solved', async () => {
  const [easy, whole] = [await plays(0), await plays(1)];
  expect([...easy, ...whole].every(({ solved }) => solved)).toBe(true);
  const letters = (played: typeof easy): number => played.reduce((sum, { text }) => sum + text.length, 0);
  expect(letters(easy)).toBeLessThan(letters(whole) / 2);
  expect(whole.filter(({ text }) => text.includes('# Merrow Bay - Wayfare')).length).toBeLessThan(whole.length / 2);
});
