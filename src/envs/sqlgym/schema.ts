/**
 * A database described in the sentences that BIRD's prompts use. With `slips` those of SQLGym's code are kept, since they are part
 * of the texts that policies were trained on: names of foreign-key columns are those of the next column, a composite primary key is
 * not named, and a table without a key "is the primary key" all the same.
 */

/** One database of `*_tables.json`. */
export interface Schema {
  readonly db_id: string;
  /** Names for people, not those in SQL. */
  readonly table_names: readonly string[];
  /** Table number and name; the first stands for `*`. */
  readonly column_names: readonly (readonly [number, string])[];
  /** Column numbers; a composite key is a list of them. */
  readonly primary_keys: readonly (number | readonly number[])[];
  readonly foreign_keys: readonly (readonly [number, number])[];
}

export function describeSchema(schema: Schema, { slips = true }: { readonly slips?: boolean } = {}): string {
  const { db_id, table_names, column_names, primary_keys, foreign_keys } = schema;
  const tables = table_names.map((name) => name.toLowerCase());
  const columns = column_names.slice(1).map(([table, name], i) => ({ table, name: name.toLowerCase(), number: i + 1 }));
  const sentences = [`${db_id} contains tables such as ${tables.join(', ')}.`];
  tables.forEach((table, number) => {
    const own = columns.filter((column) => column.table === number);
    const keys = own.filter((column) => primary_keys.includes(column.number));
    sentences.push(`Table ${table} has columns such as ${own.map(({ name }) => name).join(', ')}.`);
    sentences.push(`${keys.map(({ name }) => name).join(', ')} is the primary key.`);
  });
  // The list that is looked up there has no entry for `*` and begins again for every table, so that each number finds the next column.
  const named = (number: number): string => columns[(slips ? number : number - 1) % Math.max(1, columns.length)]?.name ?? '';
  const owner = (number: number): string => tables.at(column_names[number]?.[0] ?? -1) ?? '';
  for (const [from, to] of foreign_keys) {
    sentences.push(`The ${named(from)} of ${owner(from)} is the foreign key of ${named(to)} of ${owner(to)}.`);
  }
  return sentences.join(' ');
}
