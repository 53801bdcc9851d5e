/**
 * Attention over packed rows as stacks of small dense problems. A tile is up to 128 query rows and the key rows they see (the
 * shared prefixes of its segments and the segments themselves), with a mask for what each row may not see. Tiles of similar size
 * form a group, padded to the largest of the group; few groups keep the graph small.
 */
import { at } from '../../../core/at.ts';
import type { ModelConfig } from '../network/config.ts';
import type { Pack, RowRange } from './packing.ts';

/** One stack of tiles, as the block graphs take it. Index arrays address head rows: row · heads + head. */
export interface TileGroup {
  readonly tiles: number;
  readonly queries: number;
  readonly keys: number;
  /** Masks: one for all tiles when they look alike, else one per tile. */
  readonly masks: number;
  readonly queryIndex: Int32Array;
  readonly keyIndex: Int32Array;
  readonly valueIndex: Int32Array;
  /** Like queryIndex, into rows of results with a zero row at the end for padding. */
  readonly resultIndex: Int32Array;
  readonly mask: Float32Array;
  /** Row of each key of each tile, -1 for padding. */
  readonly keyRows: Int32Array;
  /** Row of each query of each tile, -1 for padding. */
  readonly queryRows: Int32Array;
}

export interface Tiling {
  readonly groups: readonly TileGroup[];
  /** Where each head of each row lies in the stacked results of all groups. */
  readonly rowIndex: Int32Array;
}

/** Query rows of a segment, part of a tile: they see their path up to their place, or the last `window` rows of that. */
interface Piece extends RowRange {
  /** The rows of the sequence from its beginning. */
  readonly path: readonly RowRange[];
  /** Place of the first query row on the path. */
  readonly position: number;
}

export interface Tile {
  readonly pieces: Piece[];
  count: number;
  /** Union of all key rows, ascending and disjoint. */
  keys: RowRange[];
  keyCount: number;
}

const mostGroups = 6;
/** What hides a key from a query, added to their score. */
export const hidden = -1e9;

/** How tiles are cut. */
export interface TileShape {
  /** Query rows of a tile, at most. */
  readonly rows: number;
  /** What a further group or tile costs, in score entries (query × key). */
  readonly groupCost: number;
  readonly tileCost: number;
  /** Whether masks are made here; else they stay empty. */
  readonly masks: boolean;
}

const hostTiles: TileShape = { rows: 128, groupCost: 32768, tileCost: 2048, masks: true };
/** A card starts a call as fast as it computes a million scores, and makes masks itself from rows. */
export const deviceTiles: TileShape = { rows: 256, groupCost: 1 << 20, tileCost: 8192, masks: false };

/** `window`: how many rows of its sequence a row sees, itself included. */
export function tile(pack: Pack, config: ModelConfig, window = Infinity, shape: TileShape = hostTiles): Tiling {
  const groups = tileGroups(pack, window, shape);
  const rowIndex = new Int32Array(pack.rows * config.heads);
  let base = 0;
  return {
    groups: groups.map((members) => {
      const built = buildGroup(members, { rows: pack.rows, config, window, rowIndex, base, masked: shape.masks });
      base += built.tiles * config.heads * built.queries;
      return built;
    }),
    rowIndex,
  };
}

/** Tiles in groups of similar size. */
export function tileGroups(pack: Pack, window: number, shape: TileShape): Tile[][] {
  return group(cut(pack, window, shape), shape);
}

