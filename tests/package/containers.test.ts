/** What the container files promise can be read from them: no root, a health check, sources that exist. They are run by tests/servers/containers.test.ts. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { environmentNames } from '../../src/envs/names.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): string => readFileSync(join(root, 'containers', name), 'utf8');

it('the image is built in two stages from files that exist, and runs as a user without rights', () => {
  const lines = read('Containerfile').replaceAll('\\\n', ' ').split('\n');
  const stages = lines.filter((line) => line.startsWith('FROM '));
  expect(stages).toHaveLength(2);
  const last = lines.slice(lines.lastIndexOf(stages[1] ?? ''));
  expect(last.filter((line) => line.startsWith('USER '))).toEqual(['USER node']);
  expect(last.some((line) => line.startsWith('HEALTHCHECK ') && line.includes('/healthz'))).toBe(true);
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const copied = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
  expect(copied.filter((name) => !existsSync(join(root, name)) || ignored.includes(name))).toEqual([]);
  // What npm packs must be there when it is packed.
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  const needed = files.filter((name) => name !== 'dist').map((name) => name.split('/')[0] ?? name);
  expect(needed.filter((name) => !copied.includes(name))).toEqual([]);
});

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly restart?: string;
}

it('the farm has every environment, and its door knows them; each is read-only and without capabilities', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> };
  const { door, ...gyms } = services;
  expect(Object.keys(gyms)).toEqual(environmentNames);
  expect(door?.environment?.['AGOGE_FARM']?.split(' ')).toEqual(environmentNames);
  for (const [name, gym] of Object.entries(gyms)) expect(gym.command?.slice(0, 4)).toEqual(['serve', name, '--host', '0.0.0.0']);
  for (const service of Object.values(services))
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' });
});
