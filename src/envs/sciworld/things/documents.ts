/** What can be read: paper, recipes and books. */
import { Material } from '../substances/material.ts';
import type { BookRow } from './books.ts';
import { BOOKS } from './books.ts';
import { noVessel } from './properties.ts';
import { Thing } from './thing.ts';
import type { World } from './thing.ts';

export abstract class Document extends Thing {
  protected heading = '';

  constructor(world: World, kind: string, name: string) {
    super(world, kind, name);
    this.material = new Material('paper');
    this.vessel = noVessel();
  }

  abstract read(): string;

  override referents(): readonly string[] {
    const called = ` called ${this.heading}`;
    return [this.name, this.heading, this.name + called, this.title(), this.title() + called];
  }

  override describe(_detailed: boolean): string {
    return `A ${this.title()} titled ${this.heading}`;
  }
}

const BLANK = 'The paper does not have any text on it.';

/** Paper without text, white or painted. */
export class Paper extends Document {
  private readonly painted: boolean;

  constructor(world: World, color?: string) {
    super(world, color === undefined ? 'Paper' : 'ColoredPaper', color === undefined ? 'paper' : `${color} paper`);
    this.painted = color !== undefined;
  }

  override read(): string {
    return BLANK;
  }

  override describe(_detailed: boolean): string {
    return `A ${this.painted ? '' : 'blank '}${this.title()}`;
  }
}

export class Recipe extends Document {
  private readonly text: string;

  constructor(world: World, product: string, ingredients: readonly string[]) {
    super(world, 'Recipe', 'recipe');
    this.heading = `instructions to make ${product}`;
    this.text = `To make ${product}, you need to mix ${ingredients.join(', ')}.`;
  }

  override read(): string {
    return `The recipe reads:\n${this.text}`;
  }
}

class Book extends Document {
  private readonly row: BookRow;

  constructor(world: World, row: BookRow) {
    super(world, row.kind, `book (${row.title})`);
    this.heading = row.title;
    this.row = row;
  }

  override read(): string {
    return `The book reads:\n${this.heading} by ${this.row.author}\n${this.row.text}`;
  }

  override referents(): readonly string[] {
    const { title, author } = this.row;
    return [
      ...['book', title, `book by ${author}`, `${title} book`, this.name],
      ...[this.title(), `${this.title()} by ${author}`, `${this.title()} called ${title}`],
    ];
  }

  override describe(_detailed: boolean): string {
    return `A ${this.title()} titled ${this.heading} by ${this.row.author}`;
  }
}

export function book(world: World, kind: string): Book {
  const row = BOOKS.find((candidate) => candidate.kind === kind);
  if (row === undefined) throw new RangeError(`no book of kind ${kind}`);
  return new Book(world, row);
}

/** Draws until the number names a book: the draw has ten sides, the shelf six books. */
export function randomBook(world: World): Book {
  for (;;) {
    const row = BOOKS[world.random.nextInt(10)];
    if (row !== undefined) return new Book(world, row);
  }
}
