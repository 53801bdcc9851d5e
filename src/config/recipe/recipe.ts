/**
 * From a YAML file and overrides to a resolved recipe. Unknown keys are refused with the nearest known one; every problem is
 * listed with its place, not only the first.
 */
import { stringify } from 'yaml';
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import { checkChoosing } from './choosing.ts';
import { verlHabit } from '../verl/habits.ts';
import { checkRollout } from './rollout-rules.ts';
import { idleSettings } from './idle-settings.ts';
import { issueInWords } from '../../core/issue-words.ts';
import { nearest } from '../../core/nearest.ts';
import { loadOwnDefinitions } from '../own-definitions.ts';
import { commandOf, findRecipe, kindOf } from '../packaged-recipes.ts';
import { applyOverrides } from '../overrides.ts';
import { readConfig } from '../read-config.ts';
import { completeRl, rlSchema, type RlRecipe } from './rl-recipe.ts';
import { rewardModelSchema, type RewardModelRecipe } from './reward-model-recipe.ts';
import { sftSchema, type SftRecipe } from './sft-recipe.ts';
import type { RecipeKind } from '../../run/layout.ts';
import { upgradeRecipe } from './upgrade.ts';
import { watched } from './watched.ts';

/** Reads an RL recipe from a file, with overrides as on the command line; throws CONFIG_…. */
export async function readRlRecipe(path: string, overrides: readonly string[] = []): Promise<RlRecipe> {
  return (await readRlRecipeWithNotes(path, overrides)).recipe;
}

/** The recipe, and what should be said about it before a run: settings that have no effect. */
export async function readRlRecipeWithNotes(
  path: string,
  overrides: readonly string[] = [],
): Promise<{ readonly recipe: RlRecipe; readonly notes: readonly string[] }> {
  const written = watched(withoutPanels(applyOverrides(await readRecipe(path, 'rl'), overrides)));
  await loadOwnDefinitions(written);
  const recipe = rlRecipe(written, path);
  return { recipe, notes: idleSettings(written, recipe) };
}

/** Reads an SFT recipe from a file, with overrides as on the command line; throws CONFIG_…. */
export async function readSftRecipe(path: string, overrides: readonly string[] = []): Promise<SftRecipe> {
  return sftRecipe(watched(withoutPanels(applyOverrides(await readRecipe(path, 'sft'), overrides))), path);
}

export async function readRewardModelRecipe(path: string, overrides: readonly string[] = []): Promise<RewardModelRecipe> {
  return rewardModelRecipe(applyOverrides(await readRecipe(path, 'reward'), overrides), path);
}

/**
 * A list of no panels, written by hand, plays none. Runs store an empty list where nobody wrote one, so this is asked of what a user
 * writes and never of a run that goes on.
 */
export function withoutPanels(written: unknown): unknown {
  const evaluate = valueAt(written, 'evaluate');
  const panels = valueAt(evaluate, 'panels');
  if (!Array.isArray(panels) || panels.length > 0) return written;
  return { ...(written as object), evaluate: { ...(evaluate as object), every: 0, at_start: false, at_end: false } };
}

/** A recipe as written, of the user's or one that ships; one of the other kind is named with its command. */
async function readRecipe(name: string, kind: RecipeKind): Promise<unknown> {
  const { path, meant } = await findRecipe(name);
  if (meant !== undefined) {
    throw new AgogeError('CONFIG_NOT_FOUND', `there is no recipe ${name}: did you mean "${meant}"? See: agoge recipes`);
  }
  const written = await readConfig(path);
  const is = kindOf(written);
  if (is === undefined || is === kind) return written;
  throw new AgogeError('CONFIG_WRONG_KIND', `${name} is a recipe for ${whats[is]}: use agoge ${commandOf(is)} ${name}`);
}

const whats = { rl: 'reinforcement learning', sft: 'supervised training', reward: 'a reward model' } as const;

/** The JSON schema of a recipe as written, for editors and other programs. */
export function recipeSchema(kind: RecipeKind): Readonly<Record<string, unknown>> {
  const schema = { rl: rlSchema, sft: sftSchema, reward: rewardModelSchema }[kind];
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}

/**
 * Completes an RL recipe that is given as an object; throws CONFIG_INVALID.
 *
 * @example
 * const recipe = rlRecipe({ run: 'mine', tasks: [{ env: 'textcraft' }], steps: 10 });
 * console.log(recipe.algorithm.clip); // [0.2, 0.2]
 */
export function rlRecipe(config: unknown, name = 'the recipe'): RlRecipe {
  const recipe = completeRl(check(rlSchema, config, name, 'rl'));
  checkRollout(name, recipe);
  checkChoosing(name, recipe.evaluate, recipe.stop.patience !== null || recipe.stop.success !== null);
  return recipe;
}

/**
 * Completes an SFT recipe that is given as an object; throws CONFIG_INVALID.
 *
 * @example
 * const recipe = sftRecipe({ run: 'mine', data: { source: 'experts', experts: [{ env: 'textcraft' }] }, steps: 10 });
 * console.log(recipe.optimizer.schedule); // cosine
 */
