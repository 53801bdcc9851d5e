/**
 * Where the model of a checkpoint lies: what is loaded is the folder in Hugging Face layout, which may lie inside
 * (`actor/huggingface`). Shards that no one has merged yet are named with the command that merges them.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import type { CheckpointFolder } from './checkpoint-folders.ts';
import { namesIn } from './files.ts';

const places = ['', 'huggingface', 'actor/huggingface', 'hf_model', 'actor/hf_model'];

/** The folder of a checkpoint that a model can be loaded from; throws POLICY_NO_WEIGHTS. */
export async function modelFolder({ path, own }: CheckpointFolder): Promise<string> {
  if (own) return path;
  for (const place of places) {
    const folder = join(path, place);
    const names = await namesIn(folder).catch((): string[] => []);
    const weights = names.some((name) => /\.(safetensors|bin)$/.test(name) && !/^(optimizer|training_args|scheduler)/.test(name));
    if (names.includes('config.json') && weights) return folder;
  }
  const shards = await namesIn(join(path, 'actor')).catch((): string[] => []);
  const local = shards.length > 0 ? join(path, 'actor') : path;
  if (!(await stat(local).catch(() => undefined)))
    throw new AgogeError('POLICY_NO_WEIGHTS', `there is no folder ${path}: check the name`);
  throw new AgogeError(
    'POLICY_NO_WEIGHTS',
    `${path} holds no model in Hugging Face layout: merge verl's shards first with agoge model convert ${local} ${join(local, 'huggingface')}`,
  );
}
