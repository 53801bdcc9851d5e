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
import { print, printFile } from '../terminal/print.ts';

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
      else printFile(scripts[shell]);
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
  const file = join(base, fish ? 'fish/conf.d/agoge.fish' : `agoge/completion.${shell}`);
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

/** `agoge` itself, or the one of the clone or project that the shell stands in: `npx agoge` is completed without starting npx. */
const ask = `_agoge_ask() {
  local at="$PWD"
  while [ -n "$at" ] && [ ! -x "$at/node_modules/.bin/agoge" ]; do at="\${at%/*}"; done
  if [ -x "$at/node_modules/.bin/agoge" ]; then "$at/node_modules/.bin/agoge" __complete -- "$@" 2>/dev/null
  else agoge __complete -- "$@" 2>/dev/null; fi
}`;

/**
 * bash cuts words at colons and equal signs, and replaces only what follows the last of them: run:outputs/x is one word here. Only files
 * are completed as files, for bash would write `groups\=` otherwise.
 */
const scripts: Readonly<Record<Shell, string>> = {
  bash: `${ask}
_agoge_files() {
  local one
  compopt -o filenames
  while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen -f -- "$1")
}
_agoge() {
  local line="\${COMP_LINE:0:COMP_POINT}" cur cut one
  local -a words
  read -r -a words <<< "$line"
  case "$line" in *[[:space:]]) words+=("") ;; esac
  cur="\${words[\${#words[@]}-1]}"
  cut="\${cur%"\${cur##*[:=]}"}"
  COMPREPLY=()
  if [ "\${words[0]}" = npx ]; then
    if [ "\${words[1]}" = agoge ] && [ \${#words[@]} -gt 2 ]; then words=("\${words[@]:1}"); else
      [ \${#words[@]} -gt 2 ] || COMPREPLY=($(compgen -W agoge -- "$cur"))
      [ \${#COMPREPLY[@]} -gt 0 ] || _agoge_files "$cur"
      return
    fi
  fi
  while IFS= read -r one; do
    [ -z "$one" ] || printf -v COMPREPLY[\${#COMPREPLY[@]}] %q "\${one#"$cut"}"
    case "$one" in *[.=]) compopt -o nospace ;; esac
  done < <(_agoge_ask "\${words[@]:1}")
  [ \${#COMPREPLY[@]} -gt 0 ] || _agoge_files "\${cur#"$cut"}"
}
complete -F _agoge agoge npx`,
  zsh: `#compdef agoge npx
${ask}
_agoge() {
  local -a found open
  local -a asked=("\${words[@]:1:$((CURRENT-1))}")
  if [[ \${words[1]} == npx ]]; then
    if [[ \${words[2]} == agoge && CURRENT -gt 2 ]]; then asked=("\${asked[@]:1}"); else
      (( CURRENT > 2 )) || compadd -- agoge
      _files
      return
    fi
  fi
  found=(\${(f)"$(_agoge_ask "\${asked[@]}")"})
  open=(\${(M)found:#*[.=]})
  found=(\${found:#*[.=]})
  (( \${#open} )) && compadd -S '' -- $open
  if (( \${#found} )); then compadd -- $found; elif (( ! \${#open} )); then _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
compdef _agoge agoge npx`,
  fish: `function __agoge_ask
  set -l at $PWD
  while test -n "$at" -a ! -x "$at/node_modules/.bin/agoge"
    set at (string replace -r '/[^/]*$' '' -- $at)
  end
  if test -x "$at/node_modules/.bin/agoge"
    $at/node_modules/.bin/agoge __complete -- $argv 2>/dev/null
  else
    agoge __complete -- $argv 2>/dev/null
  end
end
complete -c agoge -f -a '(__agoge_ask (commandline -opc)[2..] (commandline -ct))'
complete -c agoge -n '__fish_seen_subcommand_from train sft view compare' -F
complete -c npx -n 'test (count (commandline -opc)) -eq 1' -a agoge
complete -c npx -n 'test (count (commandline -opc)) -gt 1; and test (commandline -opc)[2] = agoge' -f -a '(__agoge_ask (commandline -opc)[3..] (commandline -ct))'`,
};
