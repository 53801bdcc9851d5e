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
  const { recipeNames, recipesFor } = await import('../../config/packaged-recipes.ts');
  if (command === 'recipes') return recipeNames();
  if (command === 'train' || command === 'sft' || command === 'reward') return recipesFor(command);
  if (command === 'view' || command === 'compare') return runs('');
  const { environmentNames } = await import('../../envs/names.ts');
  return [...environmentNames];
}

function runs(before: string): string[] {
  return existsSync('outputs') ? readdirSync('outputs').map((name) => `${before}outputs/${name}`) : [];
}
