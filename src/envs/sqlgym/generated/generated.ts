/**
 * The questions that SQLGym brings: templates on twelve databases, the same for the same seed. Training never sees the held-out
 * databases nor the held-out templates; `test` asks about both, `easy` and `easy_test` only what one table answers. `invented` and
 * `invented_test` ask the same kinds of questions, each about a database of its own.
 */
import { itemNeedsFiles } from '../../unknown.ts';
import { Random } from '../../../core/random/random.ts';
import type { Question, Questions } from '../questions.ts';
import { describeSchema } from '../schema.ts';
import { databases, heldOut } from './databases.ts';
import { INVENTED, INVENTED_TEST, invent, type Invented } from './invented.ts';
import { templates, type Made, type Template } from './templates.ts';
import { contentOf, makeWorld, schemaOf, type World } from './world.ts';

export interface GeneratedOptions {
  readonly seed: number;
  /** How many tables a description shows: those that the question needs and some others. All where it is not given. */
  readonly tables?: number | undefined;
}

/** Questions that a template makes for a database, at most. */
const TRAIN_EACH = 16;
const TEST_EACH = 3;
const TRIES = 2;
/** Items of databases that are invented for one question have numbers from here. */
const FIRST_INVENTED = 100_000;

export function generateQuestions({ seed, tables }: GeneratedOptions): Questions {
  const worlds = Object.entries(databases).map(([name, text]) => makeWorld(name, text, seed));
  const asked: Invented[] = [];
  const numbers = new Map<string, number[]>(['train', 'test', 'easy', 'easy_test', 'all'].map((split) => [split, []]));
  const put = (split: string): void => void numbers.get(split)?.push(asked.length - 1);
  for (const world of worlds) {
    for (const template of templates) {
      const unseen = heldOut.includes(world.name) || template.heldOut === true;
      for (const made of instances(world, template, seed, unseen ? TEST_EACH : TRAIN_EACH)) {
        asked.push({ ...made, world, template });
        const easy = template.category === 'one table';
        put('all');
        put(unseen ? 'test' : 'train');
        if (easy) put(unseen ? 'easy_test' : 'easy');
      }
    }
  }
  numbers.set('invented', range(FIRST_INVENTED, INVENTED));
  numbers.set('invented_test', range(FIRST_INVENTED + INVENTED, INVENTED_TEST));
  const find = (item: number): Invented | undefined => {
    const number = item - FIRST_INVENTED;
    if (number < 0) return asked[item];
    if (number < INVENTED) return invent(seed, 'train', number);
    return number < INVENTED + INVENTED_TEST ? invent(seed, 'test', number - INVENTED) : undefined;
  };
  return {
    source: `generated-v1-seed${seed}${tables === undefined ? '' : `-tables${tables}`}`,
    splits: numbers,
    question(item): Question {
      const one = find(item);
      if (!one) throw itemNeedsFiles('sqlgym', item, asked.length, 'bird', "BIRD's folder as it is unpacked");
      const { world, template } = one;
      const schema = schemaOf(world, shown(one, tables, seed, item));
      return {
        database: { key: `generated-${seed}-${item < FIRST_INVENTED ? world.name : item}`, content: () => contentOf(world) },
        schema,
        description: describeSchema(schema, { slips: false }),
        text: one.text,
        sql: one.sql,
        category: template.category,
      };
    },
  };
}

function range(first: number, size: number): number[] {
  return Array.from({ length: size }, (_, i) => first + i);
}

/** Different questions of one template on one database. */
function instances(world: World, template: Template, seed: number, most: number): Made[] {
  const made = new Map<string, Made>();
  for (let n = 0; n < most * TRIES && made.size < most; n++) {
    const one = template.make(world, Random.of(seed, 'question', world.name, template.name, n));
    if (one) made.set(one.text, one);
  }
  return [...made.values()];
}

/** The tables that a question needs, and others up to the number that is to be shown. */
function shown(
  { world, tables: needed }: Invented,
  count: number | undefined,
  seed: number,
  item: number,
): Set<string> | undefined {
  if (count === undefined) return undefined;
  const others = world.tables.map(({ name }) => name).filter((name) => !needed.includes(name));
  const random = Random.of(seed, 'shown', item);
  return new Set([...needed, ...random.shuffle(others).slice(0, Math.max(0, count - needed.length))]);
}
