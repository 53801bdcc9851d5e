/**
 * Actions written as Playwright's Python calls (`page.get_by_role("link", name="Forums").click()`), read as WebArena's
 * `create_playwright_action` reads them. What names the element is read when it is played (`parseCalls`). Nothing is run; every text is
 * read in time in proportion to its length.
 */
import { pythonCall, type PythonCall } from '../../../core/python/literal.ts';
import type { Action, ActionError, ParsedAction, PlaywrightAct } from './action.ts';
import { keyNumbers, namedKeys } from './keys.ts';

const LOCATORS = [
  'get_by_role',
  'get_by_text',
  'get_by_label',
  'get_by_placeholder',
  'get_by_alt_text',
  'get_by_title',
  'get_by_test_id',
  'filter',
  'frame_locator',
  'locator',
];
const ACTIONS = ['fill', 'check', 'select_option', 'click', 'hover', 'dclick', 'type', 'focus', 'goto', 'press', 'scroll'];

export function parsePlaywright(code: string): ParsedAction {
  const [word = ''] = (chain(code).at(-1) ?? '').split('(');
  switch (word) {
    case 'press': {
      const keys = quoted('press', code);
      if (keys === undefined) return invalid('Invalid press action, required to be page.press(KEY_COMB_STR)');
      return { action: { kind: 'press', keys: namedKeys(keys) } };
    }
    case 'scroll':
      return { action: { kind: 'scroll', direction: code.includes('up') ? 'up' : 'down' } };
    case 'click':
    case 'hover':
    case 'check':
    case 'select_option':
      return { action: played(word, code) };
    case 'type':
    case 'fill':
      return typing(code);
    case 'goto': {
      const url = quoted('goto', code);
      return url === undefined
        ? invalid('Invalid goto action, required to be page.goto(URL_STR)')
        : { action: { kind: 'goto', url } };
    }
    case 'page_focus': {
      const tab = /page_focus\((\d+)\)/.exec(code)?.[1];
      return tab === undefined
        ? invalid('page focus requires a page number')
        : { action: { kind: 'tab_focus', tab: Number(tab) } };
    }
    case 'new_tab':
    case 'go_back':
    case 'go_forward':
      return { action: { kind: word } };
    case 'page_close':
      return { action: { kind: 'close_tab' } };
    case 'stop':
      return { action: { kind: 'stop', answer: answerIn(code) } };
    default:
      return invalid(`Unknown playwright action ${word}`);
  }
}

/** The calls that find an element and what is done to it, the last of them. Throws an Error with a sentence for the agent. */
export function parseCalls(code: string): readonly PythonCall[] {
  if (!code.startsWith('page.')) throw new Error(`Playwright action must start with "page.", but got ${code}`);
  const calls = chain(code)
    .slice(1)
    .map((item) => {
      const call = pythonCall(item);
      if (!call) throw new Error(`Fail to parse ${item} in ${code}`);
      if (![...LOCATORS, ...ACTIONS].includes(call.name))
        throw new Error(
          `Invalid playwright code ${item}, the function needs to be one of ${[...LOCATORS, ...ACTIONS].join(', ')}`,
        );
      return call;
    });
  const last = calls.at(-1);
  if (!last || !ACTIONS.includes(last.name))
    throw new Error(`Invalid playwright action ${last?.name ?? ''}, the action needs to be one of ${ACTIONS.join(', ')}`);
  return calls;
}

/**
 * The original finds the text with an expression that knows only `fill("…")`, and breaks off where the code has the word `type` in it;
 * here such a text is the first argument, as it is when it is played.
 */
function typing(code: string): ParsedAction {
  const beforeFill = code.split('fill(', 1)[0] ?? '';
  const text = beforeFill.includes('type') || !code.includes('fill(') ? firstArgument(code) : quoted('fill', code);
  if (text === undefined || text === '') return invalid('Invalid type/fill action, required to be page.type(TEXT)');
  const keys = keyNumbers(text);
  if ('unknown' in keys) return { error: { type: 'KeyError', message: keys.unknown } };
  return { action: { ...played('type', code), text } };
}

function played(act: PlaywrightAct, code: string): Extract<Action, { readonly kind: 'playwright' }> {
  return { kind: 'playwright', act, code, text: '' };
}

function firstArgument(code: string): string | undefined {
  const first = pythonCall(chain(code).at(-1) ?? '')?.arguments[0];
  return typeof first === 'string' ? first : undefined;
}

/** Cut at the dots between calls: those that no closing parenthesis follows before an opening one. */
function chain(code: string): readonly string[] {
  const pieces: string[] = [];
  let end = code.length;
  let next = '';
  for (let at = code.length - 1; at >= 0; at--) {
    const character = code.charAt(at);
    if (character === '(' || character === ')') next = character;
    if (character !== '.' || next === ')') continue;
    pieces.push(code.slice(at + 1, end));
    end = at;
  }
  return [...pieces, code.slice(0, end)].reverse();
}

/** What stands in `word("…")`, up to the first quote that a parenthesis follows on the same line. */
function quoted(word: string, code: string): string | undefined {
  for (const line of code.split('\n')) {
    const start = new RegExp(`${word}\\(["']`).exec(line);
    if (!start) continue;
    const from = start.index + start[0].length;
    const end = line.slice(from + 1).search(/["']\)/);
    if (end >= 0) return line.slice(from, from + 1 + end);
  }
  return undefined;
}

/** `stop("…")`, in double quotes, up to the last of them on the line. */
function answerIn(code: string): string {
  for (const line of code.split('\n')) {
    const start = /stop\(?"/.exec(line);
    const from = start ? start.index + start[0].length : 0;
    const end = line.lastIndexOf('")');
    if (start && end >= from) return line.slice(from, end);
  }
  return '';
}

function invalid(message: string): { readonly error: ActionError } {
  return { error: { type: 'ActionParsingError', message } };
}
