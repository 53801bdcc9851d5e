/** `agoge chaos list`, and what `--chaos` does to a command: this process becomes its supervisor, and checks what is left in the end. */
import type { Command } from '@commander-js/extra-typings';
import { mkdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Check } from '../chaos/checks.ts';
import type { Orders } from '../chaos/orders.ts';
import { AgogeError } from '../core/error.ts';
import { printable } from '../core/printable.ts';
import { print, printJson, tell } from './print.ts';
import { interruption } from './signals.ts';

export const chaosHelp =
  'break things on purpose (SEED[:profile[:starts]]: steps, servers, disk, kill, all, or kinds by name; see agoge chaos list), then check that nothing was lost';

export function register(program: Command): void {
  const chaos = program.command('chaos').description('faults that --chaos puts into train, sft, eval, serve and data sample');
  chaos
    .command('list')
    .description('every kind of fault and what it does')
    .option('--json', 'print them as JSON')
    .action(async ({ json }) => {
      const [{ faultKinds, profiles }, { listText }] = await Promise.all([
        import('../chaos/kinds.ts'),
        import('../chaos/report.ts'),
      ]);
      if (json) printJson({ kinds: faultKinds, profiles });
      else print(listText());
    });
  chaos.addHelpText(
    'after',
    `
Examples:
  agoge eval textcraft -p expert --chaos 7                     your evaluation with every kind of fault, and without any
  agoge eval ./my-env.ts -p random --chaos 7:steps             your own environment fails, hangs, answers late or garbled
  agoge train recipes/textcraft-grpo.yaml steps=5 --chaos 7:kill,disk
  agoge serve textcraft --chaos 7:servers                      a server to try your own client on
`,
  );
  for (const command of chaos.commands) command.exitOverride();
}

interface UnderChaos {
  /** What --chaos was given. */
  readonly chaos: string;
  readonly command: string;
  readonly json: boolean;
  readonly promise: Orders['promise'];
  /** What the command is called with once more: with its results in `to`. */
  readonly plan: (work: string) => Promise<Plan>;
}

interface Plan {
  readonly quiet: readonly string[];
  readonly first: readonly string[];
  readonly again: () => Promise<readonly string[]>;
  readonly folders: readonly string[];
  readonly quietFolders: readonly string[];
  readonly check: () => Promise<Check[]>;
}

/** Runs this very command under chaos and prints what held; the exit code is 1 where something did not. */
export async function runUnderChaos({ chaos, command, json, promise, plan }: UnderChaos): Promise<void> {
  const [{ parseChaos }, { supervise }, { endChecks }, { reportOf, reportText }] = await Promise.all([
    import('../chaos/spec.ts'),
    import('../chaos/supervise.ts'),
    import('../chaos/checks.ts'),
    import('../chaos/report.ts'),
  ]);
  const spec = parseChaos(chaos);
  const work = workFolder(command, spec.seed);
  await mkdir(work, { recursive: true });
  const { check, ...planned } = await plan(work);
  const result = await supervise(spec, { ...planned, work, program: thisProgram(), promise, signal: interruption(), say: tell });
  const checks = [...endChecks(result), ...(result.completed ? await check() : [])];
  const report = reportOf(result.ledger, result.starts.length, checks, work);
  if (json) printJson(report);
  else print(`${result.output.trimEnd()}\n${reportText(report)}`);
  if (!report.holds) process.exitCode = 1;
}

/** The arguments of this process without --chaos, and without the dashboard. */
export function ownArguments(): string[] {
  const args = process.argv.slice(2);
  const kept: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--chaos') at++;
    else if (!arg.startsWith('--chaos=') && arg !== '--view' && arg !== '--json') kept.push(arg);
  }
  return kept;
}

