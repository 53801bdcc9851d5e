/** Global set-up of tests that run the built command: rebuilds dist/ when a source file is newer than it. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default function buildOnce(): void {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs', '--once'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the build failed: see the compiler messages above');
}
