/**
 * Every attack of tests/attacks and random mutations of valid files: how many were survived, by area. The exit code is 1 where one was not.
 *
 *   npm run fuzz -- [seed] [mutations of each kind of file]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryAttacks } from '../../tests/attacks/attack.ts';
import { JavaScript } from '../../src/sandbox/javascript/javascript.ts';
import { Python } from '../../src/sandbox/python/python.ts';
import { fileAttacks } from '../../tests/attacks/files.ts';
import { foundOnce } from '../../tests/attacks/found-once.ts';
import { liveAttacks } from '../../tests/attacks/live.ts';
import { programAttacks } from '../../tests/attacks/programs.ts';
import { reachAttacks } from '../../tests/attacks/reach.ts';
import { replyAttacks } from '../../tests/attacks/replies.ts';

const [seed = '1', count = '200'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'agoge-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const areas = new Map<string, { survived: number; total: number }>();
let lost = 0;
const attacks = [...fileAttacks(Number(count), Number(seed)), ...liveAttacks, ...reachAttacks, ...replyAttacks, ...foundOnce];
// Programs share a sandbox, one after another. Python needs the package pyodide and is named as left out without it.
await using javascript = new JavaScript({ milliseconds: 5000 });
const python = ((): Python | undefined => {
  try {
    return new Python({ milliseconds: 20_000 });
  } catch (thrown) {
    console.log(`left out: programs in Python (${thrown instanceof Error ? thrown.message : String(thrown)})`);
    return undefined;
  }
})();
await python?.run('1', ['']);
const verdicts = [
  ...(await tryAttacks(attacks, folder)),
  ...(await tryAttacks(
    programAttacks('javascript', () => javascript),
    folder,
    1,
  )),
  ...(python
    ? await tryAttacks(
        programAttacks('python', () => python),
        folder,
        1,
      )
    : []),
];
await python?.[Symbol.asyncDispose]();
for (const { attack, harm } of verdicts) {
  const area = areas.get(attack.area) ?? { survived: 0, total: 0 };
  area.total++;
  if (harm === undefined) {
    area.survived++;
    if (foundOnce.includes(attack)) console.log(`survived      ${attack.area}: ${attack.name}`);
  } else {
    lost++;
    console.log(`NOT SURVIVED  ${attack.area}: ${attack.name}: ${harm}`);
  }
  areas.set(attack.area, area);
}
for (const [name, { survived, total }] of areas) console.log(`${name.padEnd(12)} ${String(survived).padStart(5)} of ${total}`);
const all = [...areas.values()].reduce((sum, { total }) => sum + total, 0);
console.log(`survived ${all - lost} of ${all} attacks (seed ${seed})`);
process.exit(lost === 0 ? 0 : 1);
