/** Every command with its arguments, options and examples, as `--help` prints them. */
import type { Command } from 'commander';
import { openProgram } from '../../src/cli/commands.ts';
import { cell, root } from './source.ts';

export async function commandsPage(): Promise<string> {
  const program = await openProgram();
  const all = (program.commands as unknown as readonly Command[]).filter((command) => !command.name().startsWith('_'));
  const index = all.map((command) => `- [\`agoge ${command.name()}\`](#agoge-${command.name()}): ${command.description()}`);
  return `# Commands\n\nGenerated from the commands themselves by \`npm run reference\`; \`agoge <command> --help\` prints the same. Every command ends with 0 (done), 1 (the work failed),
2 (bad usage) or 130 (interrupted; it says how to go on).\n\n${index.join('\n')}\n\n${all.map((command) => section(command, 'agoge', 2)).join('\n')}`;
}

function section(command: Command, before: string, depth: number): string {
  const name = `${before} ${command.name()}`;
  const given = command.registeredArguments;
  const args = given.map((one) => `| \`${one.name()}\` | ${cell(one.description)} | ${defaultOf(one.defaultValue)} |`);
  const options = command.options
    .filter((one) => !one.hidden)
    .map((one) => `| \`${one.flags}\` | ${cell(one.description)} | ${defaultOf(one.defaultValue)} |`);
  const words = given.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`) + (one.variadic ? '…' : ''));
  const parts = [`${'#'.repeat(depth)} ${name}`, `${capital(command.description())}.`, `\`${[name, ...words].join(' ')}\``];
  if (args.length > 0) parts.push(['| argument | meaning | default |', '|---|---|---|', ...args].join('\n'));
  if (options.length > 0) parts.push(['| option | meaning | default |', '|---|---|---|', ...options].join('\n'));
  const after = helpAfter(command);
  if (after !== '') parts.push(`\`\`\`text\n${after}\n\`\`\``);
  return [...parts, ''].join('\n\n') + command.commands.map((inner) => section(inner, name, depth + 1)).join('');
}

/** What stands behind the options in the help: examples, mostly. */
function helpAfter(command: Command): string {
  let said = '';
  command.configureOutput({ writeOut: (text) => (said += text) });
  command.outputHelp();
  return said.slice(command.helpInformation().length).trim();
}

function defaultOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || value === true ? `\`${String(value).replace(root, '')}\`` : '';
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
