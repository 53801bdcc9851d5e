/**
 * The record formats that are read and written, each as a schema with a mapping to and from a row. A record is a JSON
 * object or a parquet row; which container holds it does not matter here.
 */
import { AgogeError } from '../../core/error.ts';
import { agentTraj, ids, sampling } from './agentgym.ts';
import { episodes } from './episodes.ts';
import type { Format } from './format.ts';
import { asFields } from './record-fields.ts';
import { chat, verlRl, verlSft } from './verl.ts';

/** All data formats. */
export const formats: readonly Format[] = [episodes, verlRl, chat, agentTraj, sampling, ids, verlSft];

/** A data format by its name; throws CLI_USAGE_FORMAT. */
export function formatNamed(name: string): Format {
  const found = formats.find((format) => format.name === name);
  if (!found) {
    const names = formats.map((format) => format.name).join(', ');
    throw new AgogeError('CLI_USAGE_FORMAT', `there is no data format "${name}": choose one of ${names}`);
  }
  return found;
}

/** The format of a record, or undefined. */
export function recognise(record: unknown, inParquet = false): Format | undefined {
  const known = asFields(record);
  const found = known && formats.find((format) => format.recognises(known));
  return found === chat && inParquet ? verlSft : found;
}
