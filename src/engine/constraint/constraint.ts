/**
 * What a reply must look like, as data that travels to the thread that samples: a JSON value, a JSON schema, one of some texts, a pattern,
 * or calls of tools. Compiled to a language of bytes.
 */
import { AgogeError } from '../../core/error.ts';
import { Expressions, type Expression } from './expression.ts';
import { objectTexts, schemaTexts } from './json-schema.ts';

/** The form that a reply is held to while it is sampled. */
export type Constraint =
  /** Any JSON object. */
  | { readonly kind: 'json' }
  | { readonly kind: 'schema'; readonly schema: unknown }
  | { readonly kind: 'choice'; readonly texts: readonly string[] }
  | {
      readonly kind: 'calls';
      readonly tools: readonly ToolForm[];
      /** Several calls, one per line. */
      readonly several: boolean;
      /** Or a text that does not begin like a call. */
      readonly text: boolean;
    };

/** A tool that may be called: its name, and its arguments as a JSON schema. */
export interface ToolForm {
  readonly name: string;
  readonly parameters?: unknown;
}

/** A constraint as a language. */
export interface CompiledConstraint {
  readonly expressions: Expressions;
  readonly start: Expression;
}

/** Requests of a program mostly ask for the same few forms. */
const compiled = new Map<string, CompiledConstraint>();
const mostForms = 64;

/** Throws ENGINE_BAD_SCHEMA, with what to change, where it cannot be followed. */
export function compileConstraint(constraint: Constraint): CompiledConstraint {
  const key = JSON.stringify(constraint);
  const known = compiled.get(key);
  if (known) return known;
  const expressions = new Expressions();
  const start = languageOf(expressions, constraint);
  if (expressions.shortest(start) === Infinity)
    throw new AgogeError('ENGINE_BAD_SCHEMA', 'no reply can satisfy what is asked for: loosen the schema or name a tool');
  const result = { expressions, start };
  if (compiled.size >= mostForms) compiled.clear();
  compiled.set(key, result);
  return result;
}

/** Refuses a form whose shortest reply might not fit into so many tokens: a token has a byte at least, and one ends the turn. */
export function refuseIfUnfit(constraint: Constraint, room: number): void {
  const { expressions, start } = compileConstraint(constraint);
  const needed = expressions.shortest(start) + 1;
  if (needed <= room) return;
  throw new AgogeError(
    'ENGINE_BAD_REQUEST',
    `the shortest reply of this form may take ${needed} tokens and ${room} are there: allow more, or shorten the prompt`,
  );
}

function languageOf(expressions: Expressions, constraint: Constraint): Expression {
  switch (constraint.kind) {
    case 'json':
      return objectTexts(expressions);
    case 'schema':
      return schemaTexts(expressions, constraint.schema);
    case 'choice':
      return expressions.any(...constraint.texts.map((text) => expressions.literal(text)));
    case 'calls': {
      const call = expressions.any(...constraint.tools.map((tool) => callTexts(expressions, tool)));
      const more = constraint.several
        ? expressions.repeat(expressions.sequence(expressions.literal('\n'), call), 0)
        : expressions.empty;
      const calls = expressions.sequence(call, more);
      return constraint.text ? expressions.any(calls, plainText(expressions)) : calls;
    }
  }
}

/** A call as prompts ask for it: `{"name": …, "arguments": {…}}`. */
function callTexts(expressions: Expressions, { name, parameters }: ToolForm): Expression {
  const space = expressions.optional(expressions.literal(' '));
  return expressions.sequence(
    expressions.literal('{"name":'),
    space,
    expressions.literal(JSON.stringify(name)),
    expressions.literal(','),
    space,
    expressions.literal('"arguments":'),
    space,
    schemaTexts(expressions, isEmpty(parameters) ? { type: 'object', additionalProperties: false } : parameters),
    expressions.literal('}'),
  );
}

function isEmpty(parameters: unknown): boolean {
  return (
    parameters === undefined || parameters === null || (typeof parameters === 'object' && Object.keys(parameters).length === 0)
  );
}

/** Text whose first byte does not begin an object. */
function plainText(expressions: Expressions): Expression {
  const brace = 0x7b;
  const byte = expressions.bytes([0, 255]);
  return expressions.sequence(expressions.bytes([0x21, brace - 1], [brace + 1, 255]), expressions.repeat(byte, 0));
}
