/**
 * `agoge completion`: completion of commands, options, environments, recipes and runs in bash, zsh and fish. The shell asks the program
 * itself (`agoge __complete word…`), so what it offers is what this version has.
 */
import type { Command } from '@commander-js/extra-typings';
import { Argument } from '@commander-js/extra-typings';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { print } from '../terminal/print.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export function register(command: Command): void {
  command
    .addArgument(new Argument('[shell]', 'which one (default: the one you use)').choices(shells))
    .option('--install', 'write it where the shell finds it')
    .addHelpText('after', '\nExamples:\n  agoge completion --install\n  source <(agoge completion bash)\n')
    .action(async (given, { install }) => {
      const shell = given ?? usedShell();
      if (install === true) print(await installFor(shell));
      else print(scripts[shell]);
    });
}

function usedShell(): Shell {
  const name = basename(process.env['SHELL'] ?? '');
  const shell = shells.find((one) => one === name);
  if (shell) return shell;
  throw new AgogeError('CLI_USAGE_COMPLETION', `the shell "${name}" is not known: name one of ${shells.join(', ')}`);
}

/** The script in a file of its own: a new shell reads it and starts nothing, and one without agoge is not bothered by it. */
async function installFor(shell: Shell): Promise<string> {
  const fish = shell === 'fish';
  const { XDG_CONFIG_HOME: config, XDG_DATA_HOME: data, ZDOTDIR: zsh } = process.env;
  const base = fish ? (config ?? join(homedir(), '.config')) : (data ?? join(homedir(), '.local/share'));
  const file = join(base, fish ? 'fish/completions/agoge.fish' : `agoge/completion.${shell}`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${scripts[shell]}\n`);
  if (fish) return `wrote ${file}; new shells complete agoge`;
  const start = shell === 'bash' ? join(homedir(), '.bashrc') : join(zsh ?? homedir(), '.zshrc');
  const line = `[ -f '${file}' ] && source '${file}'`;
  const text = existsSync(start) ? await readFile(start, 'utf8') : '';
  if (text.includes(line)) return `wrote ${file}; ${start} reads it already`;
  await appendFile(start, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
  return `wrote ${file}, which ${start} now reads; new shells complete agoge`;
}

/** bash cuts words at colons and equal signs, and replaces only what follows the last of them: run:outputs/x is one word here. */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `_agoge() {
  local line="\${COMP_LINE:0:COMP_POINT}" cur cut one
  local -a words
  read -r -a words <<< "$line"
  case "$line" in *[[:space:]]) words+=("") ;; esac
  cur="\${words[\${#words[@]}-1]}"
  cut="\${cur%"\${cur##*[:=]}"}"
  COMPREPLY=()
  while IFS= read -r one; do
    [ -z "$one" ] || COMPREPLY+=("\${one#"$cut"}")
  done < <(agoge __complete -- "\${words[@]:1}" 2>/dev/null)
  [ \${#COMPREPLY[@]} -gt 0 ] || while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen -f -- "\${cur#"$cut"}")
}
complete -o filenames -F _agoge agoge`,
  zsh: `#compdef agoge
_agoge() {
  local -a found
  found=(\${(f)"$(agoge __complete -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -- $found; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
compdef _agoge agoge`,
  fish: `complete -c agoge -f -a '(agoge __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
complete -c agoge -n '__fish_seen_subcommand_from train sft view compare' -F`,
};
