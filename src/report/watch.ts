/** Tells when something in a run directory changed, by looking at it once a second: works on every file system and never hangs. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluationLayout, layout } from '../run/layout.ts';

/** Calls back after a change until it is stopped. Looks at the folder and at what a run writes one level below it. */
export function watch(folder: string, changed: () => void, every = 1000): () => void {
  let last: string | undefined;
  let stopped = false;
  const look = async (): Promise<void> => {
    const now = await signature(folder);
    if (stopped) return;
    if (last !== undefined && now !== last) changed();
    last = now;
    timer = setTimeout(() => void look(), every);
  };
  let timer: NodeJS.Timeout = setTimeout(() => void look(), 0);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** What changes in a run or an evaluation whose row in the list changes. */
const tellingFiles = [layout.metrics, layout.info, evaluationLayout.status];

async function signature(folder: string): Promise<string> {
  const parts: string[] = [];
  const add = async (path: string): Promise<void> => {
    try {
      const { mtimeMs, size } = await stat(path);
      parts.push(`${path}:${String(mtimeMs)}:${String(size)}`);
    } catch {
      parts.push(`${path}:gone`);
    }
  };
  await add(folder);
  for (const below of ['', 'metrics', 'episodes', 'logs', 'checkpoints', 'evaluations']) {
    const place = join(folder, below);
    await add(place);
    if (below !== 'metrics' && below !== '' && below !== 'logs') continue;
    const names = await readdir(place).catch(() => [] as string[]);
    await Promise.all(names.slice(0, 500).map((name) => add(join(place, name))));
    if (below === '') {
      const telling = names.slice(0, 500).flatMap((name) => tellingFiles.map((file) => join(place, name, file)));
      await Promise.all(telling.map(add));
    }
  }
  return parts.sort().join('\n');
}
