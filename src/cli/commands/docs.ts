/** `agoge docs`: the pages of this version in the browser. */
import type { Command } from '@commander-js/extra-typings';
import { print } from '../terminal/print.ts';
import { endServer } from '../program.ts';
import { interruption } from '../terminal/signals.ts';
import { wholeNumber } from '../options/values.ts';

export function register(command: Command): void {
  command
    .option('--port <number>', 'port to listen on, 0 for a free one', '6007')
    .addHelpText('after', '\nExample:\n  agoge docs        then open the address that it prints\n')
    .action(async ({ port }) => {
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
