/** What `agoge eval` wrote (eval.json), as tables. Read leniently: a file of another version shows what it has. */
import { join } from 'node:path';
import { z } from 'zod';
import { sum } from '../../learn/rows.ts';
import { readInside, type Listing } from '../../run/inside.ts';
import { evaluationLayout } from '../../run/layout.ts';
import type { Evaluation, EvaluationRow, Found, NamedShare, PolicyFacts, RunSummary, Warning } from '../model.ts';
import { failedEpisodes, shares } from '../runs/warnings.ts';

export interface ReadEvaluations {
  readonly evaluations: readonly Evaluation[];
  readonly problems: readonly string[];
}

const estimate = z.object({ mean: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable() });

const difference = z.object({ difference: z.number(), p: z.number() }).optional().catch(undefined);

const counts = z.record(z.string(), z.number()).catch({});

const standIn = z.literal(true).optional().catch(undefined);

const schema = z.object({
  scores: z.array(
    z.object({
      panel: z.string(),
      env: z.string(),
      split: z.string(),
      standIn,
      policy: z.string(),
      scored: z.number(),
      success: estimate,
      reward: estimate,
      turns: z.number().nullable(),
      failures: z.record(z.string(), z.number()).catch({}),
      categories: z
        .array(z.object({ name: z.string(), scored: z.number(), success: estimate, reward: z.number().nullable() }))
        .catch([]),
      passAt: counts,
      passHat: counts,
      seeds: z
        .object({ success: z.array(z.number()) })
        .optional()
        .catch(undefined),
      breakdown: counts,
      unreadable: z.number().catch(0),
      truncated: counts,
    }),
  ),
  comparisons: z
    .array(
      z.object({
        a: z.string(),
        b: z.string(),
        panel: z.string(),
        verdict: z.string(),
        n: z.number().optional(),
        success: difference,
        reward: difference,
        needed: z.number().nullable().optional(),
      }),
    )
    .catch([]),
});

const listSchema = z.object({
  scores: z.array(
    z.object({
      env: z.string(),
      split: z.string(),
      standIn,
      policy: z.string(),
      scored: z.number(),
      success: estimate,
      failures: counts,
      truncated: counts,
      tokens: z.number().nullish().catch(undefined),
      usage: z.object({ cost: z.number().optional() }).optional().catch(undefined),
      unreadable: z
        .number()
        .nullish()
        .transform((value) => value ?? 0),
    }),
  ),
});

type Score = z.infer<typeof schema>['scores'][number];

/** Bytes; an evaluation of 60,000 tasks has some ten megabytes. */
const most = 1 << 28;

export async function readEvalFile(folder: string): Promise<ReadEvaluations> {
  try {
    const text = await readInside(folder, evaluationLayout.results, most);
    if (text === undefined) return { evaluations: [], problems: [] };
    const { scores, comparisons } = schema.parse(JSON.parse(text));
    const panels = [...new Set(scores.map((score) => score.panel))];
    const evaluations = panels.map((panel): Evaluation => {
      const mine = scores.filter((score) => score.panel === panel);
      return {
        name: mine[0] ? placeOf(mine[0]) : '',
        panel,
        rows: mine.flatMap(rowsOf),
        policies: mine.map(factsOf),
        comparisons: comparisons
          .filter((comparison) => comparison.panel === panel)
          .map((one) => ({ first: one.a, second: one.b, sentence: one.verdict, found: foundIn(one) })),
      };
    });
    return { evaluations, problems: [] };
  } catch (thrown) {
    const why = thrown instanceof z.ZodError ? z.prettifyError(thrown).replaceAll('\n', ' ') : String(thrown);
    return { evaluations: [], problems: [`eval.json cannot be read: ${why}`] };
  }
}

function foundIn({ n, success, reward, needed }: z.infer<typeof schema>['comparisons'][number]): Found | undefined {
  return n !== undefined && success && reward && needed !== undefined ? { n, success, reward, needed } : undefined;
}

/**
 * An evaluation's shares and warnings for the list; nothing where the file is missing or cannot be read (the detail says why).
 * `status` is what status.json holds, where it has been read.
 */
