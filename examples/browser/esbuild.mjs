// node examples/browser/esbuild.mjs out: the page and its worker by esbuild. It knows no workers, so the page names the built one here.
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const [out = 'out'] = process.argv.slice(2);
const worker = {
  name: 'worker',
  setup(given) {
    given.onLoad({ filter: /main\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace("'./worker.ts', import.meta", "'./worker.js', import.meta"),
      loader: 'ts',
    }));
  },
};
const { metafile } = await build({
  entryPoints: ['main.ts', 'worker.ts'].map((name) => join(import.meta.dirname, name)),
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  minify: true,
  metafile: true,
  outdir: out,
  logLevel: 'error',
  plugins: [worker],
});
console.log(JSON.stringify(Object.fromEntries(Object.entries(metafile.outputs).map(([file, { bytes }]) => [file, bytes]))));
