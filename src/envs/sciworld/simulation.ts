/**
 * One session of ScienceWorld 1.3.0: a variation of a task in the house, played by text. Equal variations and inputs give equal
 * answers, byte for byte those of the original.
 *
 * State for viewers and experts: `universe` holds the places, whose `contents` hold everything else; `agent.container` is the place of
 * the agent and `agent.inventory` what it carries; `goals.progress` is what was reached. A thing has a `name`, a `material` with
 * `temperature` and `state`, a `vessel` (open or not), a `device` (on or not), and for living things `life` and `stage`.
 */
import type { Scene } from './actions/action.ts';
import { actionRules, matchOrder } from './actions/rules.ts';
import { inventory, lookAround } from './actions/looking.ts';
import { OriginalFault } from './fault.ts';
import type { Focus } from './goals/focus.ts';
import { GoalSequence } from './goals/sequence.ts';
import type { Reading } from './language/parser.ts';
import { parse } from './language/parser.ts';
import { makeHouse } from './places/house.ts';
import type { Universe } from './places/location.ts';
import { LAWS } from './processes/laws.ts';
import { apply } from './tasks/changes.ts';
import { TASKS } from './tasks/tasks.ts';
import type { Agent } from './things/agent.ts';
import { trim } from './things/words.ts';
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
  readonly world: World;
  readonly universe: Universe;
  readonly agent: Agent;
  readonly goals: GoalSequence;
  readonly focus: Focus = { on: undefined };
  readonly taskDescription: string;
  /** Ticks of the world so far, as the original counts moves. */
  moves = 0;
  private readonly rules = actionRules({ electricity: true, teleport: false });
  private readonly matched = matchOrder(this.rules);
  /** The readings of an ambiguous input; the next input chooses one. */
  private pending: readonly Reading[] | undefined = undefined;
  private fault: string | undefined = undefined;

  constructor(task: string, variation: number) {
    const at = TASKS.findIndex((definition) => definition.name === task);
    this.world = new World(LAWS);
    this.world.seed(variation);
    const stocks = TASKS.map((definition) => definition.stock(this.world));
    const stock = stocks[at];
    if (stock === undefined) throw new RangeError(`no task ${task}`);

    this.world.seed(variation);
    const { universe, agent } = makeHouse(this.world);
    this.universe = universe;
    this.agent = agent;

    this.world.seed(variation);
    for (const change of stock.changes(variation)) apply(change, universe, this.world);
    const brief = stock.brief(variation);
    this.goals = new GoalSequence(brief.ordered, brief.optional);
    this.taskDescription = trim(brief.description);
  }

  /** What one sees, without time passing. */
  look(): string {
    return lookAround.perform(this.scene, []);
  }

  inventory(): string {
    return inventory.perform(this.scene, []);
  }

  step(input: string): SimulationStep {
    const word = trim(input).toLowerCase();
    if (word === 'task') return this.outcome(`Task description:\n${this.taskDescription}`);
    if (this.fault !== undefined) return { observation: this.fault, score: -1, isCompleted: true };

    const read = this.read(input);
    const text = typeof read === 'string' ? read : this.run(read);
    return this.outcome(text.length === 0 ? UNKNOWN_ACTION : text);
  }

  private get scene(): Scene {
    const { agent, focus, goals, taskDescription } = this;
    return { agent, focus, goals, taskDescription };
  }

  private outcome(observation: string): SimulationStep {
    return { observation, score: this.goals.score, isCompleted: this.goals.isCompleted };
  }

  /** What the input asks for, or what to answer to it. */
  private read(input: string): Reading | undefined | string {
    if (this.pending !== undefined) return this.resolve(input, this.pending);
    const place = this.agent.container ?? this.universe;
    const parsed = parse(input, this.matched, this.agent, place, this.universe);
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
    let text = reading === undefined ? '' : this.perform(reading);
    try {
      let takesTime = reading?.rule.isFree !== true;
      for (;;) {
        this.goals.check(this.focus, this.agent);
        if (takesTime) this.tick();
        this.goals.check(this.focus, this.agent);
        if (this.agent.waiting <= 0) break;
        this.agent.waiting -= 1;
        takesTime = true;
      }
    } catch (error) {
      if (!(error instanceof OriginalFault)) throw error;
      this.fault = error.message;
    }
    return trim(text).replace(/ +/g, ' ');
  }

  private perform(reading: Reading): string {
    const { rule, things } = reading;
    const text = rule.refuse(this.scene, things) ?? rule.perform(this.scene, things);
    this.agent.history.push({ rule, things });
    return text;
  }

  private tick(): void {
    this.world.clock += 1;
    this.universe.tick();
    this.moves += 1;
  }
}
