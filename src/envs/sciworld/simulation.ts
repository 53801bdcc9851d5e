/**
 * One session of ScienceWorld 1.3.0: a variation of a task in the house, played by text. Equal variations and inputs give equal
 * answers, byte for byte those of the original.
 *
 * State for viewers and experts: `universe` holds the places, whose `contents` hold everything else; `agent.container` is the place of
 * the agent and `agent.inventory` what it carries; `goals.progress` is what was reached. A thing has a `name`, a `material` with
 * `temperature` and `state`, a `vessel` (open or not), a `device` (on or not), and for living things `life` and `stage`.
 */
import type { Scene } from './actions/action.ts';
import { inventory, lookAround } from './actions/looking.ts';
import { actionRules, matchOrder } from './actions/rules.ts';
import { OriginalFault } from './fault.ts';
import type { Focus } from './goals/focus.ts';
import { GoalSequence } from './goals/sequence.ts';
import type { Parsed, Reading } from './language/parser.ts';
import { parse } from './language/parser.ts';
import { objectNames, type Edition } from './language/referents.ts';
import type { ValidAction } from './language/valid.ts';
import { template, validActions } from './language/valid.ts';
import { makeHouse } from './places/house.ts';
import type { Universe } from './places/location.ts';
import { LAWS } from './processes/laws.ts';
import type { Simplification } from './simplifications.ts';
import { openAllContainers, openAllDoors } from './simplifications.ts';
import { apply } from './tasks/changes.ts';
import { stockOf, TASKS } from './tasks/tasks.ts';
import type { Agent } from './things/agent.ts';
import { byText, trim } from './language/java-strings.ts';
import type { Thing } from './things/thing.ts';
import { World } from './things/world.ts';

export interface SimulationStep {
  readonly observation: string;
  /** 0 to 1, or -1 once the task has failed. */
  readonly score: number;
  readonly isCompleted: boolean;
}

const UNKNOWN_ACTION =
  "Unknown action.  Type 'help' for a list of actions, and 'objects' for a list of possible object referents. ";

export class Simulation {
  readonly world: World<Thing>;
  readonly universe: Universe;
  readonly agent: Agent;
  readonly goals: GoalSequence;
  readonly focus: Focus = { on: undefined };
  readonly taskDescription: string;
  /** Ticks of the world so far, which the original counts as moves. */
  moves = 0;
  private readonly rules;
  private readonly matched;
  /** The readings of an ambiguous input; the next input chooses one. */
  private pending: readonly Reading[] | undefined = undefined;
  private fault: string | undefined = undefined;
  private score = 0;
  private isCompleted = false;

  constructor(
    task: string,
    variation: number,
    simplifications: ReadonlySet<Simplification> = new Set(),
    private readonly edition: Edition = '1.3',
  ) {
    const definition = TASKS.find((candidate) => candidate.name === task);
    if (definition === undefined) throw new RangeError(`no task ${task}`);
    this.world = new World(LAWS);
    this.world.seed(variation);
    const stock = stockOf(definition, this.world);

    this.world.seed(variation);
    const { universe, agent } = makeHouse(this.world);
    this.universe = universe;
    this.agent = agent;

    this.world.seed(variation);
    for (const change of stock.changes(variation)) apply(change, universe, this.world);
    const brief = stock.brief(variation);
    this.goals = new GoalSequence(brief.ordered, brief.optional);
    this.taskDescription = trim(brief.description);

    this.world.selfWatering = simplifications.has('selfWateringFlowerPots');
    if (simplifications.has('openDoors')) openAllDoors(universe);
    if (simplifications.has('openContainers')) openAllContainers(universe);
    const electricity = !simplifications.has('noElectricalAction');
    this.rules = actionRules({ electricity, teleport: simplifications.has('teleportAction') });
    this.matched = matchOrder(this.rules);
  }

  /** What one sees, without time passing. */
  look(): string {
    return lookAround.perform(this.scene, []);
  }

  inventory(): string {
    return inventory.perform(this.scene, []);
  }

  /** `OBJ` stands for a thing, in alphabetical order. */
  get templates(): readonly string[] {
    return this.rules.map(template).sort(byText);
  }