export async function evalShares(folder: Listing, below = '', status?: unknown): Promise<ListedShares> {
  try {
    const { scores } = await listedScores(folder, below, status);
    const episodes = sum(scores.map(({ scored }) => scored));
    const context = sum(scores.map(({ truncated }) => truncated['context'] ?? 0));
    const unreadable = sum(scores.map(({ unreadable: share, scored }) => share * scored));
    const failures: Record<string, number> = {};
    for (const score of scores)
      for (const [by, count] of Object.entries(score.failures)) failures[by] = (failures[by] ?? 0) + count;
    return {
      scores: scores.map(shareOf),
      spent: spentIn(scores),
      warnings: [...(episodes > 0 ? shares(context / episodes, unreadable / episodes) : []), ...failedEpisodes(failures)],
    };
  } catch {
    return { scores: [], warnings: [], spent: {} };
  }
}

export interface ListedShares {
  readonly scores: NamedShare[];
  readonly warnings: Warning[];
  readonly spent: Pick<RunSummary, 'played' | 'tokens' | 'cost'>;
}

/** Episodes in all, and what they took where the file says; a policy that writes no tokens has none. */
function spentIn(scores: z.infer<typeof listSchema>['scores']): ListedShares['spent'] {
  const played = sum(scores.map(({ scored, failures }) => scored + sum(Object.values(failures))));
  const tokens = scores.flatMap(({ scored, tokens: each }) => (typeof each === 'number' ? [each * scored] : []));
  // A policy counts on over its panels: the last of its counts is what it took.
  const costs = new Map(
    scores.flatMap(({ policy, usage }) => (usage?.cost === undefined ? [] : [[policy, usage.cost] as const])),
  );
  return {
    ...(played > 0 && { played }),
    ...(tokens.length > 0 && { tokens: Math.round(sum(tokens)) }),
    ...(costs.size > 0 && { cost: sum([...costs.values()]) }),
  };
}

/** From status.json, or from the whole results where an older version wrote them. */
async function listedScores(folder: Listing, below: string, given: unknown): Promise<z.infer<typeof listSchema>> {
  const status: unknown = given ?? JSON.parse((await readInside(folder, join(below, evaluationLayout.status), most)) ?? '{}');
  const read = listSchema.safeParse(status);
  if (read.success) return read.data;
  return listSchema.parse(JSON.parse((await readInside(folder, join(below, evaluationLayout.results), most)) ?? ''));
}

/** `webshop/test`, and whether its tasks were the official ones. */
function placeOf({ env, split, standIn: stood }: { env: string; split: string; standIn?: true | undefined }): string {
  return `${env}/${split}${stood === true ? ' (stand-in)' : ''}`;
}

function shareOf(score: z.infer<typeof listSchema>['scores'][number]): NamedShare {
  const { policy, scored, success } = score;
  return {
    panel: placeOf(score),
    policy,
    n: scored,
    success: success.mean ?? NaN,
    low: success.low ?? NaN,
    high: success.high ?? NaN,
  };
}

function factsOf({ policy, passAt, passHat, seeds, breakdown, unreadable, truncated }: Score): PolicyFacts {
  return { policy, passAt, passHat, seeds: seeds?.success ?? [], parts: breakdown, unreadable, truncated };
}

function rowsOf(score: Score): EvaluationRow[] {
  const whole: EvaluationRow = {
    environment: score.env,
    policy: score.policy,
    category: 'all',
    n: score.scored,
    success: score.success.mean ?? NaN,
    successLow: score.success.low ?? NaN,
    successHigh: score.success.high ?? NaN,
    reward: score.reward.mean ?? NaN,
    rewardLow: score.reward.low ?? NaN,
    rewardHigh: score.reward.high ?? NaN,
    turns: score.turns ?? NaN,
    failures: score.failures,
  };
  const parts = score.categories.map(({ name, scored, success, reward }) => ({
    ...whole,
    category: name,
    n: scored,
    success: success.mean ?? NaN,
    successLow: success.low ?? NaN,
    successHigh: success.high ?? NaN,
    reward: reward ?? NaN,
    rewardLow: NaN,
    rewardHigh: NaN,
    turns: NaN,
    failures: {},
  }));
  return [whole, ...parts];
}
