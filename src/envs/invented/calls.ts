/**
 * How an action is written: in words, as a call in code, as JSON, as a command with flags. A world has one way for all its
 * tools; it is shown by the forms in the prompt and read back exactly.
 */
import type { Random } from '../../core/random/random.ts';
import { known } from './layout.ts';
import type { Side } from './lexicon.ts';

/** A tool in the words of its world. */
export interface Tool {
  /** What the rules know it by. */
  readonly id: string;
  readonly verb: string;
  readonly parameters: readonly string[];
  /** Words between the parameters where actions are written in words: one fewer than parameters. */
  readonly joins: readonly string[];
  readonly about: string;
}

export interface Call {
  readonly id: string;
  readonly values: readonly string[];
}

export interface Syntax {
  write(tool: Tool, values: readonly string[]): string;
}

/** Easy worlds write in words, hard ones in every way. */
export function pickSyntax(random: Random, side: Side, level = 1): Syntax {
  return { write: random.pick(known(syntaxes[side], level)) };
}

/** The form of a tool as a prompt shows it. */
export function formOf(syntax: Syntax, tool: Tool): string {
  return syntax.write(
    tool,
    tool.parameters.map((name) => `<${name}>`),
  );
}

/** Reads actions of these tools; what fits none of them is null. */
export function reader(syntax: Syntax, tools: readonly Tool[]): (text: string) => Call | null {
  const patterns = tools.map((tool) => {
    const form = syntax.write(
      tool,
      tool.parameters.map(() => gap),
    );
    const escaped = form.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll(gap, '(.+?)');
    return { id: tool.id, pattern: new RegExp(`^${escaped}$`, 'u') };
  });
  return (text) => {
    for (const { id, pattern } of patterns) {
      const match = pattern.exec(text);
      if (match) return { id, values: match.slice(1) };
    }
    return null;
  };
}

/** Stands for a value where a form is turned into a pattern. */
const gap = '\u{e000}';

type Write = Syntax['write'];

const words: Write = ({ verb, joins }, values) =>
  [verb, ...values.flatMap((value, i) => (i === 0 ? [value] : [joins[i - 1] ?? 'and', value]))].join(' ');
const quoted = (value: string): string => `"${value}"`;
const object = (entries: readonly (readonly [string, unknown])[]): string =>
  `{${entries.map(([name, value]) => `${quoted(name)}: ${typeof value === 'string' ? quoted(value) : String(value)}`).join(', ')}}`;
const named = (tool: Tool, values: readonly string[]): (readonly [string, string])[] =>
  values.map((value, i) => [tool.parameters[i] ?? '', value] as const);

const syntaxes: Readonly<Record<Side, readonly Write[]>> = {
  train: [
    words,
    words,
    words,
    words,
    ({ verb }, values) => (values.length === 0 ? verb : `${verb}: ${values.join(', ')}`),
    ({ verb }, values) => `${verb}[${values.join(', ')}]`,
    ({ verb }, values) => `${verb}(${values.join(', ')})`,
    ({ verb }, values) => `${verb}(${values.map(quoted).join(', ')})`,
    (tool, values) =>
      `${tool.verb}(${named(tool, values)
        .map(([name, value]) => `${name}="${value}"`)
        .join(', ')})`,
    (tool, values) => object([['action', tool.verb], ...named(tool, values)]),
    (tool, values) => `{"name": "${tool.verb}", "arguments": ${object(named(tool, values))}}`,
    (tool, values) => [`/${tool.verb}`, ...named(tool, values).map(([name, value]) => `--${name} ${value}`)].join(' '),
    (tool, values) => `${tool.verb} with Action Input: ${object(named(tool, values))}`,
    (tool, values) =>
      `<${tool.verb}${named(tool, values)
        .map(([name, value]) => ` ${name}="${value}"`)
        .join('')}/>`,
  ],
  validation: [
    words,
    ({ verb }, values) => [verb, ...values].join(' | '),
    ({ verb }, values) => `[${verb}] ${values.join(', ')}`.trimEnd(),
    (tool, values) => object([['do', tool.verb], ...named(tool, values)]),
    (tool, values) => `agent.${tool.verb}(${values.map((value) => `'${value}'`).join(', ')})`,
  ],
};
