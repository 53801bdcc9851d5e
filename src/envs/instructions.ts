/** What an agent is told about an environment, for every prompt format. */

/** What an agent is told about an environment. */
export interface Instructions {
  /** The world and its actions, in words that hold for every prompt format. */
  readonly task: string;
  /** Replies are answers: they reach the environment as they are, thoughts included, and no format adds a word to the prompt. */
  readonly verbatim?: boolean;
  /** Form and meaning of each action, for formats that list tools. */
  readonly actions: readonly ActionForm[];
  /** A worked example: the observation the agent saw and what it did, for few-shot prompts. */
  readonly example?: readonly { readonly observation: string; readonly thought: string; readonly action: string }[];
}

/** One kind of action: its name, its text with parameters, its meaning. */
export interface ActionForm {
  /** Tool name: `craft`. */
  readonly name: string;
  /** Template of the action text with its parameters in braces: `craft {count} {item} using {ingredients}`. */
  readonly template: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Parameters stand in the action as JSON: texts in quotes, lists in brackets (the tool environments). */
  readonly json?: boolean;
  /** Its description as an OpenAI function, where that is given and not derived. */
  readonly schema?: object;
}
