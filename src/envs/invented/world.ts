/** What an invented world is: tools, a story, a first observation, what calls do, and what an expert calls next. */
import type { Random } from '../../core/random/random.ts';
import type { Call, Tool } from './calls.ts';
import { pickSyntax, type Syntax } from './calls.ts';
import { pickLayout, type Layout, type Table } from './layout.ts';
import { Lexicon, type Side } from './lexicon.ts';

export interface World {
  readonly tools: readonly Tool[];
  /** What the world is about and what counts, as the rules of the prompt say it. */
  readonly story: string;
  /** The first observation. */
  readonly opening: string;
  answer(call: Call): Answer;
  /** The expert's next call, from the present state. */
  next(): Call | null;
}

export interface Answer {
  readonly text: string;
  /** Set when the play is over: was it solved? */
  readonly solved?: boolean;
}

export type Kind = (sketch: Sketch) => World;

/** What a world is drawn with: random numbers, words of its side, a layout and a syntax of its own, and how hard it may be. */
export class Sketch {
  readonly words: Lexicon;
  readonly syntax: Syntax;
  private readonly layout: Layout;

  constructor(
    readonly random: Random,
    readonly side: Side,
    /** From 0 to 1. */
    readonly level: number,
  ) {
    this.words = new Lexicon(random.split('words'), side);
    this.layout = pickLayout(random, side, level);
    this.syntax = pickSyntax(random, side, level);
  }

  /** A number that grows with the level, drawn between the smallest and what the level allows. */
  size(from: number, to: number, since = 0): number {
    const share = Math.max(0, (this.level - since) / (1 - since));
    const most = Math.floor(from + (to - from) * share + this.random.float() * 0.999);
    return this.random.float() < 0.5 ? Math.min(most, to) : this.random.between(from, Math.min(most, to));
  }

  chance(share: number): boolean {
    return this.random.float() < share;
  }

  /** One of several ways to say something. */
  say(...ways: readonly string[]): string {
    return this.random.pick(ways);
  }

  write(table: Table): string {
    return this.layout(table);
  }

  /** A tool named by one of these verbs, or in some worlds by a word that means nothing: then only the prompt tells what it does. */
  tool(
    id: string,
    verbs: readonly string[],
    about: string,
    parameters: readonly string[] = [],
    joins: readonly string[] = [],
  ): Tool {
    const verb = this.chance(0.15) ? this.words.made() : this.words.frame(verbs);
    return { id, verb, parameters: parameters.map((name) => name.replace(/\W/g, '_')), joins, about };
  }

  /** Any number of distinct elements, in random order. */
  some<T>(items: readonly T[], count: number): T[] {
    return this.random.shuffle(items).slice(0, count);
  }

  /** Values of a column: few different ones, so that they do not tell rows apart. */
  column(count: number, different = Math.max(2, Math.ceil(count / 2))): string[] {
    const values = this.words.names(different);
    return Array.from({ length: count }, () => this.random.pick(values));
  }
}

/** A word for a column. */
export const columnWords: readonly string[] =
  'place room shelf box owner colour size price weight code type status date city country phone address floor number team level unit brand material shape hour day road door tank slot bin zone'.split(
    ' ',
  );
