/** `agoge demo`: a policy learns before your eyes. Draws a live chart on a terminal, plain lines without one, one object with --json. */
import type { Command } from '@commander-js/extra-typings';
import { relative } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { cutToWidth } from '../../core/width.ts';
import type { DemoEvents, DemoResult } from '../../demo/demo.ts';
import type { DemoChoice } from '../../demo/plan.ts';
import type { Curves, PlayedTask } from '../../demo/screen.ts';
import type { EpisodeRecord } from '../../run/episode-record.ts';
import { deviceHelp, deviceName } from '../options/device.ts';
import { noViewHelp, showRun } from '../terminal/dashboard.ts';
import { interruption } from '../terminal/signals.ts';
import { say as translated } from '../terminal/language.ts';
import { printDrawing, printJson } from '../terminal/print.ts';

export function register(command: Command): void {
  command
    .option('--seconds <number>', 'seconds of training', '60')
    .option('--env <name>', 'what to play: textcraft', 'textcraft')
    .option(
      '--policy <name>',
      'the shipped policy that learns: reader, or base, which is smaller and plays easier worlds',
      'reader',
    )
    .option('--seed <number>', 'decides tasks and sampling', '1')
    .option('--output <folder>', 'folder for runs: this one is demo there, or demo-2, demo-3, …', 'outputs')
    .option('--resume <run>', 'go on with a demo that was interrupted, as it was chosen then')
    .option('--device <name>', deviceHelp, deviceName)
    .option('--no-view', noViewHelp)
    .option('--json', 'print one object with before, after, n and p, and nothing else')
    .addHelpText(
      'after',
      '\nExamples:\n  agoge demo\n  agoge demo --seconds 120 --seed 2\n  agoge demo --policy base\n  agoge demo --json\n  agoge demo --resume outputs/demo\n',
    )
    .action(async (options, itself) => {
      const started = performance.now();
      const chosen = choices.find((name) => itself.getOptionValueSource(name) === 'cli');
      if (options.resume !== undefined && chosen !== undefined)
        throw new AgogeError(
          'CLI_USAGE',
          `a demo goes on as it was chosen then: leave --${chosen} out, or begin another one without --resume`,
        );
      const stop = interruption();
      const { openDemo, resumeDemo, writeDemoReport } = await import('../../demo/open.ts');
      const { demoStart } = await import('../../demo/plan.ts');
      const { runDemo } = await import('../../demo/demo.ts');
      const json = options.json === true;
      await using parts =
        options.resume === undefined
          ? await openDemo({
              env: options.env,
              policy: demoStart(options.policy),
              seconds: positive(options.seconds, '--seconds'),
              seed: Math.trunc(positive(options.seed, '--seed')),
              output: options.output,
              device: options.device,
            })
          : await resumeDemo(options.resume);
      const { choice, directory } = parts;
      const print = await printer(json);
      await introduce(choice, parts.from, print);
      const view = options.view && !json;
      await using _ = await showRun({ folder: directory.path, among: choice.output, view, stream: process.stdout, quiet: true });
      print('');
      const { groups, samples } = parts.recipe.rollout;
      const screen = await createScreen(json, await curvesSoFar(directory.path), groups * samples);
      let result: DemoResult;
      try {
        result = await runDemo(choice, parts, stop, screen.events);
      } catch (thrown) {
        if (!stop.aborted) throw thrown;
        throw new AgogeError(
          'CLI_INTERRUPTED',
          `interrupted; what was played and learned is kept. Go on with: agoge demo --resume ${shown(directory.path)}`,
        );
      }
      if (json) {
        printJson(summary(choice, result, directory.path, started));
        return;
      }
      await printResult(choice.env, result, shown(directory.path), await writeDemoReport(choice), print);
    });
}

/** What a demo keeps when it goes on: options that would be passed over. */
const choices = ['seconds', 'env', 'policy', 'seed', 'output', 'device'] as const;

type Print = (text: string) => void;

/** Prints paragraphs: broken between words to fit a terminal, as they are elsewhere. */
async function printer(silent: boolean): Promise<Print> {
  const { wrap } = await import('../../demo/screen.ts');
  return (text) => {
    if (silent) return;
    const told = translated(text);
    const lines = process.stdout.isTTY ? wrap(told, process.stdout.columns) : [told];
    printDrawing(lines.join('\n'));
  };
}

