/**
 * What a tool environment is made of: tools by name, a world behind them, and questions. A question is a program over the tools, so its
 * answer is what the tools say, and its calls are the expert's way.
 */
import type { Random } from '../../../core/random/random.ts';
import { isDict, typeName, type Plain, type Value } from '../../../core/python/values.ts';

/** A tool as an agent sees it. */
export interface ToolForm {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The world of one episode behind the tools. */
export interface Toolbox {
  /** Answers a call of one of the tools; throws PythonError where the original raises, Declined where it refuses. */
  call(tool: string, input: Inputs): Value;
  /** What a viewer can draw of it, where the tools change it. */
  view?(): Plain;
}

/** Calls a tool and hands back what it answered. */
export type Use = (tool: string, input?: Readonly<Record<string, Value>>) => Value;

export interface Question {
  readonly goal: string;
  /** What results are broken down by. */
  readonly category: string;
  /** The world as the question finds it. */
  open(): Toolbox;
  /** Finds the answer through the tools; undefined where the world gives no single one (another question is drawn then). */
  solve(use: Use): Value | undefined;
}

/** Whose world a task lives in: what is asked about in one is not asked about in another. */
export type Side = 'train' | 'validation' | 'test';

export interface Kit {
  readonly name: string;
  readonly version: string;
  /** Who the agent is, in a sentence or two. */
  readonly role: string;
  readonly tools: readonly ToolForm[];
  /** Other names that a tool answers to. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly items: Items;
  ask(seed: number, side: Side, random: Random): Question;
  /** The running score on the wire after an action; where absent: 1 once the answer was among the results. */
  score?(state: Scored): number;
  /** What a play is worth here, where that is not the running score: 0 for the untouched world, 1 for the one that was asked for. */
  worth?(played: Toolbox, solution: Toolbox): number;
  /** Ends without an answer and shows this. */
  finish?(box: Toolbox, input: Inputs): Value;
  /** What ends the play where a call that did not fail contains it (`finish` or `Finish`, where absent). */
  readonly ending?: RegExp;
  /** An unknown tool is answered with the list of those there are. */
  readonly listsActions?: boolean;
  /** Tools that need no service. Present where nothing that a tool does changes the world, so that recorded answers can stand before it. */
  readonly local?: { readonly tools: readonly string[]; readonly box: Toolbox };
}

export interface Scored {
  readonly played: Toolbox;
  /** The world as the question's program leaves it. */
  readonly solution: Toolbox;
  /** The answer was among the results. */
  readonly met: boolean;
  readonly done: boolean;
  /** The score before this action. */
  readonly before: number;
}

/** AgentGym's item numbers. */
export interface Items {
  readonly prefix: string;
  readonly count: number;
  readonly test: readonly number[];
  /** The numbers that are neither test nor train. */
  readonly unused?: readonly number[];
  /** AgentGym has no training list for it. */
  readonly testOnly?: boolean;
}

/** What a tool raises: shown as `ERROR | KeyError('name')`. */
export class PythonError extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

/** What a tool answers where it declines without raising: shown, but no result that counts. */
export class Declined extends Error {}

/** The action input; a missing parameter is Python's KeyError. */
export class Inputs {
  constructor(readonly given: Value) {}

  get(name: string): Value {
    const { given } = this;
    if (isDict(given)) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value === undefined) throw new PythonError('KeyError', `'${name}'`);
      return value;
    }
    if (typeof given === 'string') throw new PythonError('TypeError', "string indices must be integers, not 'str'");
    if (Array.isArray(given)) throw new PythonError('TypeError', 'list indices must be integers or slices, not str');
    throw new PythonError('TypeError', `'${typeName(given)}' object is not subscriptable`);
  }

  /** A date, which Python hands to `strptime`. */
  date(name: string): string {
    const value = this.get(name);
    if (typeof value === 'string') return value;
    throw new PythonError('TypeError', `strptime() argument 1 must be str, not ${value === null ? 'None' : typeName(value)}`);
  }
}

export const tool = (name: string, description: string, parameters: Readonly<Record<string, string>> = {}): ToolForm => ({
  name,
  description,
  parameters,
});

export const checkTool = tool('check_valid_actions', 'List the actions.');
export const finishTool = tool('finish', 'End the task with the answer.', { answer: 'the answer: a string, a number or a list' });
