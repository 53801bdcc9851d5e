/**
 * What `agoge migrate` does apart from printing: a recipe, or the folder of a run, of an earlier version in today's words. The new form is
 * checked before anything is written, and the file of before stays beside it.
 */
import { existsSync } from 'node:fs';
import { copyFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { editText } from '../config/recipe/edit-text.ts';
import { rewardModelRecipe, rlRecipe, sftRecipe } from '../config/recipe/recipe.ts';
import { changeInWords, upgradeRecipe, type Change } from '../config/recipe/upgrade.ts';
import { loadOwnDefinitions } from '../config/own-definitions.ts';
import { commandOf, kindOf, type TrainingCommand } from '../config/packaged-recipes.ts';
import { readConfig } from '../config/read-config.ts';
import { AgogeError } from '../core/error.ts';
import { Checkpoints } from '../run/checkpoints.ts';
import { writeWhole } from '../run/files.ts';
import { layout, type RecipeKind, type RunInfo } from '../run/layout.ts';
import { takeFolder } from '../run/ownership.ts';
import { readInside } from '../run/inside.ts';
import { mostBytes, readRunInfo } from '../run/run-info.ts';
import { folderVersion } from '../run/version.ts';

export interface MigrateOptions {
  /** false: only say what would change. */
  readonly write: boolean;
  /** Write out defaults of before in a recipe. A run keeps them in any case. */
  readonly keepDefaults: boolean;
}

export interface Migrated {
  readonly path: string;
  readonly what: 'recipe' | 'run';
  readonly changes: readonly Change[];
  /** The recipe's new text; undefined where it is a program, which we do not write. */
  readonly text: string | undefined;
  /** Files that were written, and where the recipe of before lies. */
  readonly wrote: readonly string[];
  readonly before: string | undefined;
  /** Of a run: the command that goes on with it, and after which step; undefined where nothing was saved. */
  readonly resume?: { readonly command: TrainingCommand; readonly step: number | undefined };
}

/** Throws CONFIG_… where the new form would still be refused, RUN_… where a folder is no run or is being written. */
export async function migrate(path: string, options: MigrateOptions): Promise<Migrated> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw new AgogeError('CONFIG_NOT_FOUND', `there is no ${path}: give the path of a recipe or of a run's folder`);
  return found.isDirectory() ? migrateRun(path, options) : migrateRecipe(path, options);
}

async function migrateRecipe(path: string, { write, keepDefaults }: MigrateOptions): Promise<Migrated> {
  const written = await readConfig(path);
  const kind = kindOf(written);
  if (kind === undefined)
    throw new AgogeError(
      'CONFIG_WRONG_KIND',
      `${path} has no block of a recipe (tasks, data or pairs): give a recipe or a run's folder`,
    );
  const isProgram = /\.[cm]?[jt]s$/.test(path);
  const old = isProgram ? undefined : await readFile(path, 'utf8');
  const { changes, text } = await inTodaysWords({ name: path, kind, written, text: old }, keepDefaults ? 'keep' : 'tell');
  const result = { path, what: 'recipe', changes, text, wrote: [], before: undefined } as const;
  if (!write || text === undefined || text === old) return result;
  const before = await keepBefore(path);
  await writeWhole(path, text);
  return { ...result, wrote: [path], before };
}

async function migrateRun(path: string, { write }: MigrateOptions): Promise<Migrated> {
  const info = await readRunInfo(path);
  const { kind } = info;
  if (kind === 'own')
    throw new AgogeError(
      'TRAIN_OWN_RUN',
      `${path} was made by a program with a trainer of its own: start that program again to go on with it`,
    );
  const owner = write ? await takeFolder(path) : undefined;
  try {
    const old = (await readInside(path, layout.config, mostBytes)) ?? '';
    const name = join(path, layout.config);
    const { changes, text } = await inTodaysWords({ name, kind, written: parse(old), text: old }, 'keep');
    const checkpoints = new Checkpoints(path);
    const step = await checkpoints.latest();
    // A state that this version cannot read is refused here and not in the middle of a resume.
    if (step !== undefined) await checkpoints.state(step);
    const resume = { command: commandOf(kind), step };
    const written = write ? await writeRun(path, info, text === old ? undefined : text) : { wrote: [], before: undefined };
    return { path, what: 'run', changes, text, ...written, resume };
  } finally {
    await owner?.release();
  }
}

interface OldRecipe {
  readonly name: string;
  readonly kind: RecipeKind;
  readonly written: unknown;
  /** As it stands in its file; undefined where that is a program. */
  readonly text: string | undefined;
}

/** What changed, and the new text, which means what the changes say and nothing else. */
async function inTodaysWords(
  { name, kind, written, text }: OldRecipe,
  defaults: 'keep' | 'tell',
): Promise<{ readonly changes: readonly Change[]; readonly text: string | undefined }> {
  const { config, changes } = upgradeRecipe(written, defaults);
  const resolve = { rl: rlRecipe, sft: sftRecipe, reward: rewardModelRecipe }[kind];
  await loadOwnDefinitions(config);
  const recipe = resolve(config, name);
  if (text === undefined) return { changes, text };
  const edited = editText(
    text,
    changes.flatMap((change) => change.edits),
  );
  if (isDeepStrictEqual(resolve(parse(edited), name), recipe)) return { changes, text: edited };
  const by = changes.map(changeInWords).join('; ');
  throw new AgogeError(
    'CONFIG_MIGRATE',
    `${name} cannot be edited without changing what it means elsewhere: change it by hand (${by})`,
  );
}

async function writeRun(path: string, info: RunInfo, text: string | undefined): Promise<Pick<Migrated, 'wrote' | 'before'>> {
  const wrote: string[] = [];
  let before: string | undefined;
  if (text !== undefined) {
    const recipe = join(path, layout.config);
    before = await keepBefore(recipe);
    await writeWhole(recipe, text);
    wrote.push(recipe);
  }
  if (info.v !== folderVersion) {
    const file = join(path, layout.info);
    await writeWhole(file, `${JSON.stringify({ ...info, v: folderVersion }, null, 2)}\n`);
    wrote.push(file);
  }
  return { wrote, before };
}

/** `mine.before.yaml` beside `mine.yaml`. One that is there is from an earlier time and stays. */
async function keepBefore(path: string): Promise<string> {
  const before = path.replace(/(\.[^./\\]+)?$/, '.before$1');
  if (!existsSync(before)) await copyFile(path, before);
  return before;
}
