/** The time stamp in the file names of an evaluation, as AgentGym's scripts write it: YYYYMMDD_HHMMSS. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The stamp of the first start, so that a resumed evaluation keeps its file names. */
export async function earlierStamp(folder: string): Promise<string | undefined> {
  const logs = await readdir(join(folder, 'logs')).catch(() => []);
  return logs.map((name) => /^eval_(\d{8}_\d{6})\.log$/.exec(name)?.[1]).find(Boolean);
}

export function timeStamp(date: Date): string {
  return date
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/[-:]/g, '')
    .replace('T', '_');
}
