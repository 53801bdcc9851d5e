/** `agoge docs`: the pages of this version in the browser, or as static files. */
import type { Command } from '@commander-js/extra-typings';
import { AgogeError } from '../../core/error.ts';
import { collect } from '../options/settings.ts';
import { print } from '../terminal/print.ts';
import { endServer } from '../program.ts';
import { interruption } from '../terminal/signals.ts';
import { wholeNumber } from '../options/values.ts';

export function register(command: Command): void {
  command
    .option('--port <number>', 'port to listen on, 0 for a free one', '6007')
    .option('-o, --out <folder>', 'write the whole site there as static files, for any host and any base path')
    .option('--run <folder>', 'with --out: add the report of this run (repeatable)', collect, [])
    .addHelpText(
      'after',
      '\nExamples:\n  agoge docs        then open the address that it prints\n  agoge docs --out site --run outputs/textcraft-grpo\n',
    )
    .action(async ({ port, out, run }) => {
      if (out !== undefined) {
        const { writeDocsSite } = await import('../../dashboard/docs/docs-site.ts');
        const { pages, files, reports } = await writeDocsSite(out, run);
        print(`wrote ${out}: ${pages} pages, ${files} pictures and files, ${reports} reports of runs; open ${out}/index.html`);
        return;
      }
      if (run.length > 0) throw new AgogeError('CLI_USAGE_DOCS', '--run adds a report to a site that is written: give --out too');
      const { startDocs } = await import('../../dashboard/docs/docs-server.ts');
      const stop = interruption();
      await using server = await startDocs({ host: '127.0.0.1', port: wholeNumber(port, '--port', 65_535) });
      print(`Pages: ${server.url}\nOnly this machine can open them. Ctrl-C ends it.`);
      await new Promise<void>((done) => {
        if (stop.aborted) done();
        stop.addEventListener('abort', () => done(), { once: true });
      });
      endServer(stop);
    });
}
