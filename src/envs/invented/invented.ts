/**
 * Worlds without end that nobody has seen before: tables to look up, trails to follow, errands, forms, rules and errors, each in
 * words, a layout and a way of writing actions of its own. Recall is worth nothing in them; reading is.
 */
import { AgogeError } from '../../core/error.ts';
import { choice } from '../../core/nearest.ts';
import { Random } from '../../core/random/random.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Episode, Expert, Step, TaskSet } from '../environment.ts';
import { unknownSplit, unknownTask } from '../unknown.ts';
import { formOf, reader, type Call } from './calls.ts';
import { kindNames, kinds, type KindName } from './kinds.ts';
import type { Side } from './lexicon.ts';
import type { InventedSettings } from './settings.ts';
import { Sketch, type World } from './world.ts';

const sides: Readonly<Record<string, Side>> = { train: 'train', validation: 'validation', test: 'validation' };

export interface InventedOptions {
  readonly kinds: readonly KindName[];
  /** From the easiest to the hardest world, within 0 and 1. */
  readonly difficulty: readonly [number, number];
}

export function openInvented({ kind, difficulty }: InventedSettings): Invented {
  return new Invented({ kinds: kind?.map(kindNamed) ?? kindNames, difficulty });
}

function kindNamed(word: string): KindName {
  const known = kindNames.find((name) => name === word);
  if (known) return known;
  throw new AgogeError('ENV_BAD_SETTING', `invented.kind has no "${word}": ${choice(word, kindNames)}`);
}

/** A world with its prompt and the way its actions are written. */
interface Made {
  readonly kind: KindName;
  readonly world: World;
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly text: string }[];
  readonly read: (text: string) => Call | null;
  readonly write: (call: Call) => string;
  readonly help: string;
}

export class Invented implements Environment {
  readonly name = 'invented';
  readonly version = '1';
  readonly splits = Object.keys(sides);
  /** Every world tells its own rules. */
  readonly instructions = { task: '', actions: [], verbatim: true };

  constructor(private readonly options: InventedOptions) {}

  tasks(split: string): TaskSet {
    this.side(split);
    return {
      size: Infinity,
      info: (index) => ({
        category: this.kindOf(this.stream({ env: this.name, split, index })),
        itemId: `${this.name}_${split}_${index}`,
      }),
    };
  }

  open(task: TaskRef): Episode {
    return new InventedEpisode(this.make(task));
  }

  expert(task: TaskRef): Expert {
    return new InventedExpert(this.make(task));
  }

  /** A fresh world of this difficulty with its expert, for a curriculum; nothing is remembered of it. */
  practice(random: Random, difficulty: number): { readonly episode: Episode; readonly expert: Expert } {
    const made = (): Made => draw(this.kindOf(random.split('kind')), random.split('world'), 'train', difficulty);
    return { episode: new InventedEpisode(made()), expert: new InventedExpert(made()) };
  }

  private make(task: TaskRef): Made {
    const side = this.side(task.split);
    const random = this.stream(task);
    const kind = this.kindOf(random);
    const [low, high] = this.options.difficulty;
    return draw(kind, random.split('world'), side, low + (high - low) * random.float());
  }

  private kindOf(random: Random): KindName {
    return random.pick(this.options.kinds);
  }

  private stream(task: TaskRef): Random {
    if (!Number.isSafeInteger(task.index) || task.index < 0) throw unknownTask(this.name, task, Infinity);
    return Random.of(0, this.name, task.split, task.index);
  }

  private side(split: string): Side {
    const known = sides[split];
    if (!known) throw unknownSplit(this.name, split, this.splits);
    return known;
  }
}

function draw(kind: KindName, random: Random, side: Side, level: number): Made {
  const sketch = new Sketch(random, side, level);
  const world = kinds[kind](sketch);
  const { syntax } = sketch;
  const forms = world.tools.map((tool) => ({ form: formOf(syntax, tool), about: tool.about }));
  const lines = forms.map(({ form, about }) => `- ${form}: ${about}`).join('\n');
  const only = forms.map(({ form }) => form).join(sketch.say(', ', '\n', ' or '));
  const toolOf = new Map(world.tools.map((tool) => [tool.id, tool]));
  const rules = sketch.chance(0.6)
    ? `${world.story}\n\nActions:\n${lines}\n\nReply with the action and nothing else.`
    : sketch.say(
        `${world.story}\n${lines}`,
        `${lines}\n\n${world.story}`,
        `${world.story} Commands: ${only}`,
        `${world.story}\nYou can use:\n${only}`,
      );
  const apart = sketch.chance(0.7);
  return {
    kind,
    world,
    messages: apart
      ? [
          { role: 'system', text: rules },
          { role: 'user', text: world.opening },
        ]
      : [{ role: 'user', text: `${rules}\n\n${world.opening}` }],
    read: reader(syntax, world.tools),
    write(call) {
      const tool = toolOf.get(call.id);
      return tool ? syntax.write(tool, call.values) : '';
    },
    help: `${sketch.say('I do not understand.', 'Error: no such action.', 'Unknown command.')} ${sketch.say('Use', 'Write', 'Known:')} ${only}`,
  };
}

class InventedEpisode implements Episode {
  readonly observation: string;
  readonly prompt: Made['messages'];
  private ended: Step | undefined;
  private played = 0;

  constructor(private readonly made: Made) {
    this.prompt = made.messages;
    this.observation = made.messages.at(-1)?.text ?? '';
  }

  get state(): { readonly kind: KindName; readonly actions: number; readonly ended: boolean } {
    return { kind: this.made.kind, actions: this.played, ended: this.ended !== undefined };
  }

  step(action: string): Step {
    if (this.ended) return this.ended;
    this.played++;
    const { world, read, help } = this.made;
    const text = action.trim();
    const call = read(text) ?? read(text.slice(text.lastIndexOf('\n') + 1).trim());
    if (!call) return { observation: help, reward: 0, done: false };
    const { text: observation, solved } = world.answer(call);
    if (solved === undefined) return { observation, reward: 0, done: false };
    this.ended = { observation, reward: 0, done: true };
    return { observation, reward: solved ? 1 : 0, done: true, success: solved };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is held.
  }
}

/** Plays a world of its own beside the one it advises on, so that it always knows the state. */
class InventedExpert implements Expert {
  readonly follows = true;
  private readonly shadow: InventedEpisode;
  private last: string | undefined;

  constructor(private readonly made: Made) {
    this.shadow = new InventedEpisode(made);
  }

  next(_observation: string, played?: string): string | null {
    const done = played ?? this.last;
    if (done !== undefined) this.shadow.step(done);
    const call = this.made.world.next();
    this.last = call ? this.made.write(call) : undefined;
    return this.last ?? null;
  }
}
