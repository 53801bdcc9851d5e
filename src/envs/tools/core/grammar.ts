/** AgentGym's grammar of tool calls: `Action: {tool} with Action Input: {literal}`, read in its servers' two stages. */
import { spacedJson } from '../../../core/spaced-json.ts';
import { PythonError } from './kit.ts';
import { parseLiteral, type Value } from '../../../core/python/values.ts';

export const formatError =
  'Format error, please response in the format of  "Action: [your action] with Action Input: [your action input]';

const marker = /with\s*Action Input:/g;

/**
 * Stage one: the line of the call, or undefined for a format error. The original's pattern reads the call from one line and wants nothing
 * after the input's; it is followed by hand here because its search takes cubic time on a text of blanks.
 */
export function callLine(text: string): string | undefined {
  const found = [...text.matchAll(marker)].find(({ 0: words, index }) => {
    const rest = text.slice(index + words.length).trimStart();
    return !rest.replace(/\n$/, '').includes('\n');
  });
  if (!found) return undefined;
  const before = text.slice(0, found.index).trimEnd();
  const name = before.slice(before.lastIndexOf('\n') + 1).trimStart();
  const input = text.slice(found.index + found[0].length).trimStart();
  return `${name} with Action Input: ${input.replace(/\n$/, '')}`;
}

/** Stage two: the tool and its input; throws PythonError as the original raises. */
export function parseCall(line: string): { readonly tool: string; readonly input: Value } {
  const from = line.indexOf('Action:');
  const call = from < 0 ? '' : line.slice(from + 'Action:'.length);
  const [found] = call.matchAll(marker);
  if (!found) throw new PythonError('TypeError', 'cannot unpack non-iterable NoneType object');
  const input = parseLiteral(call.slice(found.index + found[0].length));
  if (input === undefined)
    throw new PythonError('Exception', 'Parameters in action input are not valid, please change your action input.');
  return { tool: call.slice(0, found.index).trim(), input };
}

/** The action as its server wants it: formats of this package hand it over without the word. */
export function withMarker(action: string): string {
  return action.replaceAll('Action Input:', '').includes('Action:') ? action : `Action: ${action}`;
}

/** A call as an agent writes it. */
export function writeCall(tool: string, input: Readonly<Record<string, unknown>>): string {
  return `${tool} with Action Input: ${spacedJson(input)}`;
}
