/**
 * The questions that SQLGym brings: templates on twelve databases, the same for the same seed. Training never sees the held-out
 * databases nor the held-out templates; `test` asks about both, `easy` and `easy_test` only what one table answers.
 */
import { AgogeError } from '../../../core/error.ts';
import { Random } from '../../../core/random/random.ts';
import type { Question, Questions } from '../questions.ts';
import { describeSchema } from '../schema.ts';
import { databases, heldOut } from './databases.ts';
import { templates, type Made, type Template } from './templates.ts';
import { contentOf, makeWorld, schemaOf, type World } from './world.ts';

export interface GeneratedOptions {
  readonly seed: number;
  /** How many tables a description shows: those that the question needs and some others. All where it is not given. */
  readonly tables?: number | undefined;
}

interface Asked extends Made {
  readonly world: World;
  readonly template: Template;
}

/** Questions that a template makes for a database, at most. */
const TRAIN_EACH = 16;
const TEST_EACH = 3;
const TRIES = 2;

export function generateQuestions({ seed, tables }: GeneratedOptions): Questions {
  const worlds = Object.entries(databases).map(([name, text]) => makeWorld(name, text, seed));
  const asked: Asked[] = [];
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
  const key = (name: string): string => `generated-${seed}-${name}`;
  return {
    source: `generated-v1-seed${seed}${tables === undefined ? '' : `-tables${tables}`}`,
    splits: numbers,
    question(item): Question {
      const one = asked[item];
      if (!one)
        throw new AgogeError('ENV_UNKNOWN_TASK', `sqlgym has items 0 to ${asked.length - 1}, not ${item}: pick one of them`);
      const { world, template } = one;
      const schema = schemaOf(world, shown(one, tables, seed, item));
      return {
        database: { key: key(world.name), content: () => contentOf(world) },
        schema,
        description: describeSchema(schema, { slips: false }),
        text: one.text,
        sql: one.sql,
        category: template.category,
      };
    },
  };
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
function shown({ world, tables: needed }: Asked, count: number | undefined, seed: number, item: number): Set<string> | undefined {
  if (count === undefined) return undefined;
  const others = world.tables.map(({ name }) => name).filter((name) => !needed.includes(name));
  const random = Random.of(seed, 'shown', item);
  return new Set([...needed, ...random.shuffle(others).slice(0, Math.max(0, count - needed.length))]);
}
