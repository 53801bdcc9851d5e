/**
 * A navigable graph over vectors (Malkov and Yashunin 2016): from a few far links down to many near ones, so that the nearest of
 * millions are found by looking at some thousands. Approximate; levels come from a seed, so that the same rows give the same graph.
 * Left out: deleting, and pruning by extended candidates.
 */
import { Random } from '../../core/random/random.ts';
import type { Near, Vectors } from './vectors.ts';

/** Links of a row on the upper levels; twice as many on the lowest. */
const LINKS = 16;
const BUILD_WIDTH = 100;
const SEARCH_WIDTH = 96;

export interface HnswData {
  /** Of each row on the lowest level: up to 2 × LINKS rows, -1 where there are fewer. */
  readonly near: Int32Array;
  /** Rows of the upper levels: row, level, and LINKS rows for each level from 1 up, one entry after the other. */
  readonly far: Int32Array;
  readonly entry: number;
}

export class Hnsw {
  private near: Int32Array;
  /** Links of a row on the levels from 1 up. */
  private readonly far = new Map<number, Int32Array[]>();
  private entry = -1;
  private readonly seen: Uint32Array;
  private round = 0;

  private constructor(private readonly vectors: Vectors) {
    this.near = new Int32Array(0);
    this.seen = new Uint32Array(vectors.size);
  }

  static build(vectors: Vectors, seed: number, told?: (done: number) => void): Hnsw {
    const graph = new Hnsw(vectors);
    graph.near = new Int32Array(vectors.size * 2 * LINKS).fill(-1);
    const random = Random.of(seed, 'hnsw');
    for (let row = 0; row < vectors.size; row++) {
      graph.insert(row, Math.floor(-Math.log(1 - random.float()) / Math.log(LINKS)));
      if (row % 1024 === 0) told?.(row);
    }
    return graph;
  }

  static of(vectors: Vectors, { near, far, entry }: HnswData): Hnsw {
    const graph = new Hnsw(vectors);
    graph.near = near;
    graph.entry = entry;
    for (let at = 0; at < far.length;) {
      const [row = 0, level = 0] = far.subarray(at, at + 2);
      const levels = Array.from({ length: level }, (_, i) => far.slice(at + 2 + i * LINKS, at + 2 + (i + 1) * LINKS));
      graph.far.set(row, levels);
      at += 2 + level * LINKS;
    }
    return graph;
  }

  get data(): HnswData {
    const far = [...this.far].flatMap(([row, levels]) => [row, levels.length, ...levels.flatMap((links) => [...links])]);
    return { near: this.near, far: Int32Array.from(far), entry: this.entry };
  }

  nearest(query: Float32Array, limit: number): Near[] {
    if (this.entry < 0) return [];
    const start = this.descend(query, this.levelOf(this.entry), 0);
    return this.explore(query, start, Math.max(SEARCH_WIDTH, 2 * limit), 0).slice(0, limit);
  }

  private levelOf(row: number): number {
    return this.far.get(row)?.length ?? 0;
  }

  private links(row: number, level: number): Int32Array {
    if (level === 0) return this.near.subarray(row * 2 * LINKS, (row + 1) * 2 * LINKS);
    return this.far.get(row)?.[level - 1] ?? new Int32Array(0);
  }

  private insert(row: number, level: number): void {
    if (level > 0)
      this.far.set(
        row,
        Array.from({ length: level }, () => new Int32Array(LINKS).fill(-1)),
      );
    if (this.entry < 0) {
      this.entry = row;
      return;
    }
    const query = this.vectors.row(row);
    const top = this.levelOf(this.entry);
    let start = this.descend(query, top, level);
    for (let l = Math.min(level, top); l >= 0; l--) {
      const found = this.explore(query, start, BUILD_WIDTH, l);
      this.links(row, l).set(this.chosen(found, LINKS).map((one) => one.row));
      for (const { row: other } of found.slice(0, LINKS)) if (this.links(row, l).includes(other)) this.connect(other, row, l);
      start = found[0]?.row ?? start;
    }
    if (level > top) this.entry = row;
  }

  /** Walks towards the query on each level above `until`. */
  private descend(query: Float32Array, from: number, until: number): number {
    let here = this.entry;
    let score = this.vectors.score(here, query);
    for (let level = from; level > until; level--) {
      for (let moved = true; moved;) {
        moved = false;
        for (const other of this.links(here, level)) {
          if (other < 0) break;
          const near = this.vectors.score(other, query);
          if (near <= score) continue;
          here = other;
          score = near;
          moved = true;
        }
      }
    }
    return here;
  }

  /** The nearest that are found from a start with a list of this width, nearest first. */
  private explore(query: Float32Array, start: number, width: number, level: number): Near[] {
    this.round++;
    const first: Near = { row: start, score: this.vectors.score(start, query) };
    this.seen[start] = this.round;
    const best: Near[] = [first];
    const open: Near[] = [first];
    for (let here = open.shift(); here; here = open.shift()) {
      if (best.length >= width && here.score < (best.at(-1)?.score ?? -Infinity)) break;
      for (const other of this.links(here.row, level)) {
        if (other < 0) break;
        if (this.seen[other] === this.round) continue;
        this.seen[other] = this.round;
        const near: Near = { row: other, score: this.vectors.score(other, query) };
        if (best.length >= width && near.score <= (best.at(-1)?.score ?? -Infinity)) continue;
        put(best, near);
        put(open, near);
        if (best.length > width) best.pop();
      }
    }
    return best;
  }

  /** Neighbours in different directions: one that is nearer to a chosen one than to the row itself is left out at first. */
  private chosen(found: readonly Near[], count: number): Near[] {
    const kept: Near[] = [];
    const left: Near[] = [];
    for (const one of found) {
      if (kept.length >= count) break;
      const row = this.vectors.row(one.row);
      if (kept.every((other) => this.vectors.score(other.row, row) < one.score)) kept.push(one);
      else left.push(one);
    }
    return [...kept, ...left.slice(0, count - kept.length)];
  }

  private connect(row: number, other: number, level: number): void {
    const links = this.links(row, level);
    const free = links.indexOf(-1);
    if (free >= 0) {
      links[free] = other;
      return;
    }
    const own = this.vectors.row(row);
    const all = [...links, other].map((one) => ({ row: one, score: this.vectors.score(one, own) }));
    all.sort((a, b) => b.score - a.score);
    links.set(this.chosen(all, links.length).map((one) => one.row));
  }
}

/** Into a list that falls by score. */
function put(list: Near[], one: Near): void {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as Near).score >= one.score) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, one);
}
