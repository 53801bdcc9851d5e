/**
 * Code as action: the reply is a fenced Python block with one call, comments are the thought. The call is parsed, never
 * run: a name, then literals by position or by name.
 */
import { withoutThinking, type Read } from '../format.ts';
import type { ActionForm } from '../../envs/environment.ts';
import { literalPrefix, plain } from '../../core/python/values.ts';
import { parameterNames } from '../../policy/tool-schema.ts';
import { actionOf, callOf } from './call.ts';
import { defineFormat } from './definition.ts';

const how =
  'Reply with only a fenced python block that calls exactly one of these functions once. Put your reasoning into a comment before the call:\n```python\n# your reasoning\nfunction(argument="value")\n```';

export const code = defineFormat({
  name: 'code',
  opening: ({ task, actions }) => [task, `You have these functions:\n\n${actions.map(signature).join('\n\n')}`, how].join('\n\n'),
  read: (reply, { actions }) => readCode(reply, actions),
  write: (action, thought, { actions }) => writeCode(action, thought, actions),
});

export function readCode(reply: string, forms: readonly ActionForm[]): Read {
  const text = withoutThinking(reply);
  const fence = /```(?:python|py)?[ \t]*\n([\s\S]*?)(?:```|$)/i.exec(text);
  const source = fence?.[1] ?? text;
  const { calls, comments } = splitComments(source);
  const call = parseCall(calls.trim());
  if (typeof call === 'string') return { action: null, problem: call };
  const form = forms.find(({ name }) => name === call.name);
  const names = form ? parameterNames(form) : [];
  if (form && call.positional.length > names.length) {
    return {
      action: null,
      problem: `${form.name} takes ${names.length} argument${names.length === 1 ? '' : 's'} (${names.join(', ') || 'none'}), not ${call.positional.length}.`,
    };
  }
  const args = {
    ...Object.fromEntries(call.positional.map((value, index) => [names[index] ?? String(index), value])),
    ...call.named,
  };
  const read = actionOf({ name: call.name, arguments: args }, forms);
  return read.action !== null && comments !== '' ? { ...read, thought: comments } : read;
}

function writeCode(action: string, thought: string | undefined, forms: readonly ActionForm[]): string {
  const call = callOf(action, forms) ?? { name: action, arguments: {} };
  const args = Object.entries(call.arguments).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const comment = (thought ?? 'I take the next step.').replace(/\s*\n\s*/g, ' ');
  return `\`\`\`python\n# ${comment}\n${call.name}(${args.join(', ')})\n\`\`\``;
}

function signature(form: ActionForm): string {
  const names = parameterNames(form);
  const lines = names.map((name) => `        ${name}: ${form.parameters[name] ?? name}`);
  const doc = lines.length > 0 ? `${form.description}\n\n    Args:\n${lines.join('\n')}\n    ` : form.description;
  return `def ${form.name}(${names.map((name) => (form.json ? name : `${name}: str`)).join(', ')}):\n    """${doc}"""`;
}

interface ParsedCall {
  readonly name: string;
  readonly positional: readonly unknown[];
  readonly named: Readonly<Record<string, unknown>>;
}

const oneCall = 'Your reply is not one call of a function. Reply with a python block that calls exactly one function once.';

/** Parses `name(literals)`; a string says what is wrong. */
function parseCall(text: string): ParsedCall | string {
  const head = /^(?:\w+\s*=\s*|print\s*\(\s*)?([A-Za-z_]\w*)\s*\(/.exec(text);
  if (!head) return oneCall;
  const positional: unknown[] = [];
  const named: Record<string, unknown> = {};
  let rest = text.slice(head[0].length).trimStart();
  while (!rest.startsWith(')')) {
    const key = /^([A-Za-z_]\w*)\s*=\s*/.exec(rest);
    if (key) rest = rest.slice(key[0].length);
    const found = literalPrefix(rest);
    if (!found) return 'An argument of your call is not a plain string, number, list or dictionary. Write the values out.';
    const read = plain(found.value);
    if (key?.[1] !== undefined) named[key[1]] = read;
    else positional.push(read);
    rest = rest.slice(found.length).trimStart();
    if (rest.startsWith(',')) rest = rest.slice(1).trimStart();
    else if (!rest.startsWith(')')) return oneCall;
  }
  return /^\)+\s*;?\s*$/.test(rest) ? { name: head[1] ?? '', positional, named } : oneCall;
}

/** Comments outside strings, joined; and the code without them. A string that never ends is read once, to the end of its line. */
function splitComments(source: string): { calls: string; comments: string } {
  const comments: string[] = [];
  const calls = source.replace(/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|#[^\n]*/g, (part) => {
    if (!part.startsWith('#')) return part;
    comments.push(part.slice(1).trim());
    return '';
  });
  return { calls, comments: comments.join(' ') };
}
