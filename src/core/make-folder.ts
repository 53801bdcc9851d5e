/** Makes a folder and those above it. Node's own way never ends where the system lets nobody make one, as below /proc. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

export async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder);
  if (await exists(dirname(path))) {
    // The folder above is there: one call makes it, or says why not.
    await mkdir(path).catch(async (thrown: unknown) => {
      const there = await stat(path).catch(() => undefined);
      if (there?.isDirectory() !== true) throw thrown;
    });
    return;
  }
  await makeFolder(dirname(path));
  await makeFolder(path);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
