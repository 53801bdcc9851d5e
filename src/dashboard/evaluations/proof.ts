/** What a demo proves, from the evaluation that it keeps in its own folder: before, after, the paired difference, and one task played both ways. */
import { join } from 'node:path';
import { z } from 'zod';
import { readInside } from '../../run/inside.ts';
import { evaluationLayout } from '../../run/layout.ts';
import { Decoder } from '../runs/decoder.ts';
import { EpisodeShelf } from '../runs/episode-shelf.ts';
import type { EpisodeView, Proof } from '../model.ts';

/** The evaluation of a run that compares its start with its end. */
export const proofFolder = 'evaluation';

const estimate = z.object({ mean: z.number(), low: z.number(), high: z.number() });
const schema = z.object({
  scores: z.array(
    z.object({
      env: z.string(),
      split: z.string(),
      policy: z.string(),
      scored: z.number(),
      success: estimate,
      perTask: z.array(z.object({ index: z.number(), success: z.array(z.number()) })),
    }),
  ),
  comparisons: z.array(
    z.object({
      a: z.string(),
      b: z.string(),
      success: z.object({ difference: z.number(), low: z.number(), high: z.number(), p: z.number() }),
    }),
  ),
});

/** undefined where the run has no such evaluation, or none that is complete and readable. */
export async function readProof(folder: string): Promise<Proof | undefined> {
  try {
    const text = await readInside(folder, join(proofFolder, evaluationLayout.results), 1 << 26);
    if (text === undefined) return undefined;
    const { scores, comparisons } = schema.parse(JSON.parse(text));
    const [comparison] = comparisons;
    const before = scores.find(({ policy }) => policy === comparison?.a);
    const after = scores.find(({ policy, env }) => policy === comparison?.b && env === before?.env);
    if (!comparison || !before || !after) return undefined;
    const panel = `${before.env}/${before.split}`;
    const share = ({ policy, scored, success: { mean, low, high } }: typeof before) => ({
      panel,
      policy,
      n: scored,
      success: mean,
      low,
      high,
    });
    const learned = after.perTask.find(
      ({ index, success }) => success[0] === 1 && before.perTask.find((task) => task.index === index)?.success[0] === 0,
    );
    const example = learned && (await played(folder, `${panel}#${String(learned.index)}`, [comparison.a, comparison.b]));
    return {
      before: share(before),
      after: share(after),
      ...comparison.success,
      ...(example && { example }),
    };
  } catch {
    return undefined;
  }
}

async function played(folder: string, task: string, [a, b]: readonly [string, string]): Promise<Proof['example']> {
  const inner = join(folder, proofFolder);
  const shelf = new EpisodeShelf(inner, new Decoder(inner));
  const first = async (policy: string): Promise<EpisodeView | undefined> => {
    const [found] = (await shelf.search({ task, policy, limit: 1 })).rows;
    return found && shelf.episode(found.place);
  };
  const [before, after] = [await first(a), await first(b)];
  return before && after && { before, after };
}
