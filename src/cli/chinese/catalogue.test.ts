import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { openProgram } from '../commands.ts';
import { chineseTexts, inChinese } from './catalogue.ts';

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
  for (const [english, chinese] of Object.entries(chineseTexts)) {
    const places = english.match(/…|\{n\}/g)?.length ?? 0;
    const named = [...chinese.matchAll(/\{(\d)\}/g)].map(([, digit]) => Number(digit)).sort();
    if (named.length === 0 && english.includes('…')) continue; // dots of the help's own
    expect(named, english).toEqual(Array.from({ length: places }, (_, i) => i + 1));
  }
});

it('leaves what it does not know as it is', () => {
  expect(inChinese('Got 1 oak log\nInventory: [oak log] (1)  wood')).toBe('Got 1 oak log\nInventory: [oak log] (1)  wood');
});

/** Areas whose every sentence is translated; the rest stays English unless somebody has written it down. */
const areas = /^(?:CLI|CONFIG|DATA|EVAL|RUN|TRAIN|POLICY|AGENT|GYM|CORE)_/;
/** Told by servers to other programs, in the words of the originals. */
const english = ['GYM_BAD_FIELD', 'GYM_BAD_REQUEST', 'GYM_FINISHED', 'GYM_NOT_RESET', 'GYM_NO_INSTRUCTION'];

it('has the sentences of the errors that a command is answered with', () => {
  // The page is made from the places that throw, and another test holds it to them.
  const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8');
  const known = new Set(Object.keys(chineseTexts).map((text) => text.replaceAll('\n', ' ')));
  const rows = [...page.matchAll(/^\| `([A-Z0-9_]+)` \| (.*) \|$/gm)];
  expect(rows.length).toBeGreaterThan(200);
  let all = 0;
  const missing = rows.flatMap(([, code = '', said = '']) => {
    if (!areas.test(code) || english.includes(code)) return [];
    const sentences = said.split('<br>').map((text) => text.replaceAll('&lt;', '<').replaceAll('\\|', '|'));
    all += sentences.length;
    // What is made of other sentences has few words of its own.
    return sentences.filter((text) => text.replaceAll(/[…:;\s"()]/g, '').length > 12 && !known.has(text));
  });
  // A sentence that is new is English for a while; it is named here, and many of them are a failure.
  if (missing.length > 0) console.log('add these to src/cli/chinese/errors-*.ts:', missing);
  expect(missing.length / all).toBeLessThan(0.03);
});