function cut(pack: Pack, window: number, { rows: tileRows, tileCost }: TileShape): Tile[] {
  const tiles: Tile[] = [];
  let open: Tile | undefined;
  for (const segment of pack.segments) {
    const parts = Math.ceil(segment.count / tileRows);
    const path = [...segment.context, { first: segment.first, count: segment.count }];
    const before = total(segment.context);
    for (let part = 0; part < parts; part++) {
      const start = Math.floor((segment.count * part) / parts);
      const end = Math.floor((segment.count * (part + 1)) / parts);
      const position = before + start;
      const piece = { first: segment.first + start, count: end - start, path, position };
      const keys = union(rowsBetween(path, position - window + 1, before + end));
      const keyCount = total(keys);
      const merged = open && open.count + piece.count <= tileRows ? union([...open.keys, ...keys]) : undefined;
      if (open && merged) {
        const mergedCount = total(merged);
        const together = (open.count + piece.count) * mergedCount;
        if (together <= open.count * open.keyCount + piece.count * keyCount + tileCost) {
          open.pieces.push(piece);
          open.count += piece.count;
          open.keys = merged;
          open.keyCount = mergedCount;
          continue;
        }
      }
      open = { pieces: [piece], count: piece.count, keys, keyCount };
      tiles.push(open);
    }
  }
  return tiles;
}

/** Splits the tiles, sorted by keys, into at most `mostGroups` runs with the least padded work (dynamic programming). */
function group(tiles: readonly Tile[], { groupCost }: TileShape): Tile[][] {
  const sorted = [...tiles].sort((a, b) => a.keyCount - b.keyCount || a.count - b.count);
  // Runs of equal or nearly equal size are one unit, so that the search stays small.
  const largest = sorted.at(-1)?.keyCount ?? 1;
  const step = Math.max(1, Math.ceil(largest / 64));
  const units: Tile[][] = [];
  for (const next of sorted) {
    const unit = units.at(-1);
    if (unit?.[0] && Math.ceil(unit[0].keyCount / step) === Math.ceil(next.keyCount / step)) unit.push(next);
    else units.push([next]);
  }
  const costOf = (from: number, to: number): number => {
    let [count, queries, keys] = [0, 0, 0];
    for (let i = from; i < to; i++) {
      for (const member of units[i] ?? []) {
        count++;
        queries = Math.max(queries, member.count);
        keys = Math.max(keys, member.keyCount);
      }
    }
    return count * queries * keys + groupCost;
  };
  // best[g][i]: least cost of the first i units in g groups; from[g][i]: where the last group starts.
  const best = [Array.from({ length: units.length + 1 }, (_, i) => (i === 0 ? 0 : Infinity))];
  const from: number[][] = [[]];
  for (let groups = 1; groups <= Math.min(mostGroups, units.length); groups++) {
    const row = new Array<number>(units.length + 1).fill(Infinity);
    const starts = new Array<number>(units.length + 1).fill(0);
    for (let end = 1; end <= units.length; end++) {
      for (let start = groups - 1; start < end; start++) {
        const cost = (best[groups - 1]?.[start] ?? Infinity) + costOf(start, end);
        if (cost < (row[end] ?? Infinity)) {
          row[end] = cost;
          starts[end] = start;
        }
      }
    }
    best.push(row);
    from.push(starts);
  }
  let chosen = 1;
  for (let groups = 2; groups < best.length; groups++) {
    if ((best[groups]?.[units.length] ?? Infinity) < (best[chosen]?.[units.length] ?? Infinity)) chosen = groups;
  }
  const result: Tile[][] = [];
  for (let end = units.length; chosen > 0; chosen--) {
    const start = at(at(from, chosen), end);
    result.unshift(units.slice(start, end).flat());
    end = start;
  }
  return result;
}

interface GroupPlace {
  readonly rows: number;
  readonly config: ModelConfig;
  readonly window: number;
  readonly rowIndex: Int32Array;
  /** Where the results of this group begin. */
  readonly base: number;
  readonly masked: boolean;
}

