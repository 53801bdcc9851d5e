/** The house rule of docs/architecture.md: imports point downwards, and what runs in a browser page does no I/O. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const src = fileURLToPath(new URL('.', import.meta.url));

/** From the ground up; rooms of one storey may know each other. */
const storeys = [
  ['core'],
  ['sandbox', 'user-modules'],
  ['envs', 'engine', 'learn', 'retrieval'],
  ['policy', 'gym'],
  ['agent', 'run', 'config', 'rewards'],
  ['train', 'eval', 'data', 'dashboard', 'lint'],
  ['demo', 'chaos'],
  ['cli', 'entry'],
];
const heights = new Map(storeys.flatMap((rooms, height) => rooms.map((room) => [room, height] as const)));

/** Scores of rewards stand below the environments that pay by them. */
const allowed = /^envs\/data\/.* → rewards\//;

interface Import {
  readonly file: string;
  readonly to: string;
}

const imports = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && file.includes('/') && !/\.(test|fixture)\./.test(file))
  .flatMap((file): Import[] => {
    const text = readFileSync(join(src, file), 'utf8');
    const found = text.matchAll(/^(?:import|export)(?! type)[^;]*? from '([^']+)'/gms);
    return Array.from(found, ([, to = '']) => ({ file, to: to.startsWith('.') ? inside(file, to) : to }));
  });

function inside(file: string, to: string): string {
  return relative(src, resolve(src, dirname(file), to)).replaceAll('\\', '/');
}

it('every room has its storey, and imports point downwards', () => {
  const room = (path: string): string => path.split('/')[0] ?? '';
  expect([...new Set(imports.map(({ file }) => room(file)))].filter((one) => !heights.has(one))).toEqual([]);
  const upwards = imports
    .filter(({ to }) => to.endsWith('.ts'))
    .filter(({ file, to }) => Number(heights.get(room(to))) > Number(heights.get(room(file))))
    .map(({ file, to }) => `${file} → ${to}`);
  expect(upwards.filter((one) => !allowed.test(one))).toEqual([]);
});

it('the mathematics and the rules of environments import nothing of Node', () => {
  const pure = /^(learn\/|core\/random\/|envs\/[^/]+\/world\.ts)/;
  expect(imports.filter(({ file, to }) => pure.test(file) && to.startsWith('node:'))).toEqual([]);
});

it('no file imports itself through others', () => {
  const graph = new Map<string, string[]>();
  for (const { file, to } of imports) if (to.endsWith('.ts')) graph.set(file, [...(graph.get(file) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const follow = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (done.has(file) || way.includes(file)) return;
    for (const next of graph.get(file) ?? []) follow(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) follow(file, []);
  expect(circles).toEqual([]);
});
