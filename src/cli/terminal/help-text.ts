/** Help in lines that fit the terminal: broken between words, descriptions below their names where there is no room beside them. */
import type { CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { wrap } from '../../demo/screen.ts';
import { widthOf } from '../../core/width.ts';
import { say } from './language.ts';
import { asCalled, printAsIs, tell } from './print.ts';

/** Columns that a description needs to stand beside its name. */
const beside = 34;
const indent = 2;

/** For a command and all below it. Commands in it are named as this one was called, before lines are made: a name may grow. */
export function wrapHelp(command: CommandUnknownOpts): void {
  command.configureHelp({
    ...command.configureHelp(),
    formatItem: helpItem,
    styleTitle: say,
    styleCommandDescription: say,
    displayWidth: widthOf,
    boxWrap: (text, width) => wrap(text, width).join('\n'),
  });
  command.configureOutput({
    writeOut: (text) => {
      // What stands in items was named as they were made; a line of theirs that begins with a name is no command.
      const named = text.startsWith(say('Usage:')) ? text : asCalled(inOwnWords(text));
      printAsIs(helpLines(named.replace(/\n$/, ''), helpWidth()));
    },
    writeErr: (text) => tell(text.replace(/\n$/, '')),
  });
  for (const inner of command.commands) wrapHelp(inner);
}

/** Columns of the terminal; a pipe has no edge. */
export function helpWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns : 1000;
}

/** One option or command with its description. */
function helpItem(term: string, termWidth: number, says: string, helper: Help): string {
  const description = asCalled(withValues(says));
  const width = helper.helpWidth ?? 80;
  const start = indent + termWidth + 2;
  const padding = ' '.repeat(indent);
  if (description === '') return padding + term;
  if (width - start >= beside) {
    const [first = '', ...rest] = wrap(description, width - start);
    return [padding + term.padEnd(termWidth + 2) + first, ...rest.map((line) => ' '.repeat(start) + line)].join('\n');
  }
  const below = padding.repeat(3);
  const names = wrap(padding + term, width);
  return [...names, ...wrap(description, width - below.length).map((line) => below + line)].join('\n');
}

/** A description; what commander adds to one, its default and its choices, is told in the same language. */
function withValues(description: string): string {
  const told = say(description);
  const [, text, added] = told === description ? (/^(.*) \(((?:default|choices): .*)\)$/s.exec(description) ?? []) : [];
  if (text === undefined || added === undefined) return told;
  const values = say(added);
  return values === added ? told : say(text) + values;
}

/** Examples: what a command is for stands behind it. */
function inOwnWords(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const [call = '', ...why] = line.split(/(?<=\S)( {3,})/);
      return why.length === 0 ? say(line) : call + why.map(say).join('');
    })
    .join('\n');
}

/** The whole text; a command that is broken can still be pasted, since its lines end as a shell wants it. */
export function helpLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const command = /^( *)(?:npx )?agoge /.exec(line);
      if (widthOf(line) <= width || command === null) return wrap(line, width);
      // What a command is for stands behind it, or below.
      const [call = '', ...why] = line.trimEnd().split(/(?<=\S) {3,}/);
      const [first = '', ...rest] = wrap(call, width - 6);
      const lines = [first, ...rest.map((one) => `    ${one}`)].map((one, i, all) => (i < all.length - 1 ? `${one} \\` : one));
      return [...lines, ...why.flatMap((one) => wrap(`      ${one}`, width))];
    })
    .join('\n');
}