export function sftRecipe(config: unknown, name = 'the recipe'): SftRecipe {
  const recipe = check(sftSchema, config, name, 'sft');
  if (recipe.engine.sampler !== null)
    throw new AgogeError('CONFIG_INVALID', `${name}: engine.sampler samples for reinforcement learning: leave it out`);
  checkChoosing(name, recipe.evaluate, false);
  return recipe;
}

export function rewardModelRecipe(config: unknown, name = 'the recipe'): RewardModelRecipe {
  return check(rewardModelSchema, config, name);
}

export type AnyRecipe = RlRecipe | SftRecipe | RewardModelRecipe;

/** As it is stored in the run directory. */
export function formatRecipe(recipe: AnyRecipe): string {
  return stringify(recipe, { flowCollectionPadding: true, collectionStyle: 'any', lineWidth: 130 });
}

function check<S extends z.ZodType>(schema: S, config: unknown, name: string, kind?: 'rl' | 'sft'): z.output<S> {
  const parsed = schema.safeParse(config, { error: issueInWords });
  if (parsed.success) return parsed.data;
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  const verl = (key: string): string[] | undefined => kind && verlHabit(kind, key, valueAt(config, key));
  const written = { shape, verl, has: (place: string) => valueAt(config, place) !== undefined };
  const problems = parsed.error.issues.flatMap((issue) => describe(issue, written));
  throw new AgogeError('CONFIG_INVALID', `${name}: ${problems.join('; ').replace(/(?<!\?)$/, '.')} ${remedy(config, name)}`);
}

function remedy(config: unknown, name: string): string {
  const { changes } = upgradeRecipe(config, 'tell');
  const words = changes.filter(({ edits }) => edits.length > 0).map(({ note }) => note);
  if (words.length > 0)
    return `It is of an earlier version (${words.join('; ')}): agoge migrate ${name} writes it in today's words`;
  return 'Correct the recipe, or see it resolved with --dry-run';
}

/** How what a recipe cannot do without is written. */
const examples: Readonly<Record<string, string>> = {
  run: 'run: my-run',
  tasks: 'tasks: [{ env: textcraft }]',
  env: 'env: textcraft',
  data: 'data: { train: demonstrations.jsonl }',
  pairs: 'pairs: { train: pairs.jsonl }',
};

function missing(place: string): string {
  if (place === '') return 'it is empty: agoge recipes lists recipes to begin with';
  const example = examples[place.split('.').at(-1) ?? ''];
  return `"${place}" is missing: add it${example === undefined ? '' : `, such as ${example}`}`;
}

function valueAt(config: unknown, key: string): unknown {
  if (key === '') return config ?? undefined;
  const into = (at: unknown, part: string): unknown =>
    typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[part] : undefined;
  return key.split('.').reduce(into, config);
}

interface Written {
  readonly shape: Shape;
  /** What verl's users mean by a key. */
  readonly verl: (key: string) => string[] | undefined;
  readonly has: (place: string) => boolean;
}

function describe(issue: z.core.$ZodIssue, written: Written): string[] {
  const place = issue.path.join('.');
  const { shape, verl } = written;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(shape, issue.path.map(String));
    return issue.keys.flatMap((key) => {
      const inside = place === '' ? '' : `${place}.`;
      const full = inside + key;
      // A key of another form of the same thing: rows of a file and the split of an environment, say.
      if (known.includes(key)) return `"${full}" does not go with the others of ${place}: write one form or the other`;
      const close = nearest(key, known);
      const meant = close === undefined ? `; known here: ${known.join(', ')}` : `: did you mean "${inside}${close}"?`;
      return verl(full) ?? `unknown key "${full}"${meant}`;
    });
  }
  if (!written.has(place)) return [missing(place)];
  if (issue.code === 'invalid_union') {
    // Of several forms the one that was meant is the one with the fewest mistakes.
    const [meant] = issue.errors
      .filter((branch) => branch.some((inner) => inner.code === 'unrecognized_keys' || inner.path.length > 0))
      .sort((a, b) => a.length - b.length);
    if (meant) return meant.flatMap((inner) => describe({ ...inner, path: [...issue.path, ...inner.path] }, written));
  }
  return [`${place === '' ? 'the whole' : place}: ${issue.message}`];
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
}

/** The keys that the schema knows at a path. */
function keysAt(shape: Shape, path: readonly string[]): string[] {
  const branches = [shape, ...(shape.anyOf ?? []), ...(shape.allOf ?? [])];
  const [key, ...rest] = path;
  if (key === undefined) return branches.flatMap((branch) => Object.keys(branch.properties ?? {}));
  return branches.flatMap((branch) => {
    const next = /^\d+$/.test(key) ? branch.items : branch.properties?.[key];
    return next ? keysAt(next, rest) : [];
  });
}
