/**
 * The walk through every page (tests/walk/walk.test.ts) with pictures to look at: both languages, 1440 and 390 px, light and dark.
 *   npm run walk                      pictures to walk/
 *   npm run walk -- shots play docs-  pictures to shots/, of the pages whose names begin so
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder = 'walk', ...only] = process.argv.slice(2);
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const env = { ...process.env, AGOGE_WALK: resolve(folder), ...(only.length > 0 && { AGOGE_WALK_ONLY: only.join() }) };
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'long', 'tests/walk/walk.test.ts'], {
  env,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
