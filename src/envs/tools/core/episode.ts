/** One play of a question: calls are answered in the originals' words, and the score is a running value as on their wire. */
import type { Episode, Step } from '../../environment.ts';
import { callLine, formatError, parseCall, withMarker } from './grammar.ts';
import { Declined, Inputs, PythonError, type Kit, type Question, type Toolbox } from './kit.ts';
import { equal, isList, plain, repr, sorted, str, Unordered, type Plain, type Value } from '../../../core/python/values.ts';

/** A question with its answers and the world as the expert leaves it. */
export interface Posed {
  readonly question: Question;
  /** One of these is the answer. */
  readonly answers: readonly Value[];
  readonly solution: Toolbox;
  readonly plan: readonly string[];
}

export interface Sent {
  readonly observation: string;
  /** What the play is worth so far. */
  readonly reward: number;
  readonly done: boolean;
}

/** What viewers may draw. */
export interface ToolState {
  readonly goal: string;
  readonly calls: number;
  readonly last?: { readonly tool: string; readonly input: string; readonly answer: string } | undefined;
  /** What the tools told last, as data. */
  readonly found?: { readonly tool: string; readonly input: Plain; readonly result: Plain } | undefined;
  /** The world that the tools change, where they do. */
  readonly world?: Plain | undefined;
  /** What the play ended with, and whether that was right. */
  readonly answer?: string | undefined;
  readonly solved?: boolean | undefined;
}

/** Characters of what is kept of an answer for viewers. */
const most = 2000;

export class ToolEpisode implements Episode {
  readonly observation: string;
  private readonly box: Toolbox;
  private reward = 0;
  private met = false;
  private calls = 0;
  private last: ToolState['last'];
  private found: ToolState['found'];
  private worth = 0;
  private done = false;
  private ended: Step | undefined;

  constructor(
    private readonly kit: Kit,
    private readonly posed: Posed,
  ) {
    this.box = posed.question.open();
    this.observation = `Now new trial starts.\nYou should perform actions to accomplish the goal: ${posed.question.goal}\nGive me one action.`;
  }

  get state(): ToolState {
    const { calls, last, found, ended } = this;
    const world = this.box.view?.();
    return {
      goal: this.posed.question.goal,
      calls,
      last,
      found,
      ...(world !== undefined && { world }),
      ...(ended && { answer: last?.answer, solved: ended.success }),
    };
  }

  get progress(): unknown {
    const { calls: _, ...rest } = this.state;
    return rest;
  }

  step(action: string): Step {
    if (this.ended) return this.ended;
    const { observation, reward, done } = this.send(withMarker(action));
    const worth = this.kit.worth?.(this.box, this.posed.solution) ?? reward;
    const earned = worth - this.worth;
    this.worth = worth;
    if (!done) return { observation, reward: earned, done };
    this.ended = { observation, reward: 0, done, success: worth >= 1 };
    return { ...this.ended, reward: earned };
  }

  /** A message as AgentGym's server takes it; it goes on after the end, as there. */
  send(message: string): Sent {
    const line = callLine(message);
    if (line === undefined) return { observation: formatError, reward: this.reward, done: false };
    const text = this.answer(line);
    return { observation: `Observation: ${text}\nGive me one action.`, reward: this.reward, done: this.done };
  }

  private answer(line: string): string {
    let text: string;
    try {
      const { tool, input } = parseCall(line);
      text = this.call(tool, new Inputs(input));
      this.calls++;
      this.last = { tool, input: repr(input), answer: text.length > most ? `${text.slice(0, most)}…` : text };
    } catch (error) {
      if (error instanceof PythonError) return `ERROR | ${error.type}(${error.message})`;
      throw error;
    }
    this.done = (this.kit.ending ?? /[Ff]inish/).test(line);
    if (text.includes('Invalid')) return text;
    const { box: played, met, done, reward: before } = this;
    const { solution } = this.posed;
    this.reward = this.kit.score?.({ played, solution, met, done, before }) ?? Math.max(before, met ? 1 : 0);
    return text;
  }

  private call(named: string, input: Inputs): string {
    const { aliases = {} } = this.kit;
    const tool = (Object.hasOwn(aliases, named) ? aliases[named] : undefined) ?? named;
    const names = this.kit.tools.map(({ name }) => name);
    if (!names.includes(tool)) {
      const others = this.kit.listsActions ? ` Please choose another valid action from ${repr(names)}` : '';
      return `ERROR | Invalid action: ${tool}.${others}`;
    }
    if (tool === 'check_valid_actions') return `You can use following valid actions: ${repr(names)}`;
    try {
      const result = tool === 'finish' ? (this.kit.finish?.(this.box, input) ?? finished(input)) : this.box.call(tool, input);
      this.met ||= this.posed.answers.some((answer) => equal(result, answer));
      const telling = typeof result === 'number' || (typeof result === 'object' && result !== null);
      if (tool !== 'finish' && telling && str(result).length <= 2 * most)
        this.found = { tool, input: plain(input.given), result: plain(result) };
      return str(result);
    } catch (error) {
      if (error instanceof Declined) return error.message;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}

/** Lists are sorted before they are compared. */
function finished(input: Inputs): Value {
  const answer = input.get('answer');
  if (!isList(answer)) return answer;
  try {
    return sorted(answer);
  } catch (error) {
    throw error instanceof Unordered ? new PythonError('TypeError', error.message) : error;
  }
}
