/** Licences of what a release carries: the texts of what vite builds into the dashboard, and whether all of them let it be passed on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** What web/ imports; everything else of it is ours. */
const inDashboard = ['preact', 'uplot'];

export function bundledLicences(): string {
  return inDashboard.map(section).join('\n');
}

/** Licences that let a package be passed on beside ours, with their text. */
const taken = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];

export interface Bill {
  readonly components: readonly {
    readonly name: string;
    readonly licenses?: readonly {
      readonly license?: { readonly id?: string; readonly name?: string };
      readonly expression?: string;
    }[];
  }[];
}

/** Components of a bill of materials with a licence that nobody has looked at, or with none. */
export function licenceDoubts({ components }: Bill): string[] {
  return components.flatMap(({ name, licenses = [] }) => {
    const names = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? 'no name');
    if (names.length === 0) return `${name}: no licence is named`;
    const unknown = names.filter((licence) => !taken.includes(licence));
    return unknown.length === 0 ? [] : `${name}: ${unknown.join(', ')} is not among the licences that were looked at`;
  });
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
