/** The surroundings of a user who has nothing yet: a home and caches of their own, and nothing of this machine's settings but a registry. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function userEnvironment(home: string, registry: string): NodeJS.ProcessEnv {
  const rest = Object.entries(process.env).filter(([name]) => !/^npm_|^vitest|^node_options|^AGOGE_/i.test(name));
  const npmrc = join(home, 'npmrc');
  // A registry takes nothing without a token; ours takes any.
  writeFileSync(npmrc, `registry=${registry}\n${registry.replace('http:', '')}:_authToken=any\n`);
  return {
    ...Object.fromEntries(rest),
    HOME: home,
    AGOGE_CALIBRATION: 'off',
    npm_config_userconfig: npmrc,
    npm_config_registry: registry,
    npm_config_cache: join(home, 'cache'),
    YARN_CACHE_FOLDER: join(home, 'yarn'),
    XDG_CACHE_HOME: join(home, 'xdg'),
    XDG_STATE_HOME: join(home, 'state'),
    BUN_INSTALL_CACHE_DIR: join(home, 'bun'),
  };
}
