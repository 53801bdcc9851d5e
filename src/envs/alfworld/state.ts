/** The room for viewers, as compact JSON: what the player has seen, and nothing that it has not. */
import type { Game } from './world/game.ts';
import type { World } from './world/world.ts';

export interface AlfWorldState {
  readonly task: string;
  /** `mug 1`, or null. */
  readonly holding: string | null;
  /** Furniture within reach. */
  readonly here: readonly string[];
  /** All furniture, `cabinet 1` before `cabinet 2`. */
  readonly furniture: readonly string[];
  readonly known: Readonly<Record<string, KnownReceptacle>>;
}

/** `open` where it can be closed; `contents` where the player has looked. */
export interface KnownReceptacle {
  readonly open?: boolean;
  readonly contents?: readonly string[];
}

export function snapshot(world: World, visited: ReadonlySet<number>, seen: ReadonlySet<number>): AlfWorldState {
  const { game, held } = world;
  const name = (thing: number): string => game.names[thing] ?? '';
  const known = [...visited].map((receptacle): [string, KnownReceptacle] => [
    name(receptacle),
    {
      ...(world.isOpenable(receptacle) && { open: world.isOpen(receptacle) }),
      ...(seen.has(receptacle) && { contents: world.inside(receptacle).map(name) }),
    },
  ]);
  return {
    task: game.goalSentence,
    holding: held === undefined ? null : name(held),
    here: world.here.filter((receptacle) => visited.has(receptacle)).map(name),
    furniture: furnitureOf(game),
    known: Object.fromEntries(known),
  };
}

/** Of a game, whatever is done in it. */
const furniture = new WeakMap<Game, readonly string[]>();

function furnitureOf(game: Game): readonly string[] {
  const known =
    furniture.get(game) ??
    game.receptacles
      .map((thing) => game.names[thing] ?? '')
      .reverse()
      .sort(byKind);
  furniture.set(game, known);
  return known;
}

/** Is this a state of ours? For viewers that get JSON from anywhere. */
export function isAlfWorldState(state: unknown): state is AlfWorldState {
  if (typeof state !== 'object' || state === null) return false;
  const { task, here, furniture, known } = state as Partial<Record<keyof AlfWorldState, unknown>>;
  const texts = (list: unknown): boolean => Array.isArray(list) && list.every((one) => typeof one === 'string');
  const receptacles = typeof known === 'object' && known !== null ? Object.values(known) : [null];
  return (
    typeof task === 'string' &&
    texts(here) &&
    texts(furniture) &&
    receptacles.every((one: unknown) => {
      if (typeof one !== 'object' || one === null) return false;
      return !('contents' in one) || texts(one.contents);
    })
  );
}

function byKind(a: string, b: string): number {
  const [one, other] = [a, b].map((name) => name.replace(/ \d+$/, ''));
  return one === other ? 0 : (one ?? '') < (other ?? '') ? -1 : 1;
}
