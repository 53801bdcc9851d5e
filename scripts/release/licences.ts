/** The licences of what lies inside the main package and is not ours: what vite builds into the dashboard. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** What web/ imports; everything else of it is ours. */
const inDashboard = ['preact', 'uplot'];

export function bundledLicences(): string {
  return inDashboard.map(section).join('\n');
}

function section(name: string): string {
  const folder = join(modules, name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    'version' | 'license',
    string
  >;
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} comes without its licence: put its text here`);
  const text = readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n${'='.repeat(60)}\n${text}\n`;
}
