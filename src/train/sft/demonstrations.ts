/**
 * Demonstrations that experts play while the model trains: endless worlds from a generator whose difficulty the curriculum sets,
 * and tasks of any environment, whose demonstrations may be as long as the curriculum allows. Played in this process, without
 * waiting: a demonstration costs well under a millisecond, and what comes next depends on the seed and a counter alone.
 */
import { datumOf } from '../../agent/datum.ts';
import { openingOf } from '../../agent/episode.ts';
import type { PromptFormat } from '../../agent/format.ts';
import type { ExpertEntry } from '../../config/recipe/sft-recipe.ts';
import { AgogeError } from '../../core/error.ts';
import { Random } from '../../core/random/random.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Practice } from '../../envs/environment.ts';
import { Conversation, type Message } from '../../policy/conversation.ts';
import type { Renderer } from '../../policy/renderer.ts';
import { writtenReply } from '../../policy/words.ts';
import { lastTurns } from '../run/schedules.ts';
import { sizeOf } from '../tasks/deck.ts';
import { pickLine, type Drawing, type DrawnDemonstration } from './drawing.ts';

export interface ExpertDeck {
  readonly entry: ExpertEntry;
  readonly environment: Environment;
}

export interface Demonstration extends DrawnDemonstration {
  /** What was said, for tokenizers and files. */
  readonly messages: readonly Message[];
  readonly turns: number;
}

export interface DemonstrationOptions {
  readonly decks: readonly ExpertDeck[];
  readonly format: PromptFormat;
  readonly renderer?: Renderer | undefined;
  readonly seed: number;
  readonly maxTurns: number;
}

export class Demonstrations implements Drawing {
  readonly atOnce = 1;

  private readonly entries: readonly ExpertEntry[];

  constructor(private readonly options: DemonstrationOptions) {
    this.entries = options.decks.map(({ entry }) => entry);
    for (const { entry, environment } of options.decks) {
      sizeOf(entry, environment);
      if (!environment.expert && !environment.remoteExpert) {
        throw new AgogeError(
          'TRAIN_NO_EXPERT',
          `${entry.env} has no expert here: demonstrate it on files, or play it in this process`,
        );
      }
    }
    if (options.decks.length === 0)
      throw new AgogeError('TRAIN_NO_TASKS', 'data.experts is empty: name an environment to demonstrate');
  }

  get generates(): boolean {
    return this.options.decks.some(({ entry }) => entry.generated);
  }

  /** The n-th demonstration at a difficulty from 0 to 1, of a line of the experts or of one that is open at it. */
  async draw(number: number, difficulty: number, line?: number): Promise<Demonstration> {
    const random = Random.of(this.options.seed, 'demonstration', number);
    const deck = this.options.decks[line ?? pickLine(this.entries, random, difficulty)] as ExpertDeck;
    // Longer than allowed now: draw again, at most so often that a hard environment cannot stall training.
    const most = this.most(deck);
    const allowed = deck.entry.generated ? most : Math.round(3 + (most - 3) * difficulty ** 2);
    let shortest: Demonstration | undefined;
    for (let tries = 0; tries < 16; tries++) {
      const demonstration = await this.play(deck, random.split('try', tries), difficulty, allowed);
      if (demonstration && demonstration.turns <= allowed) return demonstration;
      if (demonstration && (!shortest || demonstration.turns < shortest.turns)) shortest = demonstration;
    }
    // Where every task is much longer than is allowed now, all were broken off: one is played to its end.
    const whole = shortest ?? (await this.play(deck, random.split('try', 0), difficulty, most));
    if (whole) return whole;
    throw new AgogeError(
      'TRAIN_NO_EXPERT',
      `the expert of ${deck.entry.env} solved none of sixteen tasks within ${most} turns: raise data.max_turns, or see agoge lint ${deck.entry.env}`,
    );
  }

  private most({ entry }: ExpertDeck): number {
    return entry.max_turns === null ? this.options.maxTurns : lastTurns(entry.max_turns);
  }

  private async play(deck: ExpertDeck, random: Random, difficulty: number, allowed: number): Promise<Demonstration | undefined> {
    const { format, renderer } = this.options;
    const maxTurns = this.most(deck);
    const { episode, expert } = await this.open(deck, random, difficulty);
    await using owned = episode;
    const conversation = new Conversation(renderer);
    let observation = owned.observation;
    conversation.open(openingOf(format, deck.environment.instructions, owned));
    for (let turn = 1; turn <= maxTurns; turn++) {
      const said = expert.next(observation);
      const action = said instanceof Promise ? await said : said;
      if (action === null) return undefined; // some levels cannot be solved
      conversation.reply(writtenReply(conversation, format.write(action, '', deck.environment.instructions)).segment, 'token');
      const answer = owned.step(action);
      const step = answer instanceof Promise ? await answer : answer;
      observation = step.observation;
      if (step.done)
        return { messages: conversation.messages, turns: turn, datum: datumOf(conversation), generated: deck.entry.generated };
      if (turn > 3 * allowed) return undefined;
      conversation.observe(observation);
    }
    return undefined;
  }

  private async open({ entry, environment }: ExpertDeck, random: Random, difficulty: number): Promise<Practice> {
    if (entry.generated) return practice(environment, random, difficulty);
    const size = sizeOf(entry, environment);
    const index = entry.from + random.below(Math.min(size, 0x7fffffff));
    const task: TaskRef = { env: environment.name, split: entry.split, index };
    const expert = environment.expert?.(task) ?? environment.remoteExpert?.(task);
    if (!expert) throw new AgogeError('TRAIN_NO_EXPERT', `${entry.env} has no expert`);
    return { episode: await environment.open(task), expert };
  }
}

/** A play of a chosen difficulty. */
function practice(environment: Environment, random: Random, difficulty: number): Practice | Promise<Practice> {
  if (environment.practice) return environment.practice(random, difficulty);
  throw new AgogeError(
    'TRAIN_NO_GENERATOR',
    `${environment.name} has no generator with a difficulty: set generated: false and name a split`,
  );
}