async function introduce(choice: DemoChoice, from: number, print: Print): Promise<void> {
  const { demoPanel, demoTasks } = await import('../../demo/plan.ts');
  print(`Agoge demo: ${demoTasks(choice).story}.`);
  print(
    `The shipped policy ${choice.policy} is tested on ${demoPanel.tasks} fresh tasks, trained by GRPO for ${Number(choice.seconds.toFixed(1))} s on others, and tested again.`,
  );
  if (from > 0) print(`Going on after step ${from}.`);
}

/** The curves of a demo that goes on begin where it began. */
async function curvesSoFar(path: string): Promise<Curves> {
  const { readEvaluations, readMetrics } = await import('../../run/metrics-log.ts');
  return {
    trained: (await readMetrics(path)).flatMap(({ step, data }) => {
      const success = data['train/success'];
      return success === undefined ? [] : [[step, success] as const];
    }),
    fresh: (await readEvaluations(path)).map(({ step, success }) => [step, success] as const),
  };
}

function summary(choice: DemoChoice, result: DemoResult, directory: string, started: number): object {
  const { before, after, n, p, comparison, training } = result;
  return {
    env: choice.env,
    policy: choice.policy,
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
}

const phases = {
  before: 'Testing the policy as it ships',
  training: 'Training',
  after: 'Testing the trained policy',
} as const;

/** On a terminal one block that is drawn over itself; elsewhere a line now and then. */
async function createScreen(silent: boolean, soFar: Curves, episodesPerStep: number): Promise<Screen> {
  const { drawCurves, redraw } = await import('../../demo/screen.ts');
  const curves = { trained: [...soFar.trained], fresh: [...soFar.fresh] };
  const live = process.stdout.isTTY && !silent;
  let phase: keyof typeof phases = 'before';
  let drawn = 0;
  let spoken = 0;
  const draw = (status: string): void => {
    const { columns, rows } = process.stdout;
    const chart = curves.trained.length > 0 ? drawCurves(curves, columns - 1).map(translated) : [];
    // A block that is higher than the terminal would scroll instead of being drawn over.
    const lines = [...(chart.length + 2 <= rows ? chart : []), cutToWidth(translated(status), columns - 1)];
    process.stdout.write(redraw(lines, drawn));
    drawn = lines.length;
  };
  const say = (status: string, always: boolean): void => {
    if (silent) return;
    if (live) {
      // Sixteen pictures a second are plenty.
      if (!always && performance.now() - spoken < 60) return;
      draw(status);
      spoken = performance.now();
    } else if (always || performance.now() - spoken > 5000) {
      printDrawing(translated(status));
      spoken = performance.now();
    }
  };
  return {
    events: {
      onPhase: (next) => {
        phase = next;
        say(`${phases[phase]} …`, true);
      },
      onEpisode: (done, of) => say(`${phases[phase]}: ${done} of ${of} tasks played`, done === of),
      onStep: ({ step, metrics, elapsed }) => {
        const success = metrics['train/success'];
        if (success === undefined) return;
        curves.trained.push([step, success]);
        say(
          `Training: step ${step}, ${elapsed.toFixed(0)} s, ${step * episodesPerStep} episodes, success on training tasks ${percent(success)}`,
          false,
        );
      },
      onBefore: (success) => void curves.fresh.unshift([0, success]),
      onEvaluation: ([line]) => {
        if (line) curves.fresh.push([line.step, line.success]);
      },
    },
  };
}

async function printResult(
  env: string,
  { before, after, n, p, comparison, example }: DemoResult,
  run: string,
  report: string,
  print: Print,
): Promise<void> {
  const { sideBySide } = await import('../../demo/screen.ts');
  const width = process.stdout.isTTY ? process.stdout.columns : 100;
  print(
    `\nOn ${n} tasks that were never trained on: ${percent(before)} before, ${percent(after)} after (paired exact p = ${p.toPrecision(2)}).`,
  );
  print(`${comparison.verdict}\n`);
  if (example) {
    print(example.before.observation);
    for (const line of sideBySide(played('before', example.before), played('after', example.after), width)) print(line);
  }
  print(`\nThe run: ${run}\nAs one file: ${report}\n\nTry next:`);
  print(`  agoge view ${run}`);
  print(`  agoge eval ${env} --policy run:${run}`);
  print('  agoge train textcraft-grpo steps=50');
}

/** As a person here would type it. */
function shown(directory: string): string {
  return relative(process.cwd(), directory) || directory;
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
