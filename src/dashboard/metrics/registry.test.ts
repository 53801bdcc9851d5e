import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { offPolicyMetrics } from '../../learn/correction.ts';
import { emptyTimes } from '../../train/rl/step-metrics.ts';
import { mainCharts } from '../runs/main-charts.ts';
import { metricOf, metricTopics } from './registry.ts';

const src = fileURLToPath(new URL('../../', import.meta.url));
const all = metricTopics.flatMap(({ metrics }) => metrics);

/** Rooms that write metrics, and the names they write as literals. Templates give their fixed beginning and a word for the rest. */
function logged(): string[] {
  const files = ['train', 'learn']
    .flatMap((room) => readdirSync(join(src, room), { recursive: true, encoding: 'utf8' }).map((file) => join(src, room, file)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const topics =
    'actor|critic|train|training|val|val-core|val-aux|perf|timing_s|timing_per_token_ms|num_turns|reward|rewards|rollout_corr';
  const quoted = new RegExp(`['\`]((?:${topics})/[^'\`\\n]+)['\`]`, 'g');
  return files.flatMap((file) => {
    const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const found = [...code.matchAll(quoted)].map(([, name = '']) => name.replaceAll(/\$\{[^}]*\}/g, 'x'));
    const spread = [...code.matchAll(/spread(?:Rows)?\(\s*['`]([^'`]+)['`]/g)].map(([, name = '']) =>
      name.replaceAll(/\$\{[^}]*\}/g, 'x'),
    );
    const spreads = new Set(spread);
    return [...found.filter((name) => !spreads.has(name)), ...spread.map((name) => `${name}/mean`)];
  });
}

it('every name that a trainer writes is explained', () => {
  // Two are written from lists of names.
  const listed = [
    ...Object.keys(emptyTimes()).map((name) => `timing_s/${name}`),
    ...Object.keys(offPolicyMetrics([{ train: [-1], sampler: [-1] }])),
  ];
  const names = [...logged().filter((name) => !['timing_s/x', 'rollout_corr/x'].includes(name)), ...listed];
  expect(names.length).toBeGreaterThan(80);
  expect([...new Set(names)].filter((name) => metricOf(name) === undefined)).toEqual([]);
});

it('what is explained is written: no entry outlives its metric', () => {
  const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^(train|learn|run)\/.*\.ts$/.test(file.replaceAll('\\', '/')))
    .map((file) => readFileSync(join(src, file), 'utf8'))
    .join('\n');
  const parts = all.map(
    ({ name }) =>
      name
        .split('/')
        .filter((part) => !part.includes('<'))
        .at(-1) ?? '',
  );
  expect(parts.filter((part) => !code.includes(part))).toEqual([]);
});

it('every curve that is shown first is explained, in both languages, each once', () => {
  const samples = [
    'train/success',
    'val-core/textcraft/test/success/mean@1',
    'train/success/maze',
    'reward/form/mean',
    'train/failures/policy',
  ];
  for (const name of samples) expect(metricOf(name)?.en.what, name).toBeDefined();
  expect(metricOf('my/own')).toBeUndefined();
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, zh, en } of all) {
    expect(zh.what, name).toMatch(/[\u4e00-\u9fff]/);
    expect([zh.healthy === undefined, zh.remedy === undefined], name).toEqual([
      en.healthy === undefined,
      en.remedy === undefined,
    ]);
  }
  for (const { metrics } of mainCharts) expect(names.some((name) => metrics.test(plain(name)))).toBe(true);
});

it('names only keys that recipes have', () => {
  const recipes = readFileSync(join(src, '../docs/reference/recipes.md'), 'utf8');
  const keys = all.flatMap(({ en, zh }) =>
    [en, zh].flatMap(({ what, healthy = '', remedy = '' }) => [
      ...`${what} ${healthy} ${remedy}`.matchAll(/\b(?:algorithm|rollout|agent|optimizer|update)\.[a-z_]+/g),
    ]),
  );
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.map(([key]) => key).filter((key) => !recipes.includes(`\`${key}\``))).toEqual([]);
});

/** A name of an entry as a run would write it. */
function plain(name: string): string {
  return name
    .replace('<of>', 'mean')
    .replace('<samples>', '1')
    .replaceAll(/<[^>]+>/g, 'x');
}
