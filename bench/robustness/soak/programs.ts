/**
 * The sandbox's part of a soak, in a process of its own: for each line of its input one round of programs, honest and hostile, and a line that
 * says how many of them ended as they must. `node bench/robustness/soak/programs.ts` needs a build.
 */
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { inProject } from '../../root.ts';

interface Runner extends AsyncDisposable {
  run(code: string, inputs: readonly string[]): Promise<readonly unknown[]>;
}
const { JavaScript } = (await import(pathToFileURL(inProject('dist/sandbox/javascript/javascript.js')).href)) as {
  JavaScript: new (options: { milliseconds: number }) => Runner;
};

/** A program, and what its run must look like. */
const round: readonly (readonly [program: string, ends: RegExp])[] = [
  ['console.log([...Array(Number(readline())).keys()].reduce((a, b) => a + b))', /^\[\{"printed":"45\\n"\}\]$/],
  ['for (;;) {}', /SANDBOX_TIME/],
  ['const all = []; for (;;) all.push(new Array(1e6).fill(1))', /"error"|SANDBOX_(TIME|MEMORY)/],
  ["let line = 'x'.repeat(1e5); for (;;) console.log(line)", /"error"|SANDBOX_(TIME|OUTPUT)/],
  ['Array.prototype.push = () => 7; globalThis.readline = undefined; console.log("spoiled")', /^\[\{"printed":"spoiled\\n"\}\]$/],
  ['const f = () => f(); f()', /"error"/],
  ['throw new Error("boom")', /"error"/],
  ['const a = []; a.push(Number(readline())); console.log(a.length)', /^\[\{"printed":"1\\n"\}\]$/],
];

await using runner = new JavaScript({ milliseconds: 300 });
for await (const _ of createInterface({ input: process.stdin })) {
  let right = 0;
  for (const [program, ends] of round) {
    const said = await runner.run(program, ['10']).then(
      (runs) => JSON.stringify(runs),
      (thrown: unknown) => String((thrown as { code?: string }).code),
    );
    if (ends.test(said)) right++;
    else console.error(`${program}: ${said}`);
  }
  console.log(JSON.stringify({ programs: round.length, right }));
}
