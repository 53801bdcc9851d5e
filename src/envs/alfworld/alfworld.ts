/**
 * ALFWorld as an Environment: the official games where files are given, else homes of our own without end. Texts are those that
 * AgentGym's server sends; success is the game's goal formula. Items 0 to 2619 are AgentGym's.
 */
import { AgogeError } from '../../core/error.ts';
import { choice } from '../../core/nearest.ts';
import type { Random } from '../../core/random/random.ts';
import type { TaskRef } from '../../core/task.ts';
import type { Environment, Expert, Instructions, TaskInfo, TaskSet } from '../environment.ts';
import { standInId, type StandIn } from '../stand-in.ts';
import { AlfWorldEpisode } from './episode.ts';
import { HouseholdExpert } from './expert.ts';
import { gameName, openGame, splitGames, type GameText } from './games.ts';
import { drawGame, generateGame, type HomeDraw, type Opened } from './homes/generate.ts';
import { taskKinds, type TaskKind } from './homes/task.ts';
import { FIRST_TEST_ITEM, ITEMS, itemOfGame, kindOfItem } from './items.ts';
import { Knowledge } from './knowledge.ts';
import { instructionsFor } from './prompt.ts';
import { optionsOf, type AlfWorldOptions } from './options.ts';
import type { AlfWorldSettings } from './settings.ts';
import type { Edition } from './world/wording.ts';
import { World } from './world/world.ts';

const VERSION = '2';
/** Games that stay read; a training step opens each of its games many times. */
const KEPT = 256;

/** Files are read only where `games` names some. */
export async function openAlfWorld(given: AlfWorldSettings): Promise<AlfWorld> {
  const options = optionsOf(given);
  if (given.games === undefined) return new AlfWorld(options);
  const { readGames } = await import('./files.ts');
  return new AlfWorld(options, await readGames(given.games));
}

export class AlfWorld implements Environment {
  readonly name = 'alfworld';
  readonly version: string;
  readonly splits: readonly string[];
  readonly instructions: Instructions;
  readonly standIn: StandIn | undefined;
  private readonly official: ReadonlyMap<string, readonly GameText[]>;
  private readonly items: ReadonlyMap<number, GameText>;
  private readonly opened = new Map<string, Opened>();

  constructor(
    readonly options: AlfWorldOptions,
    games: readonly GameText[] = [],
  ) {
    this.official = splitGames(games);
    this.items = new Map(
      games.flatMap((game): [number, GameText][] => {
        const item = itemOfGame(gameName(game));
        return item === undefined ? [] : [[item, game]];
      }),
    );
    const own = games.length === 0 ? ['train', 'test'] : [...this.official.keys()];
    this.splits = [...own, 'generated', 'generated-test'];
    const { edition, listActions, text, limit, homes } = options;
    const settings = [edition, listActions, text, limit, homes.seed, ...homes.difficulty].join(',');
    this.version = `${VERSION}-${settings}-${games.length === 0 ? 'homes' : `games${fingerprint(games)}`}`;
    this.instructions = instructionsFor(edition ?? '0.3');
    this.standIn = games.length === 0 ? { plays: 'generated homes', remedy: filesRemedy, chosen: options.generated } : undefined;
  }

  tasks(split: string): TaskSet {
    if (!this.splits.includes(split)) {
      const hint = this.official.size === 0 && officialSplits.has(split) ? ', or set alfworld.games to the official games' : '';
      throw new AgogeError('ENV_UNKNOWN_SPLIT', `alfworld has no split "${split}": ${choice(split, this.splits)}${hint}`);
    }
    const games = this.official.get(split);
    const size = games?.length ?? (split === 'train' ? FIRST_TEST_ITEM : split === 'test' ? ITEMS - FIRST_TEST_ITEM : Infinity);
    return { size, info: (index) => this.info({ env: this.name, split, index }) };
  }

  open(task: TaskRef): AlfWorldEpisode {
    return this.episode(this.gameOf(task));
  }

  expert(task: TaskRef): Expert {
    return this.expertOf(this.gameOf(task));
  }

