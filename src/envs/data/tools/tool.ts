/** What a tool of a task is: an OpenAI function with somebody who runs it. */

export interface FunctionSchema {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

export interface Tool {
  readonly schema: FunctionSchema;
  /** What the model reads. Whatever it throws becomes a text for the model, as in verl. */
  run(given: Readonly<Record<string, unknown>>): string | Promise<string>;
}

/** A call as the model writes it. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export function functionSchema(
  name: string,
  description: string,
  properties: Readonly<Record<string, object>>,
  required = Object.keys(properties),
): FunctionSchema {
  return { type: 'function', function: { name, description, parameters: { type: 'object', properties, required } } };
}
