// Projects: unit tests beside the code (`unit`, `engines` and `alone`), end-to-end tests of whole commands, long ones of both kinds (every command of
// every page, a day of the seeds' users, runs and servers that are killed, browsers), tests against peers (Python, Java). `npm test` runs the
// first four, `npm run test:long` and `npm run test:peers` the others; CI runs all of them. One more rehearses a release, which needs a
// registry and minutes of downloads: `npm run release` runs it, and `npm run test:release`. The last starts vLLM (6 GB,
// minutes on two cores) and llama.cpp's server and builds the image: `npm run test:vllm`, `test:llama`, `test:containers`; CI runs none.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { folderInMemory } from './tests/folder-in-memory.ts';

const long = [
  'tests/attacks/attacks.test.ts',
  'tests/attacks/bad-input.test.ts',
  'tests/attacks/javascript-sandbox.test.ts',
  'tests/commands/gym.test.ts',
  'tests/commands/new.test.ts',
  'tests/commands/private.test.ts',
  'tests/commands/webarena-official.test.ts',
  'tests/docs/docs.test.ts',
  'tests/docs/snippets.test.ts',
  'tests/examples/browser-example.test.ts',
  'tests/runs/eval-trouble.test.ts',
  'tests/runs/eval.test.ts',
  'tests/runs/kill-and-resume.test.ts',
  'tests/runs/machines.test.ts',
  'tests/runs/seeds-day-scripts.test.ts',
  'tests/runs/seeds-day.test.ts',
  'tests/runs/study.test.ts',
  'tests/runs/tinker.test.ts',
  'tests/runs/train.test.ts',
  'tests/runs/upgrade.test.ts',
  'tests/terminal/terminal-completion.test.ts',
  'tests/terminal/terminal-escapes.test.ts',
  'tests/terminal/terminal-screen.test.ts',
  'tests/terminal/terminal.test.ts',
  'tests/view/view-live.test.ts',
  'tests/view/view-questions.test.ts',
  'tests/view/view-readers.test.ts',
  'tests/view/view.test.ts',
  'tests/walk/walk.test.ts',
  'src/dashboard/docs/docs-site.test.ts',
  'src/data/tasks/official-lists.test.ts',
  'src/engine/embedded/bits.test.ts',
  'src/engine/embedded/device/bound.test.ts',
  'src/engine/embedded/train/device/memory.test.ts',
  'src/envs/webarena/backends.test.ts',
  'src/envs/webarena/browser/*.test.ts',
];
/**
 * Unit tests share processes, which saves most of their time: starting one and loading its modules takes longer than they do. Those that
 * open an engine share processes of their own (`engines`): one has a number of threads, which tests/two-threads.ts sets. A process each
 * (`alone`) have those that count memory, start processes, or change what cannot be put back.
 */
const changesProcess = /checkLaws|heldMemory|memoryUsage|chdir|stubGlobal|vi\.mock|process\.(env\[|on\(|once\()/;
const ownFolder = /^src\/(chaos|sandbox|user-modules)\//;
/** Of these folders, what starts no process. */
const sharing = /^src\/(chaos\/(spec|checks)\.test|sandbox\/(run-result|frames|.*\/(values|permissions|border|program)\.test))/;
/** Choose or count what a process has once: threads, the shared arena, libraries, calibrations. */
const choosesRuntime = /^src\/engine\/embedded\/(bits|runtime\/(session|scratch|cuda\/\w+)|sampling\/calibration)\.test/;
const opensEngine = /EmbeddedEngine|embedded\//;
const engineFolder = /^src\/engine\/embedded\//;
const withoutEngine = /embedded\/(card-memory|models\/(files|tokenizers|\w+-config)|.*(plan|gradient-sum|large-views)\.test)/;
const root = fileURLToPath(new URL('.', import.meta.url));
const kindOf = (path: string): 'unit' | 'engines' | 'alone' => {
  const text = readFileSync(join(root, path), 'utf8');
  if ((ownFolder.test(path) && !sharing.test(path)) || changesProcess.test(text) || choosesRuntime.test(path)) return 'alone';
  return opensEngine.test(text) || (engineFolder.test(path) && !withoutEngine.test(path)) ? 'engines' : 'unit';
};
const unitTests = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts'));
const engines = unitTests.filter((path) => kindOf(path) === 'engines');
const alone = unitTests.filter((path) => kindOf(path) === 'alone');

// What a machine measures for itself belongs in its user's cache, not in tests.
// The language is English, whatever the machine's.
const env = { AGOGE_CALIBRATION: 'off', AGOGE_LANG: 'en' };
// What threads and processes of our sources begin with.
const globalSetup = ['tests/bundles-once.ts'];
// Compares large arrays at once.
const setupFiles = ['tests/equal-arrays.ts'];
// Processes that many tests share make much that is soon forgotten: with more room for it they collect it less often.
const execArgv = ['--max-semi-space-size=64'];
const slow = { setupFiles, unstubEnvs: true, testTimeout: 600_000, hookTimeout: 600_000, env };
const quick = { ...slow, env: { ...env, ...folderInMemory() } };

export default defineConfig({
  test: {
    // What one project has read of our TypeScript the others need not read again, nor does the next run.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: [...engines, ...alone, ...long],
          isolate: false,
          globalSetup,
          ...quick,
        },
      },
      {
        test: {
          name: 'engines',
          include: engines,
          exclude: long,
          isolate: false,
          execArgv,
          globalSetup,
          ...quick,
          setupFiles: [...setupFiles, 'tests/two-threads.ts'],
        },
      },
      { test: { name: 'alone', include: alone, exclude: long, globalSetup, ...quick } },
      {
        test: {
          name: 'e2e',
          include: ['tests/*.test.ts', 'tests/*/*.test.ts'],
          exclude: ['tests/{peers,release,servers}/**', ...long],
          globalSetup: ['tests/build-once.ts'],
          ...quick,
        },
      },
      { test: { name: 'long', include: long, globalSetup: ['tests/build-once.ts'], ...slow } },
      {
        test: {
          name: 'peers',
          include: ['tests/peers/**/*.test.ts'],
          globalSetup: ['tests/build-once.ts', 'tests/peers/python.ts'],
          env,
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
          // The other side is a process of somebody else's, on a machine that may be busy: what fails once is asked again.
          retry: 1,
        },
      },
      {
        test: {
          name: 'servers',
          include: ['tests/servers/*.test.ts'],
          globalSetup: ['tests/build-once.ts'],
          env,
          testTimeout: 1_800_000,
          hookTimeout: 3_600_000,
        },
      },
      {
        test: {
          name: 'release',
          include: ['tests/release/*.test.ts'],
          globalSetup: ['tests/release/setup.ts'],
          // One after the other: they install into the same machine.
          fileParallelism: false,
          env,
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
        },
      },
    ],
  },
});
