/** `agoge demo`: a policy learns before your eyes. Draws a live chart on a terminal, plain lines without one, one object with --json. */
import type { Command } from '@commander-js/extra-typings';
import { join, relative } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { mkdir } from 'node:fs/promises';
import type { DemoEvents, DemoResult } from '../demo/demo.ts';
import type { Curves, PlayedTask } from '../demo/screen.ts';
import type { EpisodeRecord } from '../run/episode-record.ts';
import { noViewHelp, showRun } from './dashboard.ts';
import { interruption } from './program.ts';

export function register(program: Command): void {
  program
    .command('demo')
    .description('watch a small policy learn: evaluation, a minute of GRPO on this CPU, evaluation on tasks it never trained on')
    .option('--seconds <number>', 'seconds of training', '60')
    .option('--env <name>', 'what to play: textcraft', 'textcraft')
    .option('--seed <number>', 'decides tasks and sampling', '1')
    .option('--output <folder>', 'folder for the run', 'outputs')
    .option('--no-view', noViewHelp)
    .option('--json', 'print one object with before, after, n and p, and nothing else')
    .addHelpText('after', '\nExamples:\n  agoge demo\n  agoge demo --seconds 120 --seed 2\n  agoge demo --json\n')
    .action(async (options) => {
      const started = performance.now();
      const choice = {
        env: options.env,
        seconds: positive(options.seconds, '--seconds'),
        seed: Math.trunc(positive(options.seed, '--seed')),
        run: `demo-${options.env}-${stamp()}`,
        output: options.output,
      };
      const stop = interruption();
      const { openDemo } = await import('../demo/open.ts');
      const { runDemo } = await import('../demo/demo.ts');
      const { demoPanel, demoTasks } = await import('../demo/plan.ts');
      const tasks = demoTasks(choice.env);
      const print = options.json === true ? () => undefined : (text: string): void => void process.stdout.write(`${text}\n`);
      print(`Agoge demo: ${tasks.story}.`);
      print(
        `The shipped base policy is tested on ${demoPanel.tasks} fresh tasks, trained by GRPO for ${choice.seconds} s on others, and tested again.\n`,
      );
      await mkdir(choice.output, { recursive: true });
      await using parts = await openDemo(choice);
      const folder = join(choice.output, choice.run);
      const view = options.view && options.json !== true;
      await using _ = await showRun({ folder, among: choice.output, view, stream: process.stdout, quiet: true });
      print('');
      const screen = await createScreen(options.json === true);
      const result = await runDemo(choice, parts, stop, screen.events).finally(() => screen.end());
      if (options.json === true) {
        process.stdout.write(`${JSON.stringify(summary(choice, result, parts.directory.path, started))}\n`);
        return;
      }
      const { writeDemoReport } = await import('../demo/open.ts');
      const report = await writeDemoReport(choice);
      await printResult(result, parts.directory.path, report, print);
    });
}

function summary(
  choice: { env: string; seed: number; seconds: number },
  result: DemoResult,
  directory: string,
  started: number,
): object {
  const { before, after, n, p, comparison, training } = result;
  return {
    env: choice.env,
    seed: choice.seed,
    seconds: choice.seconds,
    before,
    after,
    n,
    p,
    difference: after - before,
    interval: [comparison.success.low, comparison.success.high],
    panel: comparison.panel,
    steps: training.step,
    directory,
    wall: Number(((performance.now() - started) / 1000).toFixed(1)),
  };
}

interface Screen {
  readonly events: DemoEvents;
  end(): void;
}

/** On a terminal one block that is drawn over itself; elsewhere a line now and then. */
async function createScreen(silent: boolean): Promise<Screen> {
  const { drawCurves } = await import('../demo/screen.ts');
  const trained: [number, number][] = [];
  const fresh: [number, number][] = [];
  const live = process.stdout.isTTY && !silent;
  let drawn = 0;
  let status = '';
  let spoken = 0;
  const write = (text: string): void => {
    if (!silent) process.stdout.write(text);
  };
  const redraw = (): void => {
    if (!live) return;
    const width = process.stdout.columns;
    const curves: Curves = { trained, fresh };
    const lines = [...(trained.length > 0 ? drawCurves(curves, width) : []), status.slice(0, width - 1)];
    write(`${drawn > 0 ? `\u001b[${String(drawn)}A` : ''}${lines.map((line) => `\u001b[2K${line}\n`).join('')}`);
    drawn = lines.length;
  };
  const say = (text: string, always: boolean): void => {
    status = text;
    if (live) redraw();
    else if (always || performance.now() - spoken > 5000) {
      write(`${text}\n`);
      spoken = performance.now();
    }
  };
  return {
    events: {
      onPhase: (phase) =>
        say({ before: 'Testing the base policy …', training: 'Training …', after: 'Testing the trained policy …' }[phase], true),
      onEpisode: (done, of) => say(`  ${done} of ${of} tasks played`, done === of),
      onStep: ({ step, metrics, elapsed }) => {
        const success = metrics['train/success'] ?? 0;
        trained.push([step, success]);
        say(
          `  step ${step}   ${elapsed.toFixed(0)} s   success on training tasks ${percent(success)}   ${String(step * 128)} episodes`,
          false,
        );
      },
      onEvaluation: ([line]) => {
        if (line) fresh.push([line.step, line.success]);
      },
    },
    end: () => {
      drawn = 0;
    },
  };
}

async function printResult(
  { before, after, n, p, comparison, example }: DemoResult,
  directory: string,
  report: string,
  print: (text: string) => void,
): Promise<void> {
  const { sideBySide } = await import('../demo/screen.ts');
  const width = process.stdout.columns || 100;
  print(
    `\nOn ${n} tasks that were never trained on: ${percent(before)} before, ${percent(after)} after (paired exact p = ${p.toPrecision(2)}).`,
  );
  print(`${comparison.verdict}\n`);
  if (example) {
    print(example.before.observation);
    for (const line of sideBySide(played('before', example.before), played('after', example.after), width)) print(line);
  }
  const run = relative(process.cwd(), directory) || directory;
  print(`\nThe run: ${run}    as one file: ${report}\n\nTry next:`);
  print(`  agoge view ${run}`);
  print('  agoge train recipes/textcraft-grpo.yaml steps=50');
  print(`  agoge eval textcraft --policy base --policy run:${run} --baseline base`);
}

function played(title: string, { turns, outcome }: EpisodeRecord): PlayedTask {
  const solved = outcome.kind === 'finished' && outcome.success;
  return {
    title,
    turns: turns.map(({ action, reply, observation }) => ({ action: action ?? reply, observation })),
    ended: solved ? 'solved' : 'not solved',
  };
}

function positive(text: string, name: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value)))
    throw new AgogeError('CLI_USAGE_NUMBER', `${name} takes a positive number, not "${text}"`);
  return value;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

function stamp(): string {
  return new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}
