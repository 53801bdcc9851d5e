/**
 * Questions with their SQL, made for any database of ours: each template picks tables, columns and values that fit it and gives up
 * where there are none. Values come from the rows, so that no gold result is empty. `tables`: those that the query needs.
 */
import type { Random } from '../../../core/random/random.ts';
import {
  a,
  at,
  bind,
  countsOf,
  join,
  middle,
  pair,
  pointedTo,
  quoted,
  said,
  some,
  values,
  type Bound,
  type Joined,
  type Kind,
} from './binding.ts';
import type { World } from './world.ts';

export type Category = 'one table' | 'join' | 'grouping' | 'nesting' | 'dates';

export interface Made {
  readonly text: string;
  readonly sql: string;
  readonly tables: readonly string[];
}

export interface Template {
  readonly name: string;
  readonly category: Category;
  /** Never asked in training. */
  readonly heldOut?: boolean;
  make(world: World, random: Random): Made | undefined;
}

const extremes = [
  ['highest', 'MAX'],
  ['lowest', 'MIN'],
] as const;

function one(
  name: string,
  category: Category,
  kinds: readonly Kind[],
  write: (bound: Bound, random: Random) => Omit<Made, 'tables'> | undefined,
  heldOut = false,
): Template {
  return {
    name,
    category,
    heldOut,
    make(world, random) {
      const bound = bind(world, random, ...kinds);
      const made = bound && write(bound, random);
      return made && { ...made, tables: [bound.table.name] };
    },
  };
}

function two(
  name: string,
  category: Category,
  kinds: readonly [readonly Kind[], readonly Kind[]],
  write: (joined: Joined, random: Random) => Omit<Made, 'tables'> | undefined,
  heldOut = false,
): Template {
  return {
    name,
    category,
    heldOut,
    make(world, random) {
      const joined = join(world, random, ...kinds);
      const made = joined && write(joined, random);
      return made && { ...made, tables: [joined.child.table.name, joined.parent.table.name] };
    },
  };
}

