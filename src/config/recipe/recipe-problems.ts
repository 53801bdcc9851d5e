/** Holds a recipe to its schema: unknown keys with the nearest known one, and every problem with its place, not only the first. */
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import { issueInWords } from '../../core/issue-words.ts';
import { nearest } from '../../core/nearest.ts';
import { valueAt } from '../value-at.ts';
import { verlHabit } from '../verl/habits.ts';
import { upgradeRecipe } from './upgrade.ts';

/** What the schema makes of a recipe; throws CONFIG_INVALID. */
export function checked<S extends z.ZodType>(schema: S, config: unknown, name: string, kind?: 'rl' | 'sft'): z.output<S> {
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
