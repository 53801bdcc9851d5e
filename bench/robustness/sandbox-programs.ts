/**
 * Many programs in a row in the sandbox as it ships: `npx tsx bench/robustness/sandbox-programs.ts [count] [javascript|python]`, after a build. Prints how many a
 * second of processor time runs, and the memory of this process and of its worker along the way.
 */
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { inProject } from '../root.ts';

const count = Number(process.argv[2] ?? 5000);
const language = process.argv[3] === 'python' ? 'python' : 'javascript';
interface Runner extends AsyncDisposable {
  run(code: string, inputs: readonly string[]): Promise<readonly unknown[]>;
}
const module = (await import(pathToFileURL(inProject(`dist/sandbox/${language}/${language}.js`)).href)) as Record<
  string,
  new () => Runner
>;
const Made = module[language === 'python' ? 'Python' : 'JavaScript'];
if (!Made) throw new Error('there is no dist: npm run build');
await using runner = new Made();
const code =
  language === 'python'
    ? 'print(sum(range(int(input()))))'
    : 'console.log([...Array(Number(readline())).keys()].reduce((a, b) => a + b))';

/** Resident MiB and processor seconds of the children of this process, as ps tells them. */
function children(): { mib: number; seconds: number } {
  const lines = execFileSync('ps', ['-o', 'rss=,cputimes=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const rows = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return {
    mib: rows.reduce((sum, [rss = 0]) => sum + rss, 0) / 1024,
    seconds: rows.reduce((sum, [, time = 0]) => sum + time, 0),
  };
}

for (let done = 0; done < count; done++) {
  const [run] = await runner.run(code, ['10']);
  if (JSON.stringify(run) !== '{"printed":"45\\n"}') throw new Error(`program ${done} gave ${JSON.stringify(run)}`);
  if ((done + 1) % Math.ceil(count / 10) === 0) {
    const { mib, seconds } = children();
    const own = process.memoryUsage.rss() / 2 ** 20;
    console.log(
      `${done + 1} programs: worker ${mib.toFixed(0)} MiB, ${seconds} s of processor time; this process ${own.toFixed(0)} MiB`,
    );
  }
}
