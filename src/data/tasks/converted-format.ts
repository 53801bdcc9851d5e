/** A recipe that opens episodes with the prompts of its rows gets the format that these ask for, where the files are here to be read. */
import { existsSync } from 'node:fs';
import { expandHome } from '../../config/home.ts';
import type { Converted } from '../../config/from-verl.ts';
import { formatsOfRows } from './asked-format.ts';

export async function followingRows(converted: Converted): Promise<Converted> {
  const { recipe, notes } = converted;
  const agent = (recipe['agent'] ?? {}) as { readonly prompt?: unknown; readonly format?: unknown };
  if (converted.kind !== 'rl' || agent.prompt !== 'row' || agent.format !== undefined) return converted;
  const entries = (recipe['tasks'] ?? []) as readonly { readonly file?: string | readonly string[] }[];
  const files = entries.flatMap(({ file = [] }) => [file].flat()).map(expandHome);
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined)
    return noting(`${missing} is not here: the run reads from its prompts how replies are written (agent.format)`);
  const [asked, other] = await formatsOfRows(files);
  if (asked && other)
    return noting(
      `the rows ask for the format ${asked.format} and for ${other.format} (${other.file}, row ${other.row}): give each a run of its own`,
    );
  if (!asked) return noting('the prompts of the rows do not say how to reply: set agent.format');
  return {
    ...noting(
      `replies are read as ${asked.format}, as the prompts of the rows ask: ${JSON.stringify(asked.words.slice(0, 120))}`,
    ),
    recipe: { ...recipe, agent: { ...agent, format: asked.format } },
  };

  function noting(note: string): Converted {
    return { ...converted, notes: [...notes, note] };
  }
}
