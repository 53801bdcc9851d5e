/** `*.index.json` of a checkpoint in many files: which files hold its tensors. They lie beside it, and nowhere else. */
import { basename } from 'node:path';
import { z } from 'zod';
import { AgogeError } from '../../../../core/error.ts';

const indexSchema = z.object({ weight_map: z.record(z.string(), z.string()) });

/** The names of the files; `path` is for the error. Throws MODEL_UNREADABLE. */
export function filesOfIndex(text: string, path: string): string[] {
  const parsed = indexSchema.safeParse(jsonOf(text));
  if (!parsed.success) throw new AgogeError('MODEL_UNREADABLE', `${path} is no index of weights: fetch it again`);
  const names = [...new Set(Object.values(parsed.data.weight_map))];
  const outside = names.find((name) => basename(name) !== name || name === '..' || name === '.');
  if (outside !== undefined)
    throw new AgogeError('MODEL_UNREADABLE', `${path} names ${outside}, which is not in its folder: fetch it again`);
  return names;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
