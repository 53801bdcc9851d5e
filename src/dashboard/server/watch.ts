/** Tells when something in a run directory changed, by looking at it once a second: works on every file system. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { evaluationLayout, layout, liveLayout } from '../../run/layout.ts';

/** Calls back after a change until it is stopped. Looks at the folder and at what a run writes one level below it. */
export function watch(folder: string, changed: () => void, every = 1000): () => void {
  let last: string | undefined;
  const look = (): void => {
    const now = signature(folder);
    if (last !== undefined && now !== last) changed();
    last = now;
    timer = setTimeout(look, every);
  };
  let timer: NodeJS.Timeout = setTimeout(look, 0);
  return () => clearTimeout(timer);
}

/** What changes in a run or an evaluation whose row in the list changes. */
const tellingFiles = [layout.metrics, layout.info, evaluationLayout.status];

/** Of the names in one folder, how many are looked at. */
const mostNames = 1000;

/** Without the thread pool: three thousand looks in a second would keep a core busy with it. */
function signature(folder: string): string {
  const parts: string[] = [];
  const add = (path: string): void => {
    const found = attempt(() => statSync(path, { throwIfNoEntry: false }));
    parts.push(found ? `${path}:${String(found.mtimeMs)}:${String(found.size)}` : `${path}:gone`);
  };
  add(folder);
  for (const below of ['', 'metrics', 'episodes', 'logs', 'checkpoints', 'evaluations']) {
    const place = join(folder, below);
    add(place);
    if (below !== 'metrics' && below !== '' && below !== 'logs') continue;
    const names = (attempt(() => readdirSync(place)) ?? [])
      .filter((name) => name !== liveLayout.folder) // it changes with every word, and has readers of its own
      .sort()
      .slice(0, mostNames);
    for (const name of names) {
      add(join(place, name));
      if (below === '') for (const file of tellingFiles) add(join(place, name, file));
    }
  }
  return parts.join('\n');
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
