/**
 * A tool environment as an Environment. `train` and `test` have AgentGym's item numbers with questions of our own behind them, `all` every
 * number; `generated`, `validation` and `generated-test` have more. Each side asks about a world that the other sides never see.
 */
import { AgogeError } from '../../../core/error.ts';
import { Random } from '../../../core/random/random.ts';
import type { TaskRef } from '../../../core/task.ts';
import type { ActionForm, Environment, Expert, Instructions, TaskInfo, TaskSet } from '../../environment.ts';
import { unknownSplit } from '../../unknown.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { standInId, type StandIn } from '../../stand-in.ts';
import { recordable, worldSettings, type ToolSettings } from '../settings.ts';
import { ToolEpisode, type Posed } from './episode.ts';
import { writeCall } from './grammar.ts';
import { Inputs, type Kit, type Question, type Side, type ToolForm } from './kit.ts';
import { isList, plain, sorted, type Value } from '../../../core/python/values.ts';
import { readQuestions, readRecordings } from './recorded-files.ts';
import { ask, type GivenQuestion, type Recordings } from './recorded.ts';

const between = (count: number): number[] => Array.from({ length: count }, (_, number) => number);
const VALIDATION = 100;
/** Questions drawn for a task until one has a single answer. */
const DRAWS = 200;

/** With the settings that a recipe or a command line gives; answers are recorded only of kits that have `local` questions. */
export function toolEnvironment(kit: Kit, given: Settings = {}): ToolEnvironment {
  return openTools(kit, readSettings(kit.name, kit.local ? recordable : worldSettings, given));
}

export function openTools(kit: Kit, { seed, recorded, questions, generated }: ToolSettings): ToolEnvironment {
  if (recorded === undefined) {
    if (questions === undefined) return new ToolEnvironment(kit, seed, undefined, generated);
    const why = 'our world does not know what AgentGym’s questions are about';
    throw new AgogeError('ENV_BAD_SETTING', `${kit.name}.questions stands alone: set ${kit.name}.recorded as well, ${why}`);
  }
  const recordings = readRecordings(recorded);
  const given = questions === undefined ? undefined : readQuestions(questions, kit.items.count);
  return new ToolEnvironment(kit, seed, { recordings, questions: given }, generated);
}

/** Answers of the original service, and AgentGym's own questions over them. */
export interface Originals {
  readonly recordings: Recordings;
  readonly questions?: readonly GivenQuestion[] | undefined;
}

export class ToolEnvironment implements Environment {
  readonly name: string;
  readonly version: string;
  readonly splits: readonly string[];
  readonly instructions: Instructions;
  readonly standIn: StandIn | undefined;
  private readonly lists: ReadonlyMap<string, readonly number[]>;

  constructor(
    private readonly kit: Kit,
    private readonly seed: number,
    private readonly originals?: Originals,
    generated = false,
  ) {
    const { count, test, unused = [], testOnly = false } = kit.items;
    const train = between(count).filter((item) => !test.includes(item) && !unused.includes(item));
    this.lists = new Map([...(testOnly ? [] : [['train', train] as const]), ['test', test], ['all', between(count)]]);
    this.name = kit.name;
    const { recordings, questions } = originals ?? {};
    this.version = [
      kit.version,
      ...(seed === 0 ? [] : [`seed${seed}`]),
      ...(recordings ? [`recorded${recordings.fingerprint}`] : []),
      ...(questions ? ['agentgym'] : []),
    ].join('-');
    this.splits = [...this.lists.keys(), ...(questions ? [] : ['generated', 'validation', 'generated-test'])];
    this.instructions = instructionsOf(kit);
    if (!questions) this.standIn = { plays: 'questions of our own', remedy: remedyOf(kit), chosen: generated };
  }

  tasks(split: string): TaskSet {
    if (!this.splits.includes(split)) throw unknownSplit(this.name, split, this.splits);
    const size = this.lists.get(split)?.length ?? (split === 'validation' ? VALIDATION : Infinity);
    return { size, info: (index) => this.info({ env: this.name, split, index }) };
  }

  open(task: TaskRef): ToolEpisode {
    return new ToolEpisode(this.kit, this.pose(task));
  }

  /** An item as AgentGym's servers take it: negative numbers count from the end. */
  openItem(item: number): ToolEpisode {
    const { count } = this.kit.items;
    return this.open(this.taskOfItem(item < 0 ? item + count : item));
  }

  taskOfItem(item: number): TaskRef {
    const { count } = this.kit.items;
    if (!Number.isInteger(item) || item < 0 || item >= count)
      throw new AgogeError('ENV_UNKNOWN_TASK', `${this.name} has items 0 to ${count - 1}, not ${item}: choose one of them`);
    return { env: this.name, split: 'all', index: item };
  }

