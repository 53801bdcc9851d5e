/** Where the original ALFWorld is installed for peers and benches: its own folder beside the peers' packages, filled once. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { python } from '../python.ts';

const packages = [
  'alfworld==0.4.2',
  'textworld==1.7.0',
  'fast-downward-textworld==20.6.4',
  'jericho==3.3.1',
  'tatsu==5.8.3',
  'mementos==1.3.1',
  'hashids==1.3.1',
  'more-itertools',
  'termcolor',
  'prompt-toolkit',
  'wcwidth',
];

/** The folder with the original; undefined where it cannot be installed. */
export function originalAlfWorld(): string | undefined {
  const site = join(python, '../../alfworld');
  if (existsSync(join(site, 'textworld'))) return site;
  const args = ['-m', 'pip', 'install', '-q', '--no-deps', '--target', site, ...packages];
  return spawnSync(python, args, { stdio: 'inherit' }).status === 0 ? site : undefined;
}
