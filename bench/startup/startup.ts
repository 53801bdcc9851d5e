/**
 * How long a person waits before a command says something: processor time of the whole process (which other work on the machine hardly
 * changes) and wall time, least and median of several rounds, and what was loaded. Usage: npx tsx bench/startup/startup.ts [rounds]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadedFiles, mainFile } from './loaded-files.ts';

const rounds = Number(process.argv[2] ?? 5);
const folder = mkdtempSync(join(tmpdir(), 'agoge-startup-'));
/** Says at the end what the process has used, all its threads together. */
const witness = join(folder, 'witness.cjs');
writeFileSync(witness, "process.on('exit', () => require('node:fs').writeSync(3, JSON.stringify(process.cpuUsage())));\n");
const one = ['eval', 'textcraft', '--tasks', '0', '--no-view', '--out', 'out'];
const cases: readonly (readonly string[])[] = [
  ['--version'],
  ['--help'],
  ['completion', 'bash'],
  ['__complete', '--', 'eval', 'te'],
  ['__complete', '--', 'train', 'te'],
  ['eval', '--help'],
  [...one, '--policy', 'expert'],
  [...one, '--policy', 'base'],
];

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}, ${rounds} rounds; seconds of processor time and on the clock\n`,
);
console.log('| command | processor, least | processor, median | clock, median | files of ours | of packages | packages |');
console.log('|---|---|---|---|---|---|---|');
const empty = times(['-e', '0']);
console.log(`| \`node -e 0\` | ${seconds(empty)} | 0 | 0 | |`);
for (const args of cases) {
  const files = loadedFiles(args);
  const packaged = files.filter((file) => file.startsWith('node_modules/'));
  const names = new Set(packaged.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]));
  const row = [seconds(times([mainFile, ...args])), files.length - packaged.length, packaged.length, [...names].join(' ')];
  console.log(`| \`agoge ${args.join(' ')}\` | ${row.join(' | ')} |`);
}
rmSync(folder, { recursive: true, force: true });

interface Time {
  readonly processor: number;
  readonly clock: number;
}

function times(words: readonly string[]): readonly Time[] {
  return Array.from({ length: rounds }, () => {
    rmSync(join(folder, 'out'), { recursive: true, force: true });
    const began = performance.now();
    const { status, stderr, output } = spawnSync(process.execPath, ['--require', witness, ...words], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    const clock = (performance.now() - began) / 1000;
    if (status !== 0) throw new Error(`${words.join(' ')} ended with ${String(status)}: ${stderr}`);
    const { user, system } = JSON.parse(output[3] ?? '') as NodeJS.CpuUsage;
    return { processor: (user + system) / 1e6, clock };
  });
}

function seconds(all: readonly Time[]): string {
  const processor = all.map((time) => time.processor).sort((a, b) => a - b);
  const clock = all.map((time) => time.clock).sort((a, b) => a - b);
  const middle = all.length >> 1;
  return [processor[0], processor[middle], clock[middle]].map((value) => value?.toFixed(2)).join(' | ');
}
