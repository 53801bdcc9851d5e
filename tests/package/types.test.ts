/** Types of the project and of the dashboard, checked beside the other tests; `npm run typecheck` checks them alone. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

it.concurrent.each(['.', 'web'])('types in %s', async (project) => {
  // One thread: several look at the same types anew, which takes twice the processor time and no less on the clock.
  const args = [`${root}node_modules/typescript-7/bin/tsc`, '--noEmit', '--singleThreaded', '-p', project];
  const said = await new Promise<string>((resolve) => {
    // It ends soon: collecting its garbage seldom saves a third of its time.
    const env = { GOGC: '400', ...process.env };
    execFile(process.execPath, args, { cwd: root, env, maxBuffer: 2 ** 26 }, (failed, stdout, stderr) =>
      resolve(failed ? `${stdout}${stderr}${failed.message}` : ''),
    );
  });
  expect(said).toBe('');
});
