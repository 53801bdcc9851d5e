import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const module = new URL('./signals.ts', import.meta.url).href;
const bounded = new URL('../../core/bounded.ts', import.meta.url).href;

/** A program that takes signals as a command does; `then` is what it does when the first has come, `first` what it is busy with before. */
async function ended(
  then: string,
  signals: readonly NodeJS.Signals[],
  first = '',
): Promise<[code: number | null, signal: string | null]> {
  const program = `const { interruption } = await import(${JSON.stringify(module)});
    const alive = setInterval(() => undefined, 1000);
    interruption().addEventListener('abort', () => { process.stdout.write('heard'); setTimeout(() => { ${then} }, 0); });
    ${first}
    process.stdout.write('ready');`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  for (const signal of signals) {
    await once(child.stdout, 'data');
    child.kill(signal);
  }
  return exit;
}

it.skipIf(process.platform === 'win32')('the second signal ends a process that is busy for ever', async () => {
  const busy = "process.stdout.write('busy'); for (;;) continue;";
  expect(await ended(busy, ['SIGINT', 'SIGINT'])).toEqual([null, 'SIGINT']);
  expect(await ended(busy, ['SIGTERM', 'SIGTERM'])).toEqual([null, 'SIGTERM']);
});

it.skipIf(process.platform === 'win32')('the first one lets the command end by itself', async () => {
  expect(await ended('process.exit(130)', ['SIGINT'])).toEqual([130, null]);
});

it.skipIf(process.platform === 'win32')(
  'a reward without end holds a signal back until its time is over, and no longer',
  async () => {
    const endless = `const { bounded } = await import(${JSON.stringify(bounded)});
    setTimeout(() => {
      process.stdout.write('busy');
      try { bounded(500, () => { for (;;) continue; }, 'REWARD_TIMEOUT', 'it'); } catch {}
    }, 0);`;
    expect(await ended('process.exit(130)', ['SIGTERM'], endless.replace(/\n\s*/g, ' '))).toEqual([130, null]);
  },
);
