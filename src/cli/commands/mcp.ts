/** `agoge mcp`: an environment as an MCP server, on standard input and output or behind an address. */
import type { Command } from '@commander-js/extra-typings';
import { collect, serverHelp, settingsByEnvironment } from '../options/settings.ts';
import { whole } from '../options/values.ts';
import { interruption } from '../terminal/signals.ts';
import { tell } from '../terminal/print.ts';

export function register(command: Command): void {
  command
    .argument('<environment>', 'a name, name@http://host:port for one that is served, or your own ./my-env.ts')
    .option('--split <split>', 'the split that start_task takes tasks from (default: test, where there is one)')
    .option('--port <number>', 'serve over HTTP at this port instead of standard input and output; 0: any', whole(0, 65_535))
    .option('--host <address>', 'of --port: where it listens', '127.0.0.1')
    .option('--server <key=value>', serverHelp, collect, [])
    .option('--set <env.key=value>', 'a setting of the environment (repeatable)', collect, [])
    .addHelpText('after', '\nExamples:\n  agoge mcp textcraft\n  agoge mcp ./my-env.ts --port 8000\n')
    .action(async (spec, options) => {
      const stop = interruption();
      await import('../../envs/builtin.ts');
      const [{ openEnvironment, parseEnvironmentSpec }, { parseServers }, { McpSession }, { serveMcp, serveStdio }] =
        await Promise.all([
          import('../../gym/client/connect.ts'),
          import('../../config/recipe/servers.ts'),
          import('../../agent/mcp/session.ts'),
          import('../../agent/mcp/serve.ts'),
        ]);
      const { name } = parseEnvironmentSpec(spec);
      const environment = await openEnvironment(spec, settingsByEnvironment(options.set, [name]).get(name), {
        ...parseServers(options.server),
        signal: stop,
      });
      try {
        const split = options.split ?? environment.splits.find((one) => one === 'test') ?? environment.splits[0] ?? '';
        environment.tasks(split);
        const open = (): InstanceType<typeof McpSession> => new McpSession(environment, split);
        if (options.port === undefined) {
          tell(`${environment.name} answers MCP on standard input and output; Ctrl-C ends it`);
          await serveStdio(open(), process.stdin, process.stdout, stop);
          return;
        }
        await using server = await serveMcp({ open, host: options.host, port: options.port });
        tell(`${environment.name} answers MCP at ${server.url}; Ctrl-C ends it`);
        await new Promise<void>((resolve) => {
          stop.addEventListener('abort', () => resolve(), { once: true });
          if (stop.aborted) resolve();
        });
      } finally {
        await environment.close?.();
      }
    });
}
