/** `agoge chaos list`, and what `--chaos` does to a command: this process becomes its supervisor, and checks what is left in the end. */
import type { Command } from '@commander-js/extra-typings';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Check } from '../../chaos/checks.ts';
import type { Supervised, SuperviseResult } from '../../chaos/supervise.ts';
import { AgogeError } from '../../core/error.ts';
import { print, printJson, tell } from '../terminal/print.ts';
import { interruption } from '../terminal/signals.ts';

export const chaosHelp =
  'break things on purpose (SEED[:profile[:starts]]: steps, servers, disk, kill, all, or kinds by name; see agoge chaos list), then check that nothing was lost';

export function register(chaos: Command): void {
  chaos
    .command('list')
    .description('every kind of fault and what it does')
    .option('--json', 'print them as JSON')
    .action(async ({ json }) => {
      const [{ faultKinds, profiles }, { listText }] = await Promise.all([
        import('../../chaos/kinds.ts'),
        import('../../chaos/report.ts'),
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

/** A command that is put under chaos. */
interface Target {
  readonly name: string;
  /** What --chaos was given. */
  readonly chaos: string;
  readonly json: boolean;
  /** How it is called, and what must hold in the end; `work` is the folder of this chaos. */
  readonly plan: (work: string) => Promise<Plan> | Plan;
}

interface Plan extends Omit<Supervised, 'work' | 'program' | 'signal' | 'say'> {
  readonly checks: (result: SuperviseResult) => Promise<Check[]> | Check[];
  /** It goes on until Ctrl-C, and has printed all it has to say by then. */
  readonly endless?: true;
}

/** Runs this very command under chaos and prints what held; the exit code is 1 where something did not. */
async function runUnderChaos({ name, chaos, json, plan }: Target): Promise<void> {
  const [{ parseChaos }, { supervise }, { reportOf, reportText }] = await Promise.all([
    import('../../chaos/spec.ts'),
    import('../../chaos/supervise.ts'),
    import('../../chaos/report.ts'),
  ]);
  const spec = parseChaos(chaos);
  const moment = new Date().toISOString().replace(/\D/g, '').slice(0, 17);
  const work = join('outputs', 'chaos', `${name}-${spec.seed}-${moment}-${process.pid}`);
  const signal = interruption();
  const { checks, endless, ...planned } = await plan(work);
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
  const result = await supervise(spec, { ...planned, work, program, signal, say: tell });
  if (signal.aborted && !endless)
    throw new AgogeError('CLI_INTERRUPTED', `interrupted; nothing was compared: the logs are in ${work}`);
  const report = reportOf(result.ledger, result.starts.length, await checks(result), work);
  if (json) printJson(report);
  else print(`${endless ? '' : `${result.output.trimEnd()}\n`}${reportText(report)}`);
  if (!report.holds) process.exitCode = 1;
}

/** The arguments of this process without --chaos, and without the dashboard. */
function ownArguments(): string[] {
  const args = process.argv.slice(2);
  const kept: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--chaos') at++;
    else if (!arg.startsWith('--chaos=') && arg !== '--view' && arg !== '--json') kept.push(arg);
  }
  return kept;
}

interface Played {
  readonly name: string;
  readonly out: string | undefined;
  readonly json?: true | undefined;
  readonly more?: readonly string[];
  /** What is written where the results are to go to `out`. */
  readonly written: (out: string) => readonly string[];
  readonly compare: (out: string, quiet: string) => Promise<Check[]>;
}

/** A command that plays episodes, keeps its results at `--out` and, called again, goes on with what is missing. */
async function playUnderChaos(chaos: string, { name, out, json, more = [], written, compare }: Played): Promise<void> {
  const { endChecks } = await import('../../chaos/checks.ts');
  if (out !== undefined && existsSync(out))
    throw new AgogeError('CLI_CHAOS_OUT', `${out} exists, and what is there is not played again: give another --out`);
  await runUnderChaos({
    name,
    chaos,
    json: json === true,
    plan(work) {
      const [struck, quiet] = [out ?? join(work, 'struck'), join(work, `quiet${extname(out ?? '')}`)];
      // A further start must find what the one before it has left.
      const own = [...ownArguments().filter((arg) => arg !== '--fresh' && arg !== '--force'), ...more];
      return {
        promise: 'complete',
        quiet: [...own, '--out', quiet],
        first: [...own, '--out', struck],
        folders: written(struck),
        quietFolders: written(quiet),
        checks: async (result) => [...endChecks(result), ...(result.completed ? await compare(struck, quiet) : [])],
      };
    },
  });
}

/** `agoge eval --chaos`. */
export async function evalUnderChaos(chaos: string, options: { out?: string | undefined; json?: true | undefined }) {
  const { evaluationChecks } = await import('../../chaos/checks.ts');
  const { out, json } = options;
  const written = (folder: string): string[] => [folder];
  await playUnderChaos(chaos, { name: 'eval', out, json, more: ['--no-view'], written, compare: evaluationChecks });
}

/** `agoge data sample --chaos`. */
export async function sampleUnderChaos(chaos: string, { out, json }: { out: string; json?: true | undefined }) {
  const { fileCheck } = await import('../../chaos/checks.ts');
  const written = (file: string): string[] => [file, `${file}.partial.jsonl`];
  await playUnderChaos(chaos, { name: 'sample', out, json, written, compare: async (...files) => [await fileCheck(...files)] });
}

/** `agoge train --chaos` and `agoge sft --chaos`. */
export async function trainUnderChaos(
  chaos: string,
  command: string,
  { folder, staleness, json }: { readonly folder: string; readonly staleness: number; readonly json: boolean },
) {
  const [{ endChecks, runChecks }, { holdsRun }] = await Promise.all([
    import('../../chaos/checks.ts'),
    import('../../run/run-info.ts'),
  ]);
  if (await holdsRun(folder))
    throw new AgogeError('RUN_EXISTS', `${folder} holds a run already: choose another name for this one by run=<name>`);
  await runUnderChaos({
    name: command,
    chaos,
    json,
    plan(work) {
      const quiet = join(work, 'quiet');
      const first = [...ownArguments(), '--no-view'];
      return {
        promise: 'bits',
        quiet: [...first, `output=${work}`, 'run=quiet'],
        first,
        // A run that was ended before its first word is started, not resumed.
        again: async () => ((await holdsRun(folder)) ? [command, '--resume', folder, '--no-view'] : first),
        folders: [folder],
        quietFolders: [quiet],
        checks: async (result) => [...endChecks(result), ...(result.completed ? await runChecks(folder, quiet, staleness) : [])],
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
  const { serverChecks } = await import('../../chaos/checks.ts');
  const json = options.json === true;
  await runUnderChaos({
    name: 'serve',
    chaos,
    json,
    plan: () => ({
      promise: 'serve',
      first: [...ownArguments(), ...(json ? ['--json'] : [])],
      folders: [],
      quietFolders: [],
      // It has no end: the first starts are killed within some seconds or some hundred steps.
      events: { turns: 200, writes: 1, renames: 1, milliseconds: 8000 },
      echo: print,
      checks: serverChecks,
      endless: true,
    }),
  });
}