export const templates: readonly Template[] = [
  one('count', 'one table', [], ({ table }) => ({
    text: `How many ${table.plural} are there?`,
    sql: `SELECT COUNT(*) FROM ${table.name}`,
  })),
  one('list', 'one table', ['name'], (bound) => ({
    text: `List the ${said(at(bound, 0))} of all ${bound.table.plural}.`,
    sql: `SELECT ${at(bound, 0).name} FROM ${bound.table.name}`,
  })),
  ...(['number', 'category', 'date'] as const).map((kind) =>
    one(`lookup ${kind}`, 'one table', ['name', kind], (bound, random) => {
      const [label, value] = [at(bound, 0), at(bound, 1)];
      const given = quoted(some(random, bound.table, label));
      return {
        text: `What is the ${said(value)} of the ${said(bound.table)} whose ${said(label)} is ${given}?`,
        sql: `SELECT ${value.name} FROM ${bound.table.name} WHERE ${label.name} = ${given}`,
      };
    }),
  ),
  one('count category', 'one table', ['category'], (bound, random) => {
    const given = quoted(some(random, bound.table, at(bound, 0)));
    return {
      text: `How many ${bound.table.plural} have the ${said(at(bound, 0))} ${given}?`,
      sql: `SELECT COUNT(*) FROM ${bound.table.name} WHERE ${at(bound, 0).name} = ${given}`,
    };
  }),
  one('list category', 'one table', ['name', 'category'], (bound, random) => {
    const given = quoted(some(random, bound.table, at(bound, 1)));
    return {
      text: `List the ${said(at(bound, 0))} of ${bound.table.plural} whose ${said(at(bound, 1))} is ${given}.`,
      sql: `SELECT ${at(bound, 0).name} FROM ${bound.table.name} WHERE ${at(bound, 1).name} = ${given}`,
    };
  }),
  ...(
    [
      ['above', '>', false],
      ['below', '<', true],
    ] as const
  ).map(([word, sign, heldOut]) =>
    one(
      `list ${word}`,
      'one table',
      ['name', 'number'],
      (bound, random) => {
        const given = quoted(middle(random, bound.table, at(bound, 1)));
        return {
          text: `List the ${said(at(bound, 0))} of ${bound.table.plural} with ${a(said(at(bound, 1)))} ${word} ${given}.`,
          sql: `SELECT ${at(bound, 0).name} FROM ${bound.table.name} WHERE ${at(bound, 1).name} ${sign} ${given}`,
        };
      },
      heldOut,
    ),
  ),
  one('extreme', 'one table', ['number'], (bound, random) => {
    const [word, call] = random.pick(extremes);
    return {
      text: `What is the ${word} ${said(at(bound, 0))} of all ${bound.table.plural}?`,
      sql: `SELECT ${call}(${at(bound, 0).name}) FROM ${bound.table.name}`,
    };
  }),
  one('average', 'one table', ['number'], (bound) => ({
    text: `What is the average ${said(at(bound, 0))} of all ${bound.table.plural}?`,
    sql: `SELECT AVG(${at(bound, 0).name}) FROM ${bound.table.name}`,
  })),
  one(
    'sum',
    'one table',
    ['number'],
    (bound) => ({
      text: `What is the sum of the ${said(at(bound, 0))} of all ${bound.table.plural}?`,
      sql: `SELECT SUM(${at(bound, 0).name}) FROM ${bound.table.name}`,
    }),
    true,
  ),
  one('different', 'one table', ['category'], (bound) => ({
    text: `Which different values of ${said(at(bound, 0))} do ${bound.table.plural} have?`,
    sql: `SELECT DISTINCT ${at(bound, 0).name} FROM ${bound.table.name}`,
  })),
  one('two conditions', 'one table', ['category', 'number'], (bound, random) => {
    const [category, number] = pair(random, bound, 0, 1) ?? [];
    if (category === undefined || number === undefined) return undefined;
    return {
      text: `How many ${bound.table.plural} have the ${said(at(bound, 0))} ${quoted(category)} and ${a(said(at(bound, 1)))} of at least ${quoted(number)}?`,
      sql: `SELECT COUNT(*) FROM ${bound.table.name} WHERE ${at(bound, 0).name} = ${quoted(category)} AND ${at(bound, 1).name} >= ${quoted(number)}`,
    };
  }),
  one('unknown', 'one table', ['number'], (bound) => {
    const { table } = bound;
    if (values(table, at(bound, 0)).length === table.rows.length) return undefined;
    return {
      text: `For how many ${table.plural} is the ${said(at(bound, 0))} not known?`,
      sql: `SELECT COUNT(*) FROM ${table.name} WHERE ${at(bound, 0).name} IS NULL`,
    };
  }),

  ...(['number', 'category'] as const).map((kind) =>
    two(`join lookup ${kind}`, 'join', [['name'], [kind]], ({ child, parent, on }, random) => {
      const given = quoted(some(random, child.table, at(child, 0)));
      return {
        text: `What is the ${said(at(parent, 0))} of the ${said(parent.table)} of the ${said(child.table)} whose ${said(at(child, 0))} is ${given}?`,
        sql: `SELECT T2.${at(parent, 0).name} FROM ${on} WHERE T1.${at(child, 0).name} = ${given}`,
      };
    }),
  ),
  two('join list', 'join', [['name'], ['name']], ({ child, parent, on }, random) => {
    const given = pointedTo(random, child.table, parent.table, at(parent, 0));
    return {
      text: `List the ${said(at(child, 0))} of ${child.table.plural} whose ${said(parent.table)} has the ${said(at(parent, 0))} ${given}.`,
      sql: `SELECT T1.${at(child, 0).name} FROM ${on} WHERE T2.${at(parent, 0).name} = ${given}`,
    };
  }),
  two('join count', 'join', [[], ['category']], ({ child, parent, on }, random) => {
    const given = pointedTo(random, child.table, parent.table, at(parent, 0));
    return {
      text: `How many ${child.table.plural} have ${a(said(parent.table))} with the ${said(at(parent, 0))} ${given}?`,
      sql: `SELECT COUNT(*) FROM ${on} WHERE T2.${at(parent, 0).name} = ${given}`,
    };
  }),
  two(
    'join average',
    'join',
    [['number'], ['category']],
    ({ child, parent, on }, random) => {
      const given = pointedTo(random, child.table, parent.table, at(parent, 0));
      return {
        text: `What is the average ${said(at(child, 0))} of ${child.table.plural} whose ${said(parent.table)} has the ${said(at(parent, 0))} ${given}?`,
        sql: `SELECT AVG(T1.${at(child, 0).name}) FROM ${on} WHERE T2.${at(parent, 0).name} = ${given}`,
      };
    },
    true,
  ),

  one('group count', 'grouping', ['category'], (bound) => ({
    text: `For each ${said(at(bound, 0))}, how many ${bound.table.plural} are there?`,
    sql: `SELECT ${at(bound, 0).name}, COUNT(*) FROM ${bound.table.name} GROUP BY ${at(bound, 0).name}`,
  })),
  one('group average', 'grouping', ['category', 'number'], (bound) => ({
    text: `For each ${said(at(bound, 0))}, what is the average ${said(at(bound, 1))} of ${bound.table.plural}?`,
    sql: `SELECT ${at(bound, 0).name}, AVG(${at(bound, 1).name}) FROM ${bound.table.name} GROUP BY ${at(bound, 0).name}`,
  })),
  one(
    'group extreme',
    'grouping',
    ['category', 'number'],
    (bound, random) => {
      const [word, call] = random.pick(extremes);
      return {
        text: `For each ${said(at(bound, 0))}, what is the ${word} ${said(at(bound, 1))} of ${bound.table.plural}?`,
        sql: `SELECT ${at(bound, 0).name}, ${call}(${at(bound, 1).name}) FROM ${bound.table.name} GROUP BY ${at(bound, 0).name}`,
      };
    },
    true,
  ),
  one('having', 'grouping', ['category'], (bound, random) => {
    const counts = countsOf(values(bound.table, at(bound, 0)));
    const least = random.pick(counts) - 1;
    return {
      text: `Which values of ${said(at(bound, 0))} do more than ${least} ${bound.table.plural} have?`,
      sql: `SELECT ${at(bound, 0).name} FROM ${bound.table.name} GROUP BY ${at(bound, 0).name} HAVING COUNT(*) > ${least}`,
    };
  }),
  two('group by parent', 'grouping', [[], ['name']], ({ child, parent, on }) => ({
    text: `For each ${said(parent.table)} with any ${child.table.plural}, give its ${said(at(parent, 0))} and their number.`,
    sql: `SELECT T2.${at(parent, 0).name}, COUNT(*) FROM ${on} GROUP BY T2.id`,
  })),

  one('best', 'nesting', ['name', 'number'], (bound, random) => {
    const [word, call] = random.pick(extremes);
    const [label, number, table] = [at(bound, 0), at(bound, 1), bound.table];
    return {
      text: `What is the ${said(label)} of the ${said(table)} with the ${word} ${said(number)}?`,
      sql: `SELECT ${label.name} FROM ${table.name} WHERE ${number.name} = (SELECT ${call}(${number.name}) FROM ${table.name})`,
    };
  }),
  one('above average', 'nesting', ['name', 'number'], (bound) => {
    const [label, number, table] = [at(bound, 0), at(bound, 1), bound.table];
    return {
      text: `List the ${said(label)} of ${table.plural} with ${a(said(number))} above the average.`,
      sql: `SELECT ${label.name} FROM ${table.name} WHERE ${number.name} > (SELECT AVG(${number.name}) FROM ${table.name})`,
    };
  }),
  one(
    'above another',
    'nesting',
    ['name', 'number'],
    (bound, random) => {
      const [label, number, table] = [at(bound, 0), at(bound, 1), bound.table];
      const sorted = [...table.rows].sort(
        (a, b) => Number(a[table.columns.indexOf(number)] ?? 1e12) - Number(b[table.columns.indexOf(number)] ?? 1e12),
      );
      const given = quoted(sorted[random.below(Math.ceil(sorted.length / 2))]?.[table.columns.indexOf(label)] ?? null);
      return {
        text: `How many ${table.plural} have a higher ${said(number)} than the one whose ${said(label)} is ${given}?`,
        sql: `SELECT COUNT(*) FROM ${table.name} WHERE ${number.name} > (SELECT ${number.name} FROM ${table.name} WHERE ${label.name} = ${given})`,
      };
    },
    true,
  ),
  two('with', 'nesting', [['number'], ['name']], ({ child, parent, on }, random) => {
    const given = quoted(middle(random, child.table, at(child, 0)));
    const ref = /ON T1\.(\w+)/.exec(on)?.[1] ?? '';
    return {
      text: `List the ${said(at(parent, 0))} of ${parent.table.plural} that have ${a(said(child.table))} with ${a(said(at(child, 0)))} above ${given}.`,
      sql: `SELECT ${at(parent, 0).name} FROM ${parent.table.name} WHERE id IN (SELECT ${ref} FROM ${child.table.name} WHERE ${at(child, 0).name} > ${given})`,
    };
  }),

  one('in year', 'dates', ['date'], (bound, random) => {
    const year = String(some(random, bound.table, at(bound, 0))).slice(0, 4);
    return {
      text: `How many ${bound.table.plural} have their ${said(at(bound, 0))} in the year ${year}?`,
      sql: `SELECT COUNT(*) FROM ${bound.table.name} WHERE strftime('%Y', ${at(bound, 0).name}) = '${year}'`,
    };
  }),
  one('after', 'dates', ['name', 'date'], (bound, random) => {
    const given = quoted(middle(random, bound.table, at(bound, 1)));
    return {
      text: `List the ${said(at(bound, 0))} of ${bound.table.plural} whose ${said(at(bound, 1))} is after ${given}.`,
      sql: `SELECT ${at(bound, 0).name} FROM ${bound.table.name} WHERE ${at(bound, 1).name} > ${given}`,
    };
  }),
  one('latest', 'dates', ['date'], (bound, random) => {
    const [word, call] = random.pick([
      ['latest', 'MAX'],
      ['earliest', 'MIN'],
    ] as const);
    return {
      text: `What is the ${word} ${said(at(bound, 0))} of all ${bound.table.plural}?`,
      sql: `SELECT ${call}(${at(bound, 0).name}) FROM ${bound.table.name}`,
    };
  }),
  one(
    'by year',
    'dates',
    ['date'],
    (bound) => ({
      text: `For each year, how many ${bound.table.plural} have their ${said(at(bound, 0))} in it?`,
      sql: `SELECT strftime('%Y', ${at(bound, 0).name}), COUNT(*) FROM ${bound.table.name} GROUP BY strftime('%Y', ${at(bound, 0).name})`,
    }),
    true,
  ),
  two('join in year', 'dates', [['date'], ['category']], ({ child, parent, on }, random) => {
    const given = pointedTo(random, child.table, parent.table, at(parent, 0));
    const year = String(some(random, child.table, at(child, 0))).slice(0, 4);
    return {
      text: `How many ${child.table.plural} have their ${said(at(child, 0))} in the year ${year} and ${a(said(parent.table))} with the ${said(at(parent, 0))} ${given}?`,
      sql: `SELECT COUNT(*) FROM ${on} WHERE strftime('%Y', T1.${at(child, 0).name}) = '${year}' AND T2.${at(parent, 0).name} = ${given}`,
    };
  }),
];
