/** `agoge view`: the dashboard on this machine, or a whole run as one HTML file. */
import type { Command } from '@commander-js/extra-typings';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import type { RunLibrary } from '../../dashboard/runs/library.ts';
import { endServer } from '../program.ts';
import { collect } from '../options/settings.ts';
import { interruption } from '../terminal/signals.ts';
import { print, printJson } from '../terminal/print.ts';
import { wholeNumber } from '../options/values.ts';

export function register(command: Command): void {
  command
    .argument('[folder]', 'a run, or a folder of runs', 'outputs')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on, 0 for a free one', '6006')
    .option('--token <secret>', 'asked of every request; needed when --host is not this machine')
    .option('--allow-host <name>', 'a further name this server is reached by, * for any (repeatable)', collect, [])
    .option(
      '--allow-origin <origin>',
      'a page that may use this server, such as https://app.example.org (repeatable)',
      collect,
      [],
    )
    .option(
      '--env <environment>',
      'an environment of your own for the play page: ./my-env.ts or a package (repeatable)',
      collect,
      [],
    )
    .option(
      '--out <file>',
      'write the run, or a gallery of the newest 50 runs of the folder, as one self-contained HTML file and end',
    )
    .option('--force', 'with --out: replace a file that is not a report')
    .option(
      '--json',
      'print what is known of the run, or of each run of a folder, as JSON and end: scores, warnings, why it does not learn',
    )
    .option('--episodes <number>', 'how many episodes the file carries', '200')
    .addHelpText(
      'after',
      '\nExamples:\n  agoge view                                   every run below outputs/\n  agoge view outputs/demo --out demo.html      one file to keep or to send\n  agoge view outputs --out runs.html           a gallery of the runs there in one file\n  agoge view outputs/demo --json               the same for programs: scores, warnings, why it does not learn\n  agoge view --env ./my-env.ts                 play your own environment there as well\n',
    )
    .action(async (folder, options) => {
      const root = resolve(folder);
      if (!(await stat(root).catch(() => undefined))?.isDirectory()) {
        throw new AgogeError(
          'CLI_USAGE_FOLDER',
          `there is no folder ${folder}: give a run directory, or start one with \`agoge demo\``,
        );
      }
      const { RunLibrary } = await import('../../dashboard/runs/library.ts');
      const library = new RunLibrary(root);
      if (options.json === true) {
        printJson(library.isRun ? await library.detail('.') : await library.list(), undefined, 2);
        return;
      }
      if (options.out !== undefined) return writeOut(library, options.out, options);
      const loopback = ['127.0.0.1', 'localhost', '::1'].includes(options.host);
      if (!loopback && options.token === undefined) {
        throw new AgogeError(
          'CLI_USAGE_TOKEN',
          `--host ${options.host} can be reached from other machines: add --token <secret>`,
        );
      }
      const [{ startView }, { openOwn }] = await Promise.all([
        import('../../dashboard/server/server.ts'),
        import('../options/own-environments.ts'),
      ]);
      const stop = interruption();
      const own = await Promise.all(options.env.map((spec) => openOwn(spec)));
      await using server = await startView({
        own,
        library,
        host: options.host,
        port: wholeNumber(options.port, '--port', 65_535),
        ...(options.token !== undefined && { token: options.token }),
        allowHosts: options.allowHost,
        allowOrigins: options.allowOrigin,
        demonstrations: join(root, 'demonstrations'),
      });
      print(`Dashboard of ${folder}: ${server.url}\n${loopback ? 'Only this machine can open it. ' : ''}Ctrl-C ends it.`);
      await new Promise<void>((done) => {
        if (stop.aborted) done();
        stop.addEventListener('abort', () => done(), { once: true });
      });
      endServer(stop);
    });
}

/** The run, or all runs of the folder, as one file. */
async function writeOut(
  library: RunLibrary,
  out: string,
  { force, episodes }: { readonly force?: true | undefined; readonly episodes: string },
): Promise<void> {
  const { mostRuns, refuseForeignFile, writeReport } = await import('../../dashboard/server/single-file.ts');
  if (force !== true) await refuseForeignFile(resolve(out));
  const all = library.isRun ? ['.'] : (await library.list()).map(({ id }) => id);
  const runs = all.slice(0, mostRuns);
  const { bytes, unreadable, because } = await writeReport(library, runs, resolve(out), {
    episodes: wholeNumber(episodes, '--episodes'),
  });
  const what = runs.length === 1 ? '' : `${runs.length} runs, `;
  print(`${out}: ${what}${(bytes / 1e6).toFixed(1)} MB, opens without a server`);
  if (all.length > runs.length) print(`left out: ${all.length - runs.length} older runs; a file has ${mostRuns} at most`);
  if (unreadable > 0)
    print(`left out: ${unreadable} ${unreadable === 1 ? 'episode' : 'episodes'} that cannot be read (${because ?? ''})`);
}
