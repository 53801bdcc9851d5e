/**
 * Hydra's composition as far as verl uses it: the `defaults` list (base files built in by version, other files from the folder
 * and the search path, groups mounted at a package), `_self_`, then overrides, then interpolation. What cannot be found is named.
 */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { interpolate, type Tree } from '../interpolate.ts';
import { applyOverrides } from '../overrides.ts';
import { readConfig } from '../read-config.ts';
import { baseOf, isBase, type BaseName, type VerlVersion } from './bases.ts';

export interface Composed {
  /** Every value by its dotted key. */
  readonly flat: ReadonlyMap<string, unknown>;
  /** The keys that the files and overrides of the user give. */
  readonly given: ReadonlySet<string>;
  readonly base?: BaseName | undefined;
  /** Entries of `defaults` that could not be found. */
  readonly missing: readonly string[];
}

export interface ComposeOptions {
  readonly version: VerlVersion;
  readonly overrides?: readonly string[];
  /** The file is a base of verl itself: what it says was not chosen by the user. */
  readonly isBase?: boolean;
  /** Where the file lies: its neighbours may be named in `defaults`. */
  readonly folder?: string | undefined;
}

export async function compose(config: Tree, options: ComposeOptions): Promise<Composed> {
  const { version, overrides = [], folder = '.' } = options;
  const state: State = { version, root: folder, missing: [], base: undefined };
  const parts = await partsOf(config, folder, state);
  const user = parts
    .filter((part) => !part.builtin && options.isBase !== true)
    .reduce<Tree>((tree, part) => merge(tree, part.tree), {});
  const given = applyOverrides(user, overrides) as Tree;
  const whole = applyOverrides(
    parts.reduce<Tree>((tree, part) => merge(tree, part.tree), {}),
    overrides,
  ) as Tree;
  return {
    flat: new Map(flatten(interpolate(whole))),
    given: new Set([...flatten(given)].map(([key]) => key)),
    base: state.base,
    missing: state.missing,
  };
}

interface State {
  readonly version: VerlVersion;
  /** Folder of the primary file: groups that begin with a slash lie there. */
  readonly root: string;
  readonly missing: string[];
  base: BaseName | undefined;
}

interface Part {
  readonly tree: Tree;
  readonly builtin: boolean;
}

/** What a file is made of, in the order in which later parts win. */
async function partsOf(config: Tree, folder: string, state: State): Promise<Part[]> {
  const { defaults, hydra, ...own } = config;
  const self: Part = { tree: own, builtin: false };
  if (!Array.isArray(defaults)) return [self];
  const folders = [folder, ...searchPath(hydra, folder), state.root];
  const parts: Part[] = [];
  let placed = false;
  for (const entry of defaults as unknown[]) {
    if (entry === '_self_') {
      parts.push(self);
      placed = true;
    } else parts.push(...(await partsOfEntry(entry, folders, state)));
  }
  return placed ? parts : [...parts, self];
}

async function partsOfEntry(entry: unknown, folders: readonly string[], state: State): Promise<Part[]> {
  if (typeof entry === 'string') {
    const [named = '', at] = entry.replace(/^\//, '').split('@');
    if (at !== undefined) return mountedParts(entry, named, at, folders, state);
    const name = named;
    const found = await fileNamed(name, folders);
    if (isBase(name)) {
      state.base = name;
      const table: Part = { tree: nested(baseOf(name, state.version)), builtin: true };
      // The file itself, where it is there, says more than the table does: a fork may have changed it.
      const file = found === undefined ? [] : await partsOf((await readConfig(found)) as Tree, dirname(found), state);
      return [table, ...file.map(({ tree }) => ({ tree, builtin: true }))];
    }
    if (found !== undefined) return partsOf((await readConfig(found)) as Tree, dirname(found), state);
    state.missing.push(`defaults: ${entry}`);
    return [];
  }
  if (typeof entry !== 'object' || entry === null) return [];
  const parts: Part[] = [];
  for (const [key, option] of Object.entries(entry)) {
    const [group = '', at] = key.replace(/^(override|optional) +/, '').split('@');
    if (typeof option !== 'string' || group.startsWith('hydra')) continue;
    const plain = group.replace(/^\//, '');
    const place = at === undefined || at === '_here_' ? plain.replaceAll('/', '.') : at;
    parts.push(...(await mountedParts(`${key}: ${option}`, join(plain, option), place, folders, state)));
  }
  return parts;
}

/** The parts of a file at a package. */
async function mountedParts(entry: string, name: string, at: string, folders: readonly string[], state: State): Promise<Part[]> {
  const found = await fileNamed(name, folders);
  if (found === undefined) {
    state.missing.push(`defaults: ${entry}`);
    return [];
  }
  const inside = await partsOf((await readConfig(found)) as Tree, dirname(found), state);
  return inside.map(({ tree, builtin }) => ({ tree: at === '_global_' ? tree : mounted(at, tree), builtin }));
}

async function fileNamed(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const path = join(folder, /\.ya?ml$/.test(name) ? name : `${name}.yaml`);
    if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  }
  return undefined;
}

/** `hydra.searchpath`: as written from where the command runs, and from the file's own folder. */
function searchPath(hydra: unknown, folder: string): string[] {
  const list = typeof hydra === 'object' && hydra !== null ? (hydra as { searchpath?: unknown }).searchpath : undefined;
  if (!Array.isArray(list)) return [];
  const paths = list.filter((each) => typeof each === 'string').map((each) => each.replace(/^file:\/\//, ''));
  return paths.flatMap((path) => (path.includes('://') ? [] : path.startsWith('/') ? [path] : [path, join(folder, path)]));
}

function merge(a: Tree, b: Tree): Tree {
  const merged: Record<string, unknown> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = merged[key];
    merged[key] = isTree(before) && isTree(value) ? merge(before, value) : value;
  }
  return merged;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mounted(at: string, tree: Tree): Tree {
  return at.split('.').reduceRight<Tree>((inside, key) => ({ [key]: inside }), tree);
}

function nested(flat: Readonly<Record<string, unknown>>): Tree {
  return Object.entries(flat).reduce<Tree>((tree, [key, value]) => merge(tree, mountedValue(key, value)), {});
}

function mountedValue(path: string, value: unknown): Tree {
  const keys = path.split('.');
  return keys.slice(0, -1).reduceRight<Tree>((inside, key) => ({ [key]: inside }), { [keys.at(-1) ?? '']: value });
}

function* flatten(tree: unknown, path: readonly string[] = []): Generator<[string, unknown]> {
  if (isTree(tree) && Object.keys(tree).length > 0) {
    for (const [key, value] of Object.entries(tree)) yield* flatten(value, [...path, key]);
  } else if (path.length > 0 && !isTree(tree)) yield [path.join('.'), tree]; // an empty mapping says nothing
}