  impossible(task: TaskRef): string | undefined {
    const text = this.official.get(task.split)?.[task.index];
    return text?.solvable === false ? 'its file says that it cannot be solved' : undefined;
  }

  taskOfItem(item: number): TaskRef {
    if (!Number.isInteger(item) || item < 0 || item >= ITEMS) {
      throw new AgogeError('ENV_UNKNOWN_TASK', `alfworld has items 0 to ${ITEMS - 1}, not ${item}: choose one of them`);
    }
    const split = item < FIRST_TEST_ITEM ? 'train' : 'test';
    const index = item < FIRST_TEST_ITEM ? item : item - FIRST_TEST_ITEM;
    if (this.official.size === 0 || this.official.has(split)) return { env: this.name, split, index };
    return this.given(`alfworld_${item}`, this.items.get(item), item < FIRST_TEST_ITEM ? 'train' : 'valid_train');
  }

  /** `task_trial`, as AgentGym's training list names games. */
  taskOfName(itemId: string): TaskRef {
    const name = itemId.replace(/_(?=trial_T\d)/, '/');
    const item = itemOfGame(name);
    if (item !== undefined) return this.taskOfItem(item);
    const games = this.official.get('games') ?? [];
    return this.given(
      itemId,
      games.find((game) => gameName(game) === name),
      'train, valid_seen or valid_unseen',
    );
  }

  /** The game of AgentGym's number, counted from the end where negative, as Python does; its name is told as well. */
  openItem(item: number): { readonly name: string; readonly episode: AlfWorldEpisode } {
    const index = item < 0 ? item + ITEMS : item;
    if (!Number.isInteger(index) || index < 0 || index >= ITEMS) {
      throw new AgogeError('ENV_UNKNOWN_TASK', `list index out of range: choose a game from 0 to ${ITEMS - 1}`);
    }
    if (this.official.size === 0) {
      const opened = this.gameOf(this.taskOfItem(index));
      return { name: gameName(opened.text), episode: this.episode(opened) };
    }
    const text = this.items.get(index);
    if (!text) {
      const folder = index < FIRST_TEST_ITEM ? 'train' : 'valid_train';
      throw new AgogeError(
        'ENV_UNKNOWN_TASK',
        `game ${index} is one of the official ${folder} games, which were not given: set alfworld.games to a folder that has them`,
      );
    }
    return { name: gameName(text), episode: this.episode(this.read(text)) };
  }

  /** A fresh home of this difficulty with its expert, for a curriculum; nothing is remembered of it. */
  practice(random: Random, difficulty: number): { readonly episode: AlfWorldEpisode; readonly expert: Expert } {
    const kind = random.pick(taskKinds);
    const opened = drawGame(random, { use: 'train', kind, name: 'drawn' }, difficulty);
    return { episode: this.episode(opened), expert: this.expertOf(opened) };
  }

  /** A game that is not part of a whole split; throws ENV_UNKNOWN_TASK where it was not given. */
  private given(id: string, game: GameText | undefined, folder: string): TaskRef {
    if (game) return { env: this.name, split: 'games', index: (this.official.get('games') ?? []).indexOf(game) };
    throw new AgogeError(
      'ENV_UNKNOWN_TASK',
      `${id} is one of the official ${folder} games, which are not among those given: ${filesRemedy}`,
    );
  }

  private expertOf({ game, text }: Opened): Expert {
    const edition = this.editionOf(text);
    const knowledge = this.options.expert === 'informed' ? Knowledge.informed(new World(game, edition)) : new Knowledge();
    return new HouseholdExpert(game.aim, knowledge, edition);
  }

  private episode({ game, text }: Opened): AlfWorldEpisode {
    const edition = this.editionOf(text);
    return new AlfWorldEpisode(new World(game, edition), this.options);
  }

  private editionOf(text: GameText): Edition {
    return this.options.edition ?? text.edition ?? '0.3';
  }

