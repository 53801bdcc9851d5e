/** `agoge __complete word…`: what a shell asks for while a line is typed, one candidate on a line. */
import type { Command } from '@commander-js/extra-typings';
import { existsSync, readdirSync } from 'node:fs';
import { print } from '../terminal/print.ts';

export function register(command: Command): void {
  command
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words) => print((await candidates(command.parent ?? command, words)).join('\n')));
}

/** What may stand where the last word is being typed. */
export async function candidates(program: Shape, words: readonly string[]): Promise<string[]> {
  const last = words.at(-1) ?? '';
  let command: Shape = program;
  let depth = 0;
  words.slice(0, -1).forEach((word, i) => {
    const inner = command.commands.find((sub) => sub.name() === word);
    if (inner) [command, depth] = [inner, i + 1];
  });
  const offered = await offers(command, words.slice(depth, -1), last);
  return [...new Set(offered)].filter((one) => one.startsWith(last)).sort();
}

/** The parts of a commander command that are read here; its generic types say more than is needed. */
interface Shape {
  readonly commands: readonly Shape[];
  readonly options: readonly {
    readonly long?: string | null | undefined;
    readonly short?: string | null | undefined;
    readonly argChoices?: readonly string[] | undefined;
    readonly required?: boolean;
  }[];
  readonly registeredArguments?: readonly { readonly argChoices?: readonly string[] | undefined }[];
  name(): string;
}

/** `before`: the words between the command and the one that is typed. */
async function offers(command: Shape, before: readonly string[], last: string): Promise<string[]> {
  if (last.startsWith('-')) return ['--help', ...command.options.flatMap(({ long }) => (long == null ? [] : [long]))];
  const runOf = /^(?:policy=)?run:/.exec(last);
  if (runOf) return runs(runOf[0]);
  if (command.commands.length > 0) return command.commands.map((sub) => sub.name()).filter((name) => !name.startsWith('__'));
  const option = command.options.find(({ long, short }) => [long, short].includes(before.at(-1) ?? ''));
  if (option?.required === true) return ofOption(option.long ?? '', option.argChoices ?? []);
  const position = before.filter((word) => !word.startsWith('-')).length;
  return command.registeredArguments?.[position]?.argChoices?.slice() ?? ofCommand(command.name(), position, last);
}

function ofOption(name: string, choices: readonly string[]): string[] {
  if (name === '--resume') return runs('');
  if (name === '--policy' || name === '--baseline') return ['base', 'reader', 'expert', 'random', ...runs('run:')];
  return [...choices];
}

async function ofCommand(command: string, position: number, last: string): Promise<string[]> {
  const { recipeNames, recipesFor } = await import('../../config/packaged-recipes.ts');
  if (command === 'recipes') return recipeNames();
  if (command === 'train' || command === 'sft' || command === 'reward') {
    // After the recipe come its keys; --resume stands in for a recipe.
    if (position === 0 && !last.includes('.')) return recipesFor(command);
    const { recipeKeys } = await import('../../config/recipe/recipe-keys.ts');
    return recipeKeys(command === 'train' ? 'rl' : command, last);
  }
  if (command === 'view' || command === 'compare' || command === 'summary') return runs('');
  const { environmentNames } = await import('../../envs/names.ts');
  return [...environmentNames];
}

/** Folders of runs; files beside them are none. */
function runs(before: string): string[] {
  if (!existsSync('outputs')) return [];
  const folders = readdirSync('outputs', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => `${before}outputs/${name}`);
}
