#!/usr/bin/env node
/** The `agoge` command. Signals come first: the rest takes a moment to load, and Ctrl-C is answered from the beginning. */
import './terminal/signals.ts';

const orders = process.env['AGOGE_CHAOS'];
if (orders !== undefined) {
  const { installFromOrders } = await import('../chaos/install.ts');
  await installFromOrders(orders);
}

const [{ runProgram }, { openProgram }] = await Promise.all([import('./program.ts'), import('./commands.ts')]);
await runProgram(await openProgram(process.argv.slice(2)));
