// The dashboard as one HTML file: `agoge view` serves it, and a report is the same file with a run inside.
import preact from '@preact/preset-vite';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

/** A page serves nobody: AgentGym's routes are left out of it. */
const withoutServers: Plugin = {
  name: 'without-servers',
  enforce: 'pre',
  load: (id) => (/\/src\/envs\/[a-z]+\/agentgym\.ts$/.test(id) ? 'export {};' : undefined),
};

export default defineConfig({
  plugins: [withoutServers, preact(), viteSingleFile({ removeViteModuleLoader: true })],
  build: { outDir: '../dist/web', emptyOutDir: true, chunkSizeWarningLimit: 4096, target: 'es2022' },
});