function buildGroup(members: readonly Tile[], { rows, config, window, rowIndex, base, masked }: GroupPlace): TileGroup {
  const { heads, keyValueHeads } = config;
  const shared = heads / keyValueHeads;
  const tableHeads = heads + keyValueHeads;
  const tiles = members.length;
  const queries = Math.max(...members.map((member) => member.count));
  const keys = Math.max(...members.map((member) => member.keyCount));
  const alike = members.every((member) => isPlain(member) && member.count === queries && member.keyCount === keys);
  const masks = alike ? 1 : tiles;
  const queryIndex = new Int32Array(tiles * heads * queries);
  const resultIndex = new Int32Array(tiles * heads * queries).fill(rows * heads);
  const keyIndex = new Int32Array(tiles * keyValueHeads * keys);
  const valueIndex = new Int32Array(tiles * keyValueHeads * keys);
  const mask = new Float32Array(masked ? masks * queries * keys : 0);
  const queryRows = new Int32Array(tiles * queries).fill(-1);
  const keyRows = new Int32Array(tiles * keys).fill(-1);
  members.forEach((member, t) => {
    let key = t * keys;
    for (const { first, count } of member.keys) for (let i = 0; i < count; i++) keyRows[key++] = first + i;
    for (let head = 0; head < keyValueHeads; head++) {
      for (let k = 0; k < keys; k++) {
        const row = Math.max(at(keyRows, t * keys + k), 0);
        const cell = (t * keyValueHeads + head) * keys + k;
        keyIndex[cell] = row * tableHeads + heads + head;
        valueIndex[cell] = row * keyValueHeads + head;
      }
    }
    let query = 0;
    for (const piece of member.pieces) {
      for (let i = 0; i < piece.count; i++, query++) {
        const row = piece.first + i;
        queryRows[t * queries + query] = row;
        for (let head = 0; head < heads; head++) {
          const cell = ((t * keyValueHeads + Math.floor(head / shared)) * shared + (head % shared)) * queries + query;
          queryIndex[cell] = row * tableHeads + head;
          resultIndex[cell] = row * heads + head;
          rowIndex[row * heads + head] = base + cell;
        }
      }
    }
    if (masked && t < masks) fillMask(mask.subarray(t * queries * keys, (t + 1) * queries * keys), member, keys, window);
  });
  return { tiles, queries, keys, masks, queryIndex, keyIndex, valueIndex, resultIndex, mask, keyRows, queryRows };
}

/** One piece whose keys are a run without gaps: its mask depends on its size only. */
function isPlain(member: Tile): boolean {
  return member.pieces.length === 1;
}

/** Rows of padding see everything (their results are never read); the rest see their path, or a window of it. */
function fillMask(mask: Float32Array, member: Tile, keys: number, window: number): void {
  let query = 0;
  for (const { path, position, count } of member.pieces) {
    for (let i = position; i < position + count; i++, query++) {
      const line = mask.subarray(query * keys, (query + 1) * keys).fill(hidden);
      for (const range of rowsBetween(path, i - window + 1, i + 1)) show(line, member.keys, range);
    }
  }
}

/** The rows at places [from, to) of a path. */
function rowsBetween(path: readonly RowRange[], from: number, to: number): RowRange[] {
  const result: RowRange[] = [];
  let offset = 0;
  for (const { first, count } of path) {
    const start = Math.max(from - offset, 0);
    const end = Math.min(to - offset, count);
    if (start < end) result.push({ first: first + start, count: end - start });
    offset += count;
  }
  return result;
}

function show(line: Float32Array, keys: readonly RowRange[], { first, count }: RowRange): void {
  let offset = 0;
  for (const range of keys) {
    const start = Math.max(first, range.first);
    const end = Math.min(first + count, range.first + range.count);
    if (start < end) line.fill(0, offset + start - range.first, offset + end - range.first);
    offset += range.count;
  }
}

function union(ranges: readonly RowRange[]): RowRange[] {
  const sorted = [...ranges].sort((a, b) => a.first - b.first);
  const result: RowRange[] = [];
  for (const { first, count } of sorted) {
    const last = result.at(-1);
    if (last && first <= last.first + last.count) {
      const end = Math.max(last.first + last.count, first + count);
      result[result.length - 1] = { first: last.first, count: end - last.first };
    } else result.push({ first, count });
  }
  return result;
}

function total(ranges: readonly RowRange[]): number {
  return ranges.reduce((sum, { count }) => sum + count, 0);
}
