/**
 * Logged conversations as an environment: a task opens as the product's agent opened it, its tools answer what they answered then, and the
 * last reply is worth what it has in common with the one that went well. With tools of one's own the world is asked instead of the log.
 */
import type { PathLike } from 'node:fs';
import { unknownTask } from '../../envs/unknown.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode, Step } from '../../envs/environment.ts';
import { tasksAlone } from '../../envs/tasks-alone.ts';
import { callsIn, type CalledTool } from '../../policy/tools-as-text.ts';
import { openingOf, type Said } from './chat.ts';
import { callKey, readTraceTasks, type TraceTask } from './trace-task.ts';

/** What `defineTraces` takes: the file that `agoge data import` wrote, and what is to be better than the log. */
export interface TracesDefinition {
  readonly name: string;
  /** Change it whenever tools or scores change. */
  readonly version?: string;
  /** The path of `tasks.jsonl`, or the tasks themselves. */
  readonly tasks: PathLike | readonly TraceTask[];
  /** Tools that are run; those that are left out answer from the log. */
  readonly tools?: Readonly<Record<string, (given: unknown, task: TraceTask) => string | Promise<string>>>;
  /** What the last reply is worth. Default: 1 where it says the same as the logged one, white space aside. */
  readonly score?: (answer: string, task: TraceTask) => number | Promise<number>;
}

/**
 * Makes an environment of logged conversations.
 *
 * @example
 * const question = [{ role: 'user' as const, content: 'How much is 1 + 1?' }];
 * const environment = defineTraces({
 *   name: 'support',
 *   tasks: [{ id: 'one', split: 'test', messages: question, tools: [], further: [], results: [], replies: ['2'] }],
 *   score: (answer, task) => (answer.includes(task.replies.at(-1) ?? '') ? 1 : 0),
 * });
 * await using episode = await environment.open({ env: 'support', split: 'test', index: 0 });
 * console.log(await episode.step('It is 2.')); // { observation: '', reward: 1, done: true }
 */
export function defineTraces(definition: TracesDefinition): Environment {
  const { name, version = '1', tasks: given } = definition;
  const all = isPath(given) ? readTraceTasks(given) : given;
  const bySplit = (split: string): readonly TraceTask[] => all.filter((task) => task.split === split);
  const known = new Map(['train', 'validation', 'test'].map((split) => [split, bySplit(split)]));
  const traceOf = ({ split, index }: TaskRef): TraceTask => {
    const found = known.get(split)?.[index];
    if (!found) throw unknownTask(name, { split, index }, known.get(split)?.length ?? all.length);
    return found;
  };
  const tasks = tasksAlone({
    name,
    version,
    splits: Object.fromEntries([...known].flatMap(([split, some]) => (some.length > 0 ? [[split, some.length]] : []))),
  });
  return {
    ...tasks,
    async open(task) {
      await tasks.open(task);
      return new TraceEpisode(definition, traceOf(task));
    },
    expert(task) {
      const { replies } = traceOf(task);
      let turn = 0;
      return { next: () => replies[turn++] ?? null };
    },
    truth: (task) => {
      const { id, replies } = traceOf(task);
      return { dataSource: name, groundTruth: replies.at(-1), extraInfo: { id } };
    },
  };
}

class TraceEpisode implements Episode {
  readonly prompt: readonly Said[];
  readonly observation: string;
  private readonly answered = new Map<string, number>();
  private heard = 0;
  private ended: Step | undefined;

  constructor(
    private readonly definition: TracesDefinition,
    private readonly task: TraceTask,
  ) {
    this.prompt = openingOf(task);
    this.observation = this.prompt
      .filter(({ role }) => role !== 'assistant')
      .map(({ text }) => text)
      .join('\n');
  }

  async step(action: string): Promise<Step> {
    if (this.ended) return this.ended;
    const calls = callsIn(action, new Set(this.task.tools.map((tool) => tool.function.name)));
    if (calls) {
      const answers: string[] = [];
      for (const call of calls) answers.push(await this.answer(call));
      return { observation: answers.join('\n'), reward: 0, done: false };
    }
    const further = this.task.further[this.heard++];
    if (further !== undefined) return { observation: further, reward: 0, done: false };
    const reward = await this.worth(action);
    this.ended = { observation: '', reward: 0, done: true };
    return { observation: '', reward, done: true };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  private worth(answer: string): number | Promise<number> {
    const { score } = this.definition;
    if (score) return score(answer, this.task);
    return plain(answer) === plain(this.task.replies.at(-1) ?? '') ? 1 : 0;
  }

  /** The same call again is answered by what was answered then; the last answer stays. */
  private async answer(call: CalledTool): Promise<string> {
    const own = this.definition.tools?.[call.name];
    if (own) return own(argumentsOf(call), this.task);
    const key = callKey(call);
    const same = this.task.results.filter((result) => callKey(result) === key);
    const before = this.answered.get(key) ?? 0;
    this.answered.set(key, before + 1);
    return same[Math.min(before, same.length - 1)]?.content ?? `${call.name} has no answer to this in the log`;
  }
}

/** What a policy wrote may be no JSON: then the tool gets the text. */
function argumentsOf({ arguments: given }: CalledTool): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

function isPath(tasks: PathLike | readonly TraceTask[]): tasks is PathLike {
  return !Array.isArray(tasks);
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