  private gameOf(task: TaskRef): Opened {
    this.check(task);
    const text = this.official.get(task.split)?.[task.index];
    if (text) return this.read(text);
    return this.kept(`${task.split} ${task.index}`, () => generateGame(this.options.homes, drawOf(task)));
  }

  private read(text: GameText): Opened {
    return this.kept(`${text.split}/${gameName(text)}`, () => ({ text, game: openGame(text) }));
  }

  /** What was opened last stays, so that the samples of a group read their game once. */
  private kept(key: string, open: () => Opened): Opened {
    const found = this.opened.get(key) ?? open();
    this.opened.delete(key);
    this.opened.set(key, found);
    for (const [oldest] of this.opened) {
      if (this.opened.size <= KEPT) break;
      this.opened.delete(oldest);
    }
    return found;
  }

  private check({ split, index }: TaskRef): void {
    const { size } = this.tasks(split);
    if (Number.isSafeInteger(index) && index >= 0 && index < size) return;
    const has = size === Infinity ? 'counts its tasks from 0' : `has tasks 0 to ${size - 1}`;
    throw new AgogeError('ENV_UNKNOWN_TASK', `alfworld/${split} ${has}, not ${index}: pick one of them, or another split`);
  }

  private info(task: TaskRef): TaskInfo {
    this.check(task);
    const text = this.official.get(task.split)?.[task.index];
    if (text) {
      const item = task.split === 'games' || task.split === 'train_full' ? undefined : itemOfGame(gameName(text));
      const itemId = item === undefined ? `${text.task}_${text.trial}` : `alfworld_${item}`;
      return { category: categoryOf(text.task), itemId, title: gameName(text) };
    }
    const { kind, item } = drawOf(task);
    return {
      category: kindCategories[kind],
      itemId: item === undefined ? `alfworld-${task.split}_${task.index}` : standInId(this.name, item),
    };
  }
}

const filesRemedy =
  'set alfworld.games to the folder json_2.1.1 that ALFWorld’s alfworld-download makes ($ALFWORLD_DATA/json_2.1.1)';
const officialSplits = new Set(['valid_seen', 'valid_unseen', 'valid_train', 'train_full']);

/** What is drawn for a task of our own: under AgentGym's numbers a home of the item's kind, elsewhere the kinds take turns. */
function drawOf({ split, index }: TaskRef): HomeDraw & { readonly item?: number } {
  const use = split === 'generated' || split === 'train' ? 'train' : 'test';
  const item = split === 'train' ? index : split === 'test' ? index + FIRST_TEST_ITEM : undefined;
  const kind = taskKinds[item === undefined ? index % taskKinds.length : kindOfItem(item)] ?? 'pick';
  return { use, kind, name: `${split}_${index}`, ...(item !== undefined && { item }) };
}

const kindCategories: Readonly<Record<TaskKind, string>> = {
  pick: 'Pick',
  look: 'Look',
  clean: 'Clean',
  heat: 'Heat',
  cool: 'Cool',
  two: 'Pick2',
};

/** Task types as results are broken down by: Pick, Look, Clean, Heat, Cool, Pick2. */
function categoryOf(task: string): string {
  const kind = categories.find(([prefix]) => task.startsWith(prefix));
  return kind?.[1] ?? 'Other';
}

const categories: readonly (readonly [prefix: string, category: string])[] = [
  ['pick_and_place_simple', 'Pick'],
  ['look_at_obj_in_light', 'Look'],
  ['pick_clean_then_place_in_recep', 'Clean'],
  ['pick_heat_then_place_in_recep', 'Heat'],
  ['pick_cool_then_place_in_recep', 'Cool'],
  ['pick_two_obj_and_place', 'Pick2'],
];

/** Tells collections of games apart by their names and how much there is to read. */
function fingerprint(games: readonly GameText[]): string {
  let value = 0;
  for (const game of games) {
    const text = `${gameName(game)} ${game.problem.length}`;
    for (let i = 0; i < text.length; i++) value = (Math.imul(value, 31) + text.charCodeAt(i)) | 0;
  }
  return `${games.length}-${(value >>> 0).toString(36)}`;
}
