/**
 * Global set-up of tests that run our TypeScript sources: bundles the modules that threads and processes begin with, once. Each of them
 * would otherwise load a reader of TypeScript, which takes half a second of processor time, a few hundred times over.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const entries = [
  'data/parquet/compress-thread',
  'engine/embedded/workers/thread',
  'gym/server/gym-process',
  'sandbox/child',
  'sandbox/javascript/program',
  'sandbox/python/program',
  'sandbox/sqlite/program',
  'sandbox/trouble.fixture',
  'train/sft/demonstration-thread',
];

export default async function bundleOnce(): Promise<(() => void) | undefined> {
  if (process.env['AGOGE_TEST_BUNDLES'] !== undefined) return undefined; // for another project of the same run
  const src = fileURLToPath(new URL('../src/', import.meta.url));
  const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url)); // packages are found from there
  mkdirSync(cache, { recursive: true });
  for (const left of readdirSync(cache).filter((name) => name.startsWith('agoge-bundles-')))
    // By a run that was killed; others may be under way.
    if (Date.now() - statSync(join(cache, left)).mtimeMs > 36e5) rmSync(join(cache, left), { recursive: true, force: true });
  const outdir = mkdtempSync(join(cache, 'agoge-bundles-'));
  await build({
    entryPoints: entries.map((entry) => `${src}${entry}.ts`),
    outbase: src,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    plugins: [
      {
        name: 'every module keeps its own address',
        setup: (plugin) =>
          plugin.onLoad({ filter: /\.ts$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
            loader: 'ts',
          })),
      },
    ],
  });
  const url = (...path: string[]): string => pathToFileURL(join(...path)).href;
  const bundles = entries.map((entry) => [url(src, `${entry}.ts`), url(outdir, `${entry}.mjs`)]);
  process.env['AGOGE_TEST_BUNDLES'] = JSON.stringify(Object.fromEntries(bundles));
  return () => rmSync(outdir, { recursive: true, force: true });
}