  /** Names of the things within reach; draws from the world's random numbers, as the original does. */
  objects(): readonly string[] {
    return objectNames(this.agent.container ?? this.universe, this.world.random).map(({ name }) => name);
  }

  /** Actions that would not be refused; draws from the world's random numbers, as the original does. */
  valid(): readonly ValidAction[] {
    return validActions(this.scene, this.rules, this.universe, this.world.random, true, this.edition);
  }

  /** The same as text, in alphabetical order; in an ambiguity, the numbers to choose from. */
  validTexts(): readonly string[] {
    if (this.pending !== undefined) return this.pending.map((_, i) => String(i)).sort(byText);
    return inOrder(this.valid());
  }

  /** The same without a trace: nothing that happens later depends on whether one looked. */
  peekValidTexts(): readonly string[] {
    if (this.pending !== undefined) return this.validTexts();
    return inOrder(validActions(this.scene, this.rules, this.universe, this.world.random.copy(), false, this.edition));
  }

  /** How an input would be read now, without acting on it. */
  interpret(input: string): Parsed {
    const place = this.agent.container ?? this.universe;
    return parse(input, this.matched, this.agent, place, this.universe);
  }

  step(input: string): SimulationStep {
    return { observation: this.answer(input), score: this.score, isCompleted: this.isCompleted };
  }

  private answer(input: string): string {
    const word = trim(input).toLowerCase();
    if (word === 'help') return `Possible actions: \n\t${this.templates.join('\n\t')}`;
    if (word === 'objects') return `Possible object references: \n\t${this.objects().join('\n\t')}`;
    if (word === 'task') return `Task description:\n${this.taskDescription}`;
    if (this.fault !== undefined) {
      this.score = -1;
      this.isCompleted = true;
      return this.fault;
    }
    const read = this.read(input);
    const text = typeof read === 'string' ? read : this.run(read);
    this.score = this.goals.score;
    this.isCompleted = this.goals.isCompleted;
    return text.length === 0 ? UNKNOWN_ACTION : text;
  }

  private get scene(): Scene {
    const { agent, focus, goals, taskDescription } = this;
    return { agent, focus, goals, taskDescription };
  }

  /** What the input asks for, or what to answer to it. */
  private read(input: string): Reading | undefined | string {
    if (this.pending !== undefined) return this.resolve(input, this.pending);
    const parsed = this.interpret(input);
    if (parsed.kind === 'action') return parsed.reading;
    if (parsed.kind === 'ambiguous') this.pending = parsed.readings;
    return parsed.text;
  }

  /** The answer to an ambiguity: the number of a reading. Anything else cancels it, and time passes all the same. */
  private resolve(input: string, readings: readonly Reading[]): Reading | undefined {
    this.pending = undefined;
    return /^[+-]?[0-9]+$/.test(input) ? readings[Number(input)] : undefined;
  }

  /** Carries an action out and lets time pass: a tick, and one more for every tick the agent waits. */
  private run(reading: Reading | undefined): string {
    let text = '';
    try {
      if (reading !== undefined) text = this.perform(reading);
      this.pass(reading?.rule.isFree !== true);
      while (this.agent.waiting > 0) {
        this.agent.waiting -= 1;
        this.pass(true);
      }
    } catch (error) {
      if (!(error instanceof OriginalFault)) throw error;
      this.fault = error.message;
    }
    return trim(text).replace(/ +/g, ' ');
  }

  private perform({ rule, things }: Reading): string {
    const text = rule.refuse(this.scene, things) ?? rule.perform(this.scene, things);
    this.agent.history.push({ rule, things });
    return text;
  }

  private pass(takesTime: boolean): void {
    this.goals.check(this.focus, this.agent);
    if (takesTime) {
      this.world.clock += 1;
      this.universe.tick();
      this.moves += 1;
    }
    this.goals.check(this.focus, this.agent);
  }
}

/** JavaScript's own order of strings is Java's; without a comparator it is several times as fast, and there are thousands. */
function inOrder(actions: readonly ValidAction[]): readonly string[] {
  return actions.map(({ text }) => text).sort();
}
