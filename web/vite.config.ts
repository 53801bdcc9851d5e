// The dashboard as one HTML file: `agoge view` serves it, and a report is the same file with a run inside.
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

export default defineConfig({
  plugins: [preact(), viteSingleFile({ removeViteModuleLoader: true })],
  build: { outDir: '../dist/web', emptyOutDir: true, chunkSizeWarningLimit: 4096, target: 'es2022' },
});
