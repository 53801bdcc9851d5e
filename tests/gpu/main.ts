/**
 * `npm run test:gpu`: what must hold on a machine with a card. Each check runs in a process of its own; one table at the end, which goes
 * into docs/results.md. Without a card it says why and ends well.
 *   npm run test:gpu -- [--device cuda] [--only gradients,lora] [--python PYTHON] [--model FILE.gguf] [--seconds 300]
 * `--device resident` runs the same checks over the CPU (small numbers), to test the suite itself.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cardsHere, chosenCard } from '../../src/engine/embedded/runtime/cuda/card.ts';
import { unmetDemands } from '../../src/engine/embedded/runtime/cuda/demands.ts';
import { findCudaRuntime } from '../../src/engine/embedded/runtime/cuda/find.ts';
import { checks, type Checked, type CheckSettings } from './checks.ts';

const { values } = parseArgs({
  options: {
    device: { type: 'string', default: 'cuda' },
    only: { type: 'string' },
    python: { type: 'string' },
    model: { type: 'string' },
    seconds: { type: 'string', default: '300' },
    one: { type: 'string' },
  },
});
if (values.device !== 'cuda' && values.device !== 'resident') throw new RangeError('--device is cuda or resident');
const settings: CheckSettings = { device: values.device, python: values.python, model: values.model };

if (values.one !== undefined) await runOne(values.one);
else process.exitCode = runAll();

async function runOne(name: string): Promise<void> {
  const check = checks[name];
  if (!check) throw new RangeError(`no check is called "${name}": use ${Object.keys(checks).join(', ')}`);
  console.log(JSON.stringify(await check(settings)));
  // Threads and the card's context must not keep the process.
  process.exit(0);
}

function runAll(): number {
  const lack = values.device === 'cuda' ? whatIsMissing() : undefined;
  if (lack !== undefined) {
    console.log(`test:gpu skipped: ${lack}`);
    return 0;
  }
  const names = values.only?.split(',') ?? Object.keys(checks);
  const rows = names.map((name) => {
    const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2), '--one', name];
    const started = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      timeout: Number(values.seconds) * 1000,
      maxBuffer: 1 << 26,
    });
    const seconds = (performance.now() - started) / 1000;
    const line = stdout.split('\n').findLast((text) => text.startsWith('{'));
    const checked: Checked =
      status === 0 && line !== undefined ? (JSON.parse(line) as Checked) : { holds: false, found: lastLines(stderr, status) };
    console.log(`${mark(checked)}  ${name.padEnd(12)} ${checked.found}`);
    return { name, seconds, ...checked };
  });
  console.log('\n| check | | found | s |\n|---|---|---|---|');
  for (const row of rows) console.log(`| ${row.name} | ${mark(row)} | ${row.found} | ${row.seconds.toFixed(0)} |`);
  return rows.every(({ holds }) => holds !== false) ? 0 : 1;
}

function mark({ holds }: Checked): string {
  return holds === undefined ? 'skipped' : holds ? 'ok' : 'FAILS';
}

function lastLines(stderr: string, status: number | null): string {
  const said = stderr
    .trim()
    .split('\n')
    .filter((line) => /Error|error|\[[A-Z_]+\]/.test(line))
    .slice(-2)
    .join(' ');
  return status === null ? `no answer in time; ${said}` : `status ${status}: ${said || stderr.trim().slice(-300)}`;
}

/** Why there is nothing to test here. */
function whatIsMissing(): string | undefined {
  try {
    const card = chosenCard(cardsHere());
    return unmetDemands(card, card ? findCudaRuntime() : { cuda: 13 }, 'bfloat16')[0]?.message;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}
