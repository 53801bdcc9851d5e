/**
 * What a launch script of verl, AgentGym-RL or the seeds starts: trainings (main_ppo, an SFT trainer) with the configuration that they name and
 * its overrides, and evaluations (main_generation, `eval_*.py`) with their flags. The script is read, never run.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { AgogeError } from '../../core/error.ts';
import { readShell, type ShellCommand } from '../shell/run.ts';

export interface Launch {
  readonly kind: 'training' | 'generation' | 'evaluation';
  /** `verl.trainer.main_ppo`, or the path of a Python file. */
  readonly program: string;
  /** Hydra's: a file's folder and name. */
  readonly configPath?: string | undefined;
  readonly configName?: string | undefined;
  /** `key=value`, as they are passed. */
  readonly overrides: readonly string[];
  /** `--key value` of Python scripts; a flag without a value is an empty text. */
  readonly flags: ReadonlyMap<string, string>;
  readonly folder: string;
  /** The text of the script that starts it. */
  readonly script: string;
}

export interface LaunchOptions {
  /** What the user gives behind the script: arguments of its own, then overrides. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export function isLaunchScript(file: string): boolean {
  return /\.(sh|bash|slurm|sbatch|zsh)$/.test(file);
}

/** Throws CONFIG_LAUNCH_LACKS for a script that would end, where it is given no more than here, before its last command (`${X:?}`). */
export function launchesOf(source: string, file: string, { args = [], env = process.env }: LaunchOptions = {}): Launch[] {
  const isOverride = (text: string): boolean => /^[+~]*[\w@/.-]+=/.test(text);
  const overrides = args.filter(isOverride);
  const { commands, lack } = readShell(source, {
    args: args.filter((text) => !isOverride(text)),
    rest: overrides,
    env,
    file,
    scripts: (path) => nearText(path, file),
  });
  if (lack) {
    const { name, message } = lack;
    const how = /^\d+$/.test(name) ? "give the script's arguments behind it" : `set it before the command, as in ${name}=value`;
    throw new AgogeError('CONFIG_LAUNCH_LACKS', `${file} does not go on without ${name} ("${message}"): ${how}`);
  }
  return commands
    .flatMap((command) => launchOf(command) ?? [])
    .map((launch) => ({
      ...launch,
      // A script without "$@" takes none: they are meant for what it starts all the same.
      overrides: [...launch.overrides, ...overrides.filter((text) => !launch.overrides.includes(text))],
    }));
}

/** A file that a script names by the path of another machine, found near the script: the longest part of the path that is there wins. */
export function nearFile(path: string, script: string): string | undefined {
  if (isAbsolute(path) && existsSync(path)) return path;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const folders: string[] = [];
  for (let folder = dirname(script); folders.length < 8; folder = join(folder, '..')) folders.push(folder);
  for (let from = 0; from < parts.length; from++) {
    const tail = join(...parts.slice(from));
    const found = folders.map((folder) => join(folder, tail)).find((candidate) => existsSync(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}

function nearText(path: string, script: string): string | undefined {
  const found = nearFile(path, script);
  try {
    return found === undefined ? undefined : readFileSync(found, 'utf8');
  } catch {
    return undefined;
  }
}

const trainers =
  /^(verl|recipe|examples)(\.\w+)*\.(main_ppo\w*|main_\w+|\w*sft_trainer\w*)$|(^|\/)(main_ppo\w*|\w*sft_trainer\w*)\.py$/;
const generators = /(^|\.|\/)main_generation\w*(\.py)?$/;
const evaluators = /(^|\/)[\w.-]*eval[\w.-]*\.py$/;

function launchOf({ words, folder, source }: ShellCommand): Launch | undefined {
  const at = words.findIndex((word) => generators.test(word) || trainers.test(word) || evaluators.test(word));
  const program = words[at];
  // `python -m`, `torchrun`, `ray job submit -- python3 …`: somewhere before it an interpreter is named.
  if (
    program === undefined ||
    !words.slice(0, at).some((word) => /(^|\/)(python[\d.]*|torchrun|accelerate|deepspeed)$/.test(word))
  )
    return undefined;
  const kind = generators.test(program) ? 'generation' : trainers.test(program) ? 'training' : 'evaluation';
  const given = words.slice(at + 1);
  const flags = flagsOf(given);
  return {
    kind,
    program,
    configPath: flags.get('config-path') ?? flags.get('config-dir') ?? flags.get('cp'),
    configName: flags.get('config-name') ?? flags.get('cn'),
    overrides: given.filter((word) => /^[+~]*[\w@/.-]+=/.test(word) && !word.startsWith('-')),
    flags,
    folder,
    script: source,
  };
}

function flagsOf(words: readonly string[]): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  words.forEach((word, index) => {
    const [, name, value] = /^--?([\w-]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    if (name === undefined || /^-\d/.test(word)) return;
    const next = words[index + 1] ?? '';
    flags.set(name, value ?? (/^--?[a-zA-Z]/.test(next) || /^[\w.]+=/.test(next) ? '' : next));
  });
  return flags;
}

/** The name of a script without its ending: of a run that names itself nowhere. */
export function scriptName(file: string): string {
  return basename(file).replace(/\.\w+$/, '') || 'from-verl';
}
