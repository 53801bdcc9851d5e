/**
 * The house rules of docs/architecture.md, held to the code: imports point downwards (types and dynamic imports too), no file imports
 * itself through others (the dashboard's page too), environments stand apart, and what runs in a browser page does no I/O.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const src = fileURLToPath(new URL('.', import.meta.url));
const page = readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8');

/** As the page has them, from the ground up; rooms of one storey may know each other. */
const storeys = (/Imports point downwards[^`]*```\n([^`]*)```/.exec(page)?.[1] ?? '')
  .trim()
  .split('\n')
  .map((line) => line.split(',').map((room) => room.trim()))
  .reverse();
const heights = new Map(storeys.flatMap((rooms, height) => rooms.map((room) => [room, height] as const)));

/** What environments share, and the sources that one of them lends. */
const sharedAmongEnvironments = [
  /→ envs\/agentgym\//, // AgentGym's dialects: not an environment
  /→ envs\/(textcraft|webshop)\/python\.ts$/, // Python's strings and numbers
  /^envs\/data\/.* → envs\/searchqa\/(information|encyclopaedia\/encyclopaedia)\.ts$/, // questions and tools over the same book
];

/** Where environments touch disks, sockets and processes; asked for when it is used. */
const outside = [
  /^envs\/[^/]+\/((core|tools)\/)?[a-z-]*files?\.ts$/,
  /^envs\/webarena\/(browser\/|open\.ts$|sites\/server\.ts$)/,
  /^envs\/sqlgym\/bird\.ts$/,
  /^envs\/searchqa\/library\.ts$/,
];

interface Import {
  readonly file: string;
  readonly to: string;
  /** `later`: the type of what is imported later. */
  readonly how: 'value' | 'type' | 'dynamic' | 'later';
}

/** Paths are those below src; files of the dashboard's page are `../web/src/…`. */
const imports = filesIn('').flatMap(importsOf);
const webImports = filesIn('../web/src/').flatMap(importsOf);

function filesIn(folder: string): string[] {
  return readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => folder + file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && file.includes('/') && !/\.(test|fixture)\./.test(file));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8');
  const target = (to: string): string => (to.startsWith('.') ? inside(file, to) : to);
  const fixed = text.matchAll(/^(?:import|export)( type)?(?: [^;]*?)? (?:from )?'([^']+)'/gms);
  const later = text.matchAll(/(typeof )?import\((?:\/\*[^*]*\*\/ )?'([^']+)'\)/g);
  return [
    ...Array.from(fixed, ([, type, to = '']): Import => ({ file, to: target(to), how: type ? 'type' : 'value' })),
    ...Array.from(later, ([, type, to = '']): Import => ({ file, to: target(to), how: type ? 'later' : 'dynamic' })),
  ];
}

function inside(file: string, to: string): string {
  return relative(src, resolve(src, dirname(file), to)).replaceAll('\\', '/');
}

const ours = imports.filter(({ to }) => to.endsWith('.ts'));
const room = (path: string): string => path.split('/')[0] ?? '';
const arrow = ({ file, to }: Import): string => `${file} → ${to}`;

it('every room has its storey on the page, and every room of the page is there', () => {
  const rooms = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).filter((name) => !heights.has(name))).toEqual([]);
  expect([...heights.keys()].filter((name) => !existsSync(join(src, name)))).toEqual([]);
  const table = [...page.matchAll(/^\| (`src\/[^|]*)\|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`src\/([^`]+)`/g)]);
  expect(table.length).toBeGreaterThan(20);
  expect(table.map(([, path = '']) => path).filter((path) => !existsSync(join(src, path)))).toEqual([]);
  const named = new Set(table.map(([, path = '']) => room(path)));
  expect([...heights.keys()].filter((name) => !named.has(name))).toEqual([]);
});

it('imports point downwards: of values, of types and those made later', () => {
  const upwards = ours.filter(({ file, to }) => Number(heights.get(room(to))) > Number(heights.get(room(file))));
  expect(upwards.map(arrow)).toEqual([]);
});

it('an environment knows no other', () => {
  const environment = (path: string): string | undefined => /^envs\/([^/]+)\//.exec(path)?.[1];
  const across = ours
    .filter(({ file, to }) => environment(file) !== undefined && environment(to) !== undefined)
    .filter(({ file, to }) => environment(file) !== environment(to) && environment(file) !== 'agentgym')
    .map(arrow);
  expect(across.filter((one) => !sharedAmongEnvironments.some((allowed) => allowed.test(one)))).toEqual([]);
  const fromShared = ours.filter(({ file, to }) => environment(file) === 'agentgym' && !/^envs\/(agentgym\/|[^/]+$)/.test(to));
  expect(fromShared.filter(({ to }) => environment(to) !== undefined).map(arrow)).toEqual([]);
});

it('the mathematics and the rules of every environment import nothing of Node', () => {
  const pure = /^(learn\/|core\/random\/|envs\/[^/]+\/|retrieval\/text\/|scores\/)/;
  const found = imports.filter(
    ({ file, to, how }) => pure.test(file) && to.startsWith('node:') && (how === 'value' || how === 'dynamic'),
  );
  expect(found.filter(({ file }) => !outside.some((one) => one.test(file))).map(arrow)).toEqual([]);
});

it('what touches the outside is asked for when it is used, never imported by rules', () => {
  const fixed = ours.filter(
    ({ file, to, how }) => /^envs\/[^/]+\//.test(file) && how === 'value' && outside.some((one) => one.test(to)),
  );
  const nodes = new Set(imports.filter(({ to, how }) => to.startsWith('node:') && how === 'value').map(({ file }) => file));
  const touching = fixed.filter(({ file, to }) => nodes.has(to) && !outside.some((one) => one.test(file)));
  expect(touching.map(arrow)).toEqual([]);
});

it('no file imports itself through others, types included', () => {
  const graph = new Map<string, string[]>();
  for (const { file, to, how } of [...ours, ...webImports])
    if (how === 'value' || how === 'type') graph.set(file, [...(graph.get(file) ?? []), to]);
  const done = new Set<string>();
  const circles: string[][] = [];
  const follow = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file]);
    if (done.has(file) || way.includes(file)) return;
    for (const next of graph.get(file) ?? []) follow(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) follow(file, []);
  expect(circles.map((circle) => circle.join(' → '))).toEqual([]);
});

it("the dashboard's page does no I/O, in no file that it imports", () => {
  const all = [...imports, ...webImports].filter(({ how }) => how === 'value');
  const reached = new Set<string>();
  const follow = (file: string): void => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const one of all) if (one.file === file) follow(one.to);
  };
  for (const { file } of webImports) follow(file);
  expect(reached.size).toBeGreaterThan(webImports.length / 10);
  expect(all.filter(({ file, to }) => reached.has(file) && to.startsWith('node:')).map(arrow)).toEqual([]);
});
