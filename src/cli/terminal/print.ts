/**
 * The only place where commands write text: whatever came from servers, endpoints, recipes or data files reaches the terminal as text
 * and never as a command to it.
 */
import { printable, printableJson } from '../../core/printable.ts';
import { aboveBars } from './bar.ts';
import { say } from './language.ts';

/** A line, or several, on stdout: the result of a command. */
export function print(text: string): void {
  printAsIs(asCalled(say(text)));
}

/** A file's own words, in whatever language they are: YAML, scripts. */
export function printFile(text: string): void {
  printAsIs(asCalled(text));
}

/** The same of text that names commands as they were called already. */
export function printAsIs(text: string): void {
  aboveBars(() => process.stdout.write(`${printable(text)}\n`));
}

/** A line on stderr: what a person is told beside the result. */
export function tell(text: string): void {
  aboveBars(() => process.stderr.write(`${printable(asCalled(say(text)))}\n`));
}

/** A value as JSON on stdout, in one line unless `space` says otherwise. */
export function printJson(value: unknown, replacer?: (key: string, value: unknown) => unknown, space?: number): void {
  process.stdout.write(`${printableJson(value, replacer, space)}\n`);
}

/** A picture that our own code drew from printable parts: its colours are kept. */
export function printDrawing(drawing: string): void {
  process.stdout.write(`${asCalled(drawing)}\n`);
}

/** Commands that are told to a person are written as that person called this one: `npx agoge …` where that is how it was started. */
export function asCalled(text: string, byNpx = startedByNpx()): string {
  return byNpx ? text.replace(hint, '$1npx agoge $2') : text;
}

/** npx names what it runs; a program of its own that runs us below it (a test runner) is not us. */
function startedByNpx(): boolean {
  return process.env['npm_command'] === 'exec' && /^\W*agoge\b/.test(process.env['npm_lifecycle_script'] ?? '');
}

/** `agoge` where a command begins: at a line's start, after a mark or after a word that asks for it, before a word of its own. */
const hint = /((?:^|\n)[ \t]*|[:,] +|["`(：，；（]|&& |\b(?:and|or|run|see|use|with) |[\u4e00-\u9fff：；，] )agoge ([a-z])/g;
