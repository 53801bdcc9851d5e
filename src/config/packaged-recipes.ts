/**
 * The recipes that ship with the package. A recipe is named by a path or, from any folder, by its bare name: `textcraft-grpo`. A file of
 * the user's always comes first.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearest } from '../core/nearest.ts';
import type { RecipeKind } from '../run/layout.ts';

export type TrainingCommand = 'train' | 'sft' | 'reward';

const folder = fileURLToPath(new URL('../../recipes', import.meta.url));

export interface PackagedRecipe {
  readonly name: string;
  /** The command that runs it. */
  readonly command: TrainingCommand;
  /** The first sentence of its head comment. */
  readonly about: string;
  readonly environments: readonly string[];
  /** The policy it starts from; `fresh` where it makes one. */
  readonly policy: string;
  /** Where its figures stand: `docs/results/learning-runs.md#textcraft`. */
  readonly results: string | undefined;
  readonly path: string;
}

/** The file that a name on the command line means, and what was meant where there is none. */
export async function findRecipe(name: string): Promise<{ readonly path: string; readonly meant?: string | undefined }> {
  if (existsSync(name)) return { path: name };
  const bare = name.replace(/^(?:\.\/)?recipes\//, '').replace(/\.ya?ml$/, '');
  if (bare.includes('/')) return { path: name };
  const known = await recipeNames();
  // The path of a shipped recipe works from any folder, as the guides write it.
  if (known.includes(bare)) return { path: join(folder, `${bare}.yaml`) };
  return { path: name, meant: nearest(bare, known) };
}

/** All of them, by name. */
export async function packagedRecipes(): Promise<PackagedRecipe[]> {
  return Promise.all((await recipeNames()).map(describe));
}

/** The names of those that a command runs, by the keys at the margin of their files: completion answers while a line is typed. */
export async function recipesFor(command: TrainingCommand): Promise<string[]> {
  const keys = async (name: string): Promise<object> => {
    const text = await readFile(join(folder, `${name}.yaml`), 'utf8');
    return Object.fromEntries([...text.matchAll(/^(\w+):/gm)].map(([, key = '']) => [key, true]));
  };
  const all = await Promise.all((await recipeNames()).map(async (name) => ({ name, kind: kindOf(await keys(name)) ?? 'sft' })));
  return all.flatMap(({ name, kind }) => (commandOf(kind) === command ? [name] : []));
}

export async function recipeNames(): Promise<string[]> {
  const files = await readdir(folder);
  return files.flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -'.yaml'.length)] : [])).sort();
}

async function describe(name: string): Promise<PackagedRecipe> {
  const path = join(folder, `${name}.yaml`);
  const text = await readFile(path, 'utf8');
  const comment = /^(?:#.*\n)+/.exec(text)?.[0].replaceAll(/^# ?/gm, '') ?? '';
  const { parse } = await import('yaml');
  const recipe = parse(text) as Written;
  const parts = [...(recipe.tasks ?? []), ...(recipe.data?.experts ?? [])];
  const played = new Set(parts.flatMap(({ env }) => (env === undefined ? [] : [env])));
  return {
    name,
    command: commandOf(kindOf(recipe) ?? 'sft'),
    about: firstSentence(comment),
    // One that learns from files is named after the environment that they were played in.
    environments: played.size > 0 ? [...played] : 'pairs' in recipe ? ['data'] : name.split('-').slice(0, 1),
    policy: typeof recipe.policy === 'string' ? recipe.policy : 'fresh',
    results: /docs\/results\/[\w-]+\.md#[\w-]+/.exec(comment)?.[0],
    path,
  };
}

/** Which command a recipe is for, by the blocks that only one of them has. */
export function kindOf(recipe: unknown): RecipeKind | undefined {
  if (typeof recipe !== 'object' || recipe === null) return undefined;
  if ('pairs' in recipe) return 'reward';
  if ('data' in recipe && !('tasks' in recipe)) return 'sft';
  return 'tasks' in recipe || 'rollout' in recipe || 'algorithm' in recipe ? 'rl' : undefined;
}

/** The command that runs recipes of a kind. */
export function commandOf(kind: RecipeKind): TrainingCommand {
  return kind === 'rl' ? 'train' : kind;
}

function firstSentence(comment: string): string {
  const whole = comment.replaceAll(/\s+/g, ' ').trim();
  // "et al." ends no sentence.
  return /^.*?(?<!\bal)[.:](?=\s|$)/.exec(whole)?.[0].replace(/[.:]$/, '') ?? whole;
}

interface Written {
  readonly policy?: unknown;
  readonly tasks?: readonly { readonly env?: string }[];
  readonly data?: { readonly experts?: readonly { readonly env?: string }[] };
}
