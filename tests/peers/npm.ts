/** Packages of npm that only peer tests need: installed into the user's cache under the hash of what is wanted, so that clones share them. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the packages of `<folder>/package.json` lie; undefined where they cannot be installed. */
export function installedPackages(folder: string): string | undefined {
  const wanted = readFileSync(fileURLToPath(new URL(`./${folder}/package.json`, import.meta.url)));
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const place = join(cache, 'agoge-peers', `${folder}-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`);
  const stamp = join(place, 'installed');
  if (existsSync(stamp)) return place;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), wanted);
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', install, { cwd: place, timeout: 300_000 });
  if (status !== 0) return undefined;
  writeFileSync(stamp, '');
  return place;
}
