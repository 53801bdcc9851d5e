/**
 * `agoge completion`: completion of commands, options, environments, recipes and runs in bash, zsh and fish. The shell asks the program
 * itself (`agoge __complete word…`), so what it offers is what this version has.
 */
import type { Command } from '@commander-js/extra-typings';
import { Argument } from '@commander-js/extra-typings';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { print } from './print.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function register(program: Command): void {
  program
    .command('completion')
    .description('completion for your shell: prints its script, or installs it')
    .addArgument(new Argument('[shell]', 'which one (default: the one you use)').choices(shells))
    .option('--install', 'write it where the shell finds it')
    .addHelpText('after', '\nExamples:\n  agoge completion --install\n  source <(agoge completion bash)\n')
    .action(async (given, { install }) => {
      const shell = given ?? usedShell();
      if (install === true) print(await installFor(shell));
      else print(scripts[shell]);
    });
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words) => print((await candidates(program, words)).join('\n')));
}

/** What may stand where the last word is being typed. */
export async function candidates(program: Command, words: readonly string[]): Promise<string[]> {
  const last = words.at(-1) ?? '';
  let command: Shape = program;
  for (const word of words.slice(0, -1)) command = command.commands.find((sub) => sub.name() === word) ?? command;
  const offered: string[] = [];
  if (last.startsWith('-')) offered.push('--help', ...command.options.flatMap(({ long }) => (long == null ? [] : [long])));
  else if (command.commands.length > 0) {
    offered.push(...command.commands.map((sub) => sub.name()).filter((name) => !name.startsWith('__')));
  } else offered.push(...(await values(command.name(), words)));
  return offered.filter((one) => one.startsWith(last)).sort();
}

/** The parts of a commander command that are read here; its generic types say more than is needed. */
interface Shape {
  readonly commands: readonly Shape[];
  readonly options: readonly { readonly long?: string | null | undefined }[];
  name(): string;
}

async function values(command: string, words: readonly string[]): Promise<string[]> {
  if (['--resume', '--policy'].includes(words.at(-2) ?? '')) return runs(words.at(-2) === '--policy' ? 'run:' : '');
  if (['train', 'sft', 'reward', 'recipes'].includes(command)) {
    const { packagedRecipes } = await import('../config/packaged-recipes.ts');
    return (await packagedRecipes()).flatMap((one) => (command === 'recipes' || one.command === command ? [one.name] : []));
  }
  if (command === 'view' || command === 'compare') return runs('');
  const [{ environmentEntries }] = await Promise.all([import('../envs/registry.ts'), import('../envs/builtin.ts')]);
  return environmentEntries().map(({ name }) => name);
}

function runs(before: string): string[] {
  return existsSync('outputs') ? readdirSync('outputs').map((name) => `${before}outputs/${name}`) : [];
}

function usedShell(): Shell {
  const name = basename(process.env['SHELL'] ?? '');
  const shell = shells.find((one) => one === name);
  if (shell) return shell;
  throw new AgogeError('CLI_USAGE_COMPLETION', `the shell "${name}" is not known: name one of ${shells.join(', ')}`);
}

async function installFor(shell: Shell): Promise<string> {
  if (shell === 'fish') {
    const file = join(homedir(), '.config/fish/completions/agoge.fish');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${scripts.fish}\n`);
    return `wrote ${file}; new shells complete agoge`;
  }
  const file = join(homedir(), shell === 'bash' ? '.bashrc' : '.zshrc');
  const line = `source <(agoge completion ${shell})`;
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  if (text.includes(line)) return `${file} has it already`;
  await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
  return `added "${line}" to ${file}; new shells complete agoge`;
}

const scripts: Readonly<Record<Shell, string>> = {
  bash: `_agoge() {
  local cur="\${COMP_WORDS[COMP_CWORD]}"
  mapfile -t COMPREPLY < <(agoge __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [ \${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}
complete -F _agoge agoge`,
  zsh: `#compdef agoge
_agoge() {
  local -a found
  found=(\${(f)"$(agoge __complete -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -- $found; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _agoge agoge`,
  fish: `complete -c agoge -f -a '(agoge __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
complete -c agoge -n '__fish_seen_subcommand_from train sft view compare' -F`,
};
