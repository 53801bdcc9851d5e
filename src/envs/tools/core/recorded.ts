/**
 * Answers that an original service once gave, by request: they stand before a world of our own, or alone behind AgentGym's own questions.
 * Requests are equal when tool and input are, whatever the order of the parameters.
 */
import { Random } from '../../../core/random/random.ts';
import { callLine, parseCall } from './grammar.ts';
import { Declined, PythonError, type Inputs, type Question, type Toolbox } from './kit.ts';
import { isDict, isList, numberIn, parseLiteral, repr, type Value } from '../../../core/python/values.ts';

export interface Recorded {
  readonly tool: string;
  readonly input: Value;
  readonly answer: Value;
}

/** A question of AgentGym's data file. */
export interface GivenQuestion {
  readonly goal: string;
  /** AgentGym’s subgoals: one of them is enough. */
  readonly answers: readonly Value[];
  /** Date and place of the user, where the question depends on them. */
  readonly date?: string | undefined;
  readonly location?: string | undefined;
}

export class Recordings {
  private readonly answers: ReadonlyMap<string, Value>;

  constructor(recorded: readonly Recorded[]) {
    this.answers = new Map(recorded.map(({ tool, input, answer }) => [keyOf(tool, input), answer]));
  }

  get size(): number {
    return this.answers.size;
  }

  /** Changes with anything that is recorded. */
  get fingerprint(): string {
    const entries = [...this.answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, answer]) => `${key} ${repr(answer)}`);
    return Random.of(0, 'recordings', ...entries)
      .seed()
      .toString(36);
  }

  find(tool: string, input: Value): Value | undefined {
    return this.answers.get(keyOf(tool, input));
  }

  /** Recorded answers first, then those of a world. */
  before(world: Toolbox): Toolbox {
    const call = (tool: string, input: Inputs): Value => {
      const answer = this.find(tool, input.given);
      // None is an answer as well.
      return answer === undefined ? world.call(tool, input) : answer;
    };
    return { call };
  }
}

/** Reads one entry of a file: a request with its answer, or a recorded conversation of AgentGym with all its calls. */
export function recordedIn(entry: Value): readonly Recorded[] | undefined {
  if (!isDict(entry)) return undefined;
  const { tool, input, answer, conversations } = entry;
  if (typeof tool === 'string' && answer !== undefined) return [{ tool, input: input ?? {}, answer }];
  if (!isList(conversations)) return undefined;
  const turns = conversations.filter(isDict);
  return turns.flatMap((turn, at) => {
    const [said, seen] = [turn['value'], turns[at + 1]?.['value']];
    if (turn['from'] !== 'gpt' || typeof said !== 'string' || typeof seen !== 'string') return [];
    return callIn(said, seen) ?? [];
  });
}

const shown = /^Observation: ([\s\S]*?)(?:\nGive me one action\.)?$/;

function callIn(said: string, seen: string): Recorded | undefined {
  const line = callLine(said);
  const answer = shown.exec(seen)?.[1];
  // A refusal is not what the service answered.
  if (line === undefined || answer === undefined || /^error/i.test(answer)) return undefined;
  try {
    const { tool, input } = parseCall(line);
    return tool === 'finish' ? undefined : { tool, input, answer: parseLiteral(answer) ?? answer };
  } catch (error) {
    if (error instanceof PythonError) return undefined;
    throw error;
  }
}

/** Reads a line of AgentGym's question files (`Toolusage/data/weather.jsonl`). */
export function questionIn(line: Value): GivenQuestion | undefined {
  if (!isDict(line)) return undefined;
  const { goal, subgoals, additional_info: info } = line;
  if (typeof goal !== 'string' || !isList(subgoals) || subgoals.length === 0) return undefined;
  const config = isDict(info) && isDict(info['init_config']) ? info['init_config'] : {};
  const text = (value: Value | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
  return { goal, answers: subgoals, date: text(config['current_date']), location: text(config['current_location']) };
}

/** The question over recorded answers alone: our world knows other facts, so it stays silent. `local` are tools that need no service. */
export function ask(given: GivenQuestion, recordings: Recordings, local: Toolbox, localTools: readonly string[]): Question {
  const { date, location } = given;
  const own: Readonly<Record<string, string | undefined>> = { get_user_current_date: date, get_user_current_location: location };
  const world: Toolbox = {
    call(tool, input) {
      const mine = Object.hasOwn(own, tool) ? own[tool] : undefined;
      if (mine !== undefined) return mine;
      if (localTools.includes(tool)) return local.call(tool, input);
      throw new Declined(`ERROR | no answer to this call is recorded: ${tool} with ${repr(input.given)}`);
    },
  };
  return { goal: given.goal, category: 'agentgym', open: () => recordings.before(world), solve: () => given.answers[0] };
}

function keyOf(tool: string, input: Value): string {
  return `${tool} ${canonical(input)}`;
}

function canonical(value: Value): string {
  if (isList(value)) return `[${value.map(canonical).join()}]`;
  if (isDict(value)) {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join()}}`;
  }
  return typeof value === 'boolean' ? String(value) : JSON.stringify(numberIn(value) ?? value);
}
