/**
 * `npm run test:mutants -- [room, room:12 or id …]`: are the tests awake? Each change of the list is made alone, in a copy of the sources, and the
 * unit tests of its file are run, then those of its room that it is related to, then the others. A change that no test notices survives and is named.
 *
 *   --jobs N          so many at once, each in a copy of its own (default 1)
 *   --results FILE    keeps every verdict as JSON; the same command again goes on with what is missing
 *   --survivors       tries those again that survived in that file
 *   --minutes M       begins no change after so many minutes
 *   --room            leaves the tests of other rooms out
 *   --check           only looks whether the list fits the sources; --ids prints it
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkFits, Copy, type Verdict } from './mutants/copy.ts';
import { chosen, type Mutant } from './mutants/list.ts';

interface Results {
  /** Test files that fail without a change, on this machine: they are left out. */
  failing?: readonly string[];
  readonly verdicts: Record<string, Verdict & { readonly file: string; readonly says: string; readonly seconds: number }>;
}

const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '1' },
    results: { type: 'string' },
    minutes: { type: 'string', default: 'Infinity' },
    survivors: { type: 'boolean', default: false },
    room: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    ids: { type: 'boolean', default: false },
  },
});
const jobs = Number(options.jobs);
const until = Date.now() + Number(options.minutes) * 60_000;
const list = chosen(asked);
await Promise.all(list.map(checkFits));
if (options.ids) for (const { id, file, says } of list) console.log(`${id}\t${file}\t${says}`);
if (options.check || options.ids) {
  console.error(`${list.length} changes fit the sources`);
  process.exit();
}

const results: Results =
  options.results !== undefined && existsSync(options.results)
    ? (JSON.parse(readFileSync(options.results, 'utf8')) as Results)
    : { verdicts: {} };
results.failing ??= await failingAsItIs();
const waiting = list.filter(({ id, equal }) => {
  if (equal !== undefined) return false;
  const known = results.verdicts[id];
  return known === undefined || (options.survivors && known.by === null);
});
await Promise.all(Array.from({ length: Math.min(jobs, waiting.length) }, work));
report();

async function failingAsItIs(): Promise<string[]> {
  await using copy = await Copy.make();
  const failing = await copy.failing(jobs);
  if (failing.length > 0) console.error(`these fail without any change and are left out: ${failing.join(', ')}`);
  return failing;
}

async function work(): Promise<void> {
  await using copy = await Copy.make(results.failing);
  while (Date.now() < until) {
    const mutant = waiting.shift();
    if (!mutant) return;
    const began = Date.now();
    const verdict = await copy.try(mutant, options.room);
    keep(mutant, verdict, (Date.now() - began) / 1000);
  }
}

function keep({ id, file, says }: Mutant, verdict: Verdict, seconds: number): void {
  results.verdicts[id] = { file, says, seconds: Math.round(seconds), ...verdict };
  console.error(`${id} ${file}: ${says}: ${verdict.by ?? 'SURVIVES'}${verdict.endless ? ' (did not end)' : ''}`);
  if (options.results === undefined) return;
  writeFileSync(`${options.results}.new`, `${JSON.stringify(results, null, 1)}\n`);
  renameSync(`${options.results}.new`, options.results);
}

function report(): void {
  const known = list.flatMap((mutant) => {
    const verdict = mutant.equal === undefined ? results.verdicts[mutant.id] : undefined;
    return verdict ? [{ ...mutant, by: verdict.by }] : [];
  });
  for (const { id, file, says, from, to, by } of known)
    if (by === null) console.log(`survives: ${id} ${file}: ${says} (${from} → ${to || 'nothing'})`);
  for (const { id, file, from, to, equal } of list)
    if (equal !== undefined) console.log(`changes nothing: ${id} ${file} (${from} → ${to || 'nothing'}): ${equal}`);
  console.log('| room | changes in the list | change nothing | run | noticed |\n|---|---|---|---|---|');
  const line = (name: string, of: (mutant: Mutant) => boolean): string => {
    const [all, run] = [list.filter(of), known.filter(of)];
    const equal = all.filter((one) => one.equal !== undefined).length;
    return `| ${name} | ${all.length} | ${equal} | ${run.length} | ${run.filter(({ by }) => by !== null).length} |`;
  };
  for (const name of new Set(list.map(({ room }) => room))) console.log(line(name, ({ room }) => room === name));
  console.log(line('all', () => true));
}