  /** Makes the calls that answer the question. It can advise anybody as long as nobody changes the world. */
  expert(task: TaskRef): Expert {
    const { plan } = this.pose(task);
    let at = 0;
    return { next: () => plan[at++] ?? null };
  }

  private info(task: TaskRef): TaskInfo {
    const { goal, category } = this.pose(task).question;
    const item = this.lists.get(task.split)?.[task.index];
    const itemId = item === undefined ? `${this.name}-${task.split}_${task.index}` : this.itemId(item);
    return { category, itemId, title: goal };
  }

  private itemId(item: number): string {
    const { prefix } = this.kit.items;
    return this.standIn ? standInId(prefix, item) : `${prefix}_${item}`;
  }

  private pose(task: TaskRef): Posed {
    const { size } = this.tasks(task.split);
    const { split, index } = task;
    if (!Number.isSafeInteger(index) || index < 0 || index >= size) {
      const has = size === Infinity ? 'counts its tasks from 0' : `has tasks 0 to ${size - 1}`;
      throw new AgogeError('ENV_UNKNOWN_TASK', `${this.name}/${split} ${has}, not ${index}: pick one of them`);
    }
    const item = this.lists.get(split)?.[index];
    const given = item === undefined ? undefined : this.given(item);
    if (given) return given;
    const side = item === undefined ? sides[split] : this.kit.items.test.includes(item) ? 'test' : 'train';
    const random = Random.of(this.seed, this.name, item === undefined ? split : 'item', item ?? index);
    for (let draw = 0; draw < DRAWS; draw++) {
      const posed = solved(this.kit, this.recorded(this.kit.ask(this.seed, side ?? 'train', random.split(draw))));
      if (posed) return posed;
    }
    throw new AgogeError(
      'ENV_UNKNOWN_TASK',
      `${this.name}/${split}#${index} found no question with one answer: try another seed`,
    );
  }

  /** AgentGym's own question of an item, where a file of them was given; its expert knows the answer alone. */
  private given(item: number): Posed | undefined {
    const { local } = this.kit;
    const given = this.originals?.questions?.[item];
    if (!given || !local) return undefined;
    const question = ask(given, this.originals.recordings, local.box, local.tools);
    const [answer = null] = given.answers;
    return {
      question,
      answers: given.answers,
      solution: question.open(),
      plan: [writeCall('finish', { answer: plain(answer) })],
    };
  }

  /** The question with recorded answers before those of our world, for the agent and for the program that finds the answer. */
  private recorded(question: Question): Question {
    const { recordings } = this.originals ?? {};
    if (!recordings) return question;
    const { goal, category } = question;
    return { goal, category, open: () => recordings.before(question.open()), solve: (use) => question.solve(use) };
  }
}

/** Where the original's questions come from; two services cannot be recorded. */
function remedyOf({ name, local }: Kit): string {
  return local
    ? `set ${name}.questions to AgentGym’s question file (agentenv-tool, Toolusage/data) and ${name}.recorded to recorded answers (docs/tools.md)`
    : `play it on AgentGym’s own server (${name}@http://…), whose service it asks`;
}

const sides: Readonly<Record<string, Side>> = { generated: 'train', validation: 'validation', 'generated-test': 'test' };

/** Lets a question's program find its answer, and keeps what it did. */
function solved(kit: Kit, question: Question): Posed | undefined {
  const solution = question.open();
  const plan: string[] = [];
  const found = question.solve((tool, input = {}) => {
    plan.push(writeCall(tool, plain(input) as Record<string, unknown>));
    return solution.call(tool, new Inputs(input));
  });
  // An errand that changes nothing is none.
  if (found === undefined || kit.worth?.(question.open(), solution) === 1) return undefined;
  const answer: Value = isList(found) ? sorted(found) : found;
  plan.push(writeCall('finish', kit.finish ? {} : { answer: plain(answer) }));
  return { question, answers: [answer], solution, plan };
}

function instructionsOf({ role, tools }: Kit): Instructions {
  return {
    task: [
      role,
      'You work by calling tools, one per turn, and see what each answers.',
      'End with finish, and with the answer in exactly the form that is asked for.',
    ].join('\n'),
    actions: tools.map(formOf),
  };
}

function formOf({ name, description, parameters }: ToolForm): ActionForm {
  const inputs = Object.keys(parameters).map((parameter) => `"${parameter}": {${parameter}}`);
  return { name, template: `${name} with Action Input: {${inputs.join(', ')}}`, description, parameters, json: true };
}
