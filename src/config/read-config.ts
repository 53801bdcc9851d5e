/** A recipe as it is written: a YAML file, whose faults are said with their line, or what a TypeScript or JavaScript file exports. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { AgogeError } from '../core/error.ts';
import { named } from '../user-modules/held.ts';
import { importOwn } from '../user-modules/load-file.ts';

/** What a file says, as it stands. */
export async function readConfig(path: string): Promise<unknown> {
  if (/\.[cm]?[jt]s$/.test(path) && existsSync(path)) return exported(path);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (thrown) {
    if (/^[\w.+~]+=/.test(path)) {
      const how = `${path} is an override and changes a recipe: name the recipe before it (agoge recipes lists those that ship)`;
      throw new AgogeError('CONFIG_NOT_FOUND', how, { cause: thrown });
    }
    throw new AgogeError(
      'CONFIG_NOT_FOUND',
      `there is no recipe ${path}: give the path of a YAML file, or the name of one that ships (agoge recipes lists them)`,
      {
        cause: thrown,
      },
    );
  }
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error)
    throw new AgogeError('CONFIG_BAD_YAML', `${path} is not YAML: ${error.message.split('\n')[0] ?? ''}; correct the line`);
  try {
    return document.toJS() as unknown;
  } catch (thrown) {
    // Aliases of aliases: a few lines that stand for gigabytes.
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new AgogeError('CONFIG_BAD_YAML', `${path} cannot be read (${why}): write it with fewer aliases`, { cause: thrown });
  }
}

/** A recipe in TypeScript: its default export, in which objects may stand for names. */
async function exported(path: string): Promise<unknown> {
  const spec = path.startsWith('.') || path.startsWith('/') ? path : `./${path}`;
  const { default: recipe } = await importOwn(spec, { area: 'CONFIG', what: 'a recipe' });
  if (typeof recipe === 'object' && recipe !== null) return named(recipe);
  throw new AgogeError('CONFIG_BAD_FILE', `${path} exports no recipe: export an object as default, as train() takes it`);
}