/** `agoge eval --chaos`. */
export async function evalUnderChaos(
  chaos: string,
  options: { readonly out?: string | undefined; readonly json?: true | undefined },
) {
  await runUnderChaos({
    chaos,
    command: 'eval',
    json: options.json === true,
    promise: 'complete',
    async plan(work) {
      const { evaluationChecks } = await import('../chaos/checks.ts');
      const [folder, quiet] = [options.out ?? join(work, 'struck'), join(work, 'quiet')];
      const first = [...ownArguments().filter((arg) => arg !== '--fresh'), '--no-view', '--out', folder];
      return {
        quiet: [...first.slice(0, -1), quiet],
        first,
        again: () => Promise.resolve(first),
        folders: [folder],
        quietFolders: [quiet],
        check: () => evaluationChecks(folder, quiet),
      };
    },
  });
}

/** `agoge data sample --chaos`. */
export async function sampleUnderChaos(chaos: string, options: { readonly out: string; readonly json?: true | undefined }) {
  await runUnderChaos({
    chaos,
    command: 'sample',
    json: options.json === true,
    promise: 'complete',
    async plan(work) {
      const { fileCheck } = await import('../chaos/checks.ts');
      const quiet = join(work, `quiet${extname(options.out)}`);
      const first = ownArguments();
      return {
        quiet: [...first, '--out', quiet],
        first,
        again: () => Promise.resolve(first),
        folders: [options.out, `${options.out}.partial.jsonl`],
        quietFolders: [quiet, `${quiet}.partial.jsonl`],
        check: async () => [await fileCheck(options.out, quiet)],
      };
    },
  });
}

/** `agoge train --chaos` and `agoge sft --chaos`. */
export async function trainUnderChaos(
  chaos: string,
  command: string,
  { folder, staleness, json }: { readonly folder: string; readonly staleness: number; readonly json: boolean },
) {
  await runUnderChaos({
    chaos,
    command,
    json,
    promise: 'bits',
    async plan(work) {
      const [{ runChecks }, { holdsRun }] = await Promise.all([import('../chaos/checks.ts'), import('../run/run-info.ts')]);
      if (await holdsRun(folder))
        throw new AgogeError('RUN_EXISTS', `${folder} holds a run already: choose another name for this one by run=<name>`);
      const first = [...ownArguments(), '--no-view'];
      return {
        quiet: [...first, `output=${work}`, 'run=quiet'],
        first,
        // A run that was ended before its first word is started, not resumed.
        again: async () => ((await holdsRun(folder)) ? [command, '--resume', folder, '--no-view'] : first),
        folders: [folder],
        quietFolders: [join(work, 'quiet')],
        check: () => runChecks(folder, join(work, 'quiet'), staleness),
      };
    },
  });
}

/** `agoge serve --chaos`: a server that breaks, dies and comes back at the same address until it is ended. */
export async function serveUnderChaos(
  chaos: string,
  options: { readonly port: number; readonly processes: number; readonly json?: true | undefined },
) {
  if (options.port === 0 || options.processes > 1)
    throw new AgogeError('CLI_USAGE_CHAOS', 'a server that comes back needs its address: give --port, and one process');
  const [{ parseChaos }, { supervise }, { serverChecks }, { reportOf, reportText }] = await Promise.all([
    import('../chaos/spec.ts'),
    import('../chaos/supervise.ts'),
    import('../chaos/checks.ts'),
    import('../chaos/report.ts'),
  ]);
  const spec = parseChaos(chaos);
  const first = ownArguments();
  const work = workFolder('serve', spec.seed);
  const result = await supervise(spec, {
    work,
    program: thisProgram(),
    quiet: undefined,
    first,
    again: () => Promise.resolve(first),
    folders: [],
    quietFolders: [],
    promise: 'serve',
    // It has no end: the first starts are killed within some seconds or some hundred steps.
    events: { turns: 200, writes: 1, renames: 1, milliseconds: 8000 },
    signal: interruption(),
    say: tell,
    echo: (text) => process.stdout.write(printable(text)),
  });
  const report = reportOf(result.ledger, result.starts.length, serverChecks(result), work);
  if (options.json) printJson(report);
  else print(reportText(report));
  if (!report.holds) process.exitCode = 1;
}

function thisProgram(): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
}

function workFolder(command: string, seed: number): string {
  return join('outputs', 'chaos', `${command}-${seed}-${new Date().toISOString().replace(/\D/g, '').slice(0, 17)}`);
}
