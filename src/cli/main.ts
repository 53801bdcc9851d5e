#!/usr/bin/env node
/** The `agoge` command. Signals come first: the rest takes a moment to load, and Ctrl-C is answered from the beginning. */
import './terminal/signals.ts';

const orders = process.env['AGOGE_CHAOS'];
if (orders !== undefined) {
  const { installFromOrders } = await import('../chaos/install.ts');
  await installFromOrders(orders);
}

try {
  const [{ runProgram }, { openProgram }] = await Promise.all([import('./program.ts'), import('./commands.ts')]);
  await runProgram(await openProgram(process.argv.slice(2)));
} catch (thrown) {
  // The program itself could not be loaded: Node reads many files at once, and what makes sentences of errors may be among them.
  if (!['EMFILE', 'ENFILE'].includes((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown;
  process.stderr.write(
    'agoge: the system lets this shell open too few files at once: raise the limit (ulimit -n 4096) and run again [CLI_SYSTEM]\n',
  );
  process.exit(1);
}
