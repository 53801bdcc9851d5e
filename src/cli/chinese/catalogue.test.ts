import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { openProgram } from '../commands.ts';
import { chineseTexts, inChinese } from './catalogue.ts';
import { errorTexts } from './errors/errors.ts';

const program = (await openProgram()) as unknown as Command;

/** A command and all below it. */
function all(command: Command): Command[] {
  return [command, ...command.commands.flatMap(all)];
}

/** What stands behind the options in the help: sentences, and what example commands are for. */
function wordsAfter(command: Command): string[] {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  const lines = text.slice(command.helpInformation().length).split('\n');
  return lines.flatMap((line) => {
    const [call = '', ...why] = line.trimEnd().split(/(?<=\S) {3,}/);
    if (why.length > 0) return why;
    return /^ *$|^ +(?:[A-Z_]+=\S+ )*(?:agoge|--set|textcraft-verl\/run\.sh|source) /.test(call) ? [] : [call];
  });
}

/** Commands and settings read the same in every language. */
const isCode = (text: string): boolean =>
  /^(?:studies\/<name>|TINKER_BASE_URL=.*|\(SHOPPING, REDDIT, … set\)|base, run:.*, random)$/.test(text);

describe('every command’s help', () => {
  it.each(all(program).map((command) => [command.name(), command] as const))('%s', (_, command) => {
    const options = command.options.filter(({ hidden }) => !hidden).map(({ description }) => description);
    const told = [command.description(), ...options, ...command.registeredArguments.map(({ description }) => description)];
    const missing = [...told, ...wordsAfter(command)].filter((text) => text !== '' && !isCode(text) && !(text in chineseTexts));
    expect(missing, 'add these to src/cli/chinese/help-*.ts').toEqual([]);
  });
});

it('names each value once, and no value that is not there', () => {
  for (const [english, chinese] of [...Object.entries(chineseTexts), ...Object.entries(errorTexts)]) {
    const places = english.match(/…|\{n\}/g)?.length ?? 0;
    const named = [...chinese.matchAll(/\{(\d)\}/g)].map(([, digit]) => Number(digit)).sort();
    if (named.length === 0 && english.includes('…')) continue; // dots of the help's own
    expect(named, english).toEqual(Array.from({ length: places }, (_, i) => i + 1));
  }
});

it('leaves what it does not know as it is', () => {
  expect(inChinese('Got 1 oak log\nInventory: [oak log] (1)  wood')).toBe('Got 1 oak log\nInventory: [oak log] (1)  wood');
});
