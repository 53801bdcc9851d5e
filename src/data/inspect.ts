/** What is in a file: counts, roles, lengths, environments, rewards, a few rows, and what looks wrong. */
import { at } from '../core/at.ts';
import { fingerprint, envOf } from './select.ts';
import type { FormatName } from './formats/format.ts';
import { parseItemId } from './tasks/items.ts';
import { readBatches, type BadRow, type ReadOptions } from './read.ts';
import { isLearned, type DataMessage, type Row } from './rows.ts';

export interface Spread {
  readonly least: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly most: number;
}

/** What a data file holds. */
export interface Inspection {
  readonly file: string;
  readonly format: FormatName | undefined;
  readonly rows: number;
  readonly items: number;
  readonly duplicates: number;
  readonly roles: Readonly<Record<string, number>>;
  readonly messages?: Spread;
  readonly characters?: Spread;
  readonly tokens?: Spread;
  readonly learnedTokens?: Spread;
  readonly environments: Readonly<Record<string, number>>;
  readonly categories: Readonly<Record<string, number>>;
  readonly rewards?: Spread & { readonly success: number };
  readonly models: Readonly<Record<string, number>>;
  readonly problems: readonly { readonly what: string; readonly rows: number; readonly first: number }[];
  readonly samples: readonly { readonly number: number; readonly row: Row }[];
}

export interface InspectOptions extends ReadOptions {
  /** Length of a text in tokens of a policy. */
  readonly count?: ((text: string) => number) | undefined;
  /** Category of an item, where an environment knows it. */
  readonly category?: ((itemId: string) => string | undefined) | undefined;
  readonly samples?: number | undefined;
}

/** Counts and spreads of a data file. */
export async function inspectFile(file: string, options: InspectOptions = {}): Promise<Inspection> {
  const roles = new Tally();
  const environments = new Tally();
  const categories = new Tally();
  const models = new Tally();
  const problems = new Map<string, { rows: number; first: number }>();
  const [messages, characters, tokens, learned, rewards] = [
    new Numbers(),
    new Numbers(),
    new Numbers(),
    new Numbers(),
    new Numbers(),
  ];
  const items = new Set<string>();
  const seen = new Set<string>();
  const samples: { number: number; row: Row }[] = [];
  let format: FormatName | undefined;
  let rows = 0;
  let success = 0;
  const note = (what: string, number: number): void => {
    const known = problems.get(what);
    problems.set(what, { rows: (known?.rows ?? 0) + 1, first: known?.first ?? number });
  };
  const onBadRow = ({ error, number }: BadRow): void =>
    note(`cannot be read: ${error.message.replace(/^.*?: row \d+ /, '')}`, number);
  for await (const batch of readBatches(file, { ...options, onBadRow })) {
    for (const { row, number, format: its } of batch) {
      rows++;
      format = its;
      if (samples.length < (options.samples ?? 3)) samples.push({ number, row });
      if (row.itemId !== undefined) items.add(row.itemId);
      seen.add(fingerprint(row));
      environments.add(envOf(row) ?? 'unknown');
      const category = row.itemId === undefined ? undefined : options.category?.(row.itemId);
      if (category !== undefined) categories.add(category);
      const spoken = row.kind === 'conversation' ? row.messages : (row.prompt ?? []);
      for (const { role } of spoken) roles.add(role);
      if (row.itemId !== undefined && parseItemId(row.itemId).number === undefined) note('the item_id has no number', number);
      if (row.kind !== 'conversation') continue;
      messages.add(spoken.length);
      characters.add(spoken.reduce((sum, { content }) => sum + content.length, 0));
      const { count } = options;
      if (count) {
        const lengths = spoken.map((message) => [count(message.content), isLearned(message)] as const);
        tokens.add(lengths.reduce((sum, [length]) => sum + length, 0));
        learned.add(lengths.reduce((sum, [length, counts]) => sum + (counts ? length : 0), 0));
      }
      if (row.reward !== undefined) rewards.add(row.reward);
      if (row.success === true) success++;
      if (row.model !== undefined) models.add(row.model);
      for (const what of oddities(row.messages)) note(what, number);
    }
  }
  return {
    file,
    format,
    rows,
    items: items.size,
    duplicates: rows - seen.size,
    roles: roles.counts,
    ...spread('messages', messages),
    ...spread('characters', characters),
    ...spread('tokens', tokens),
    ...spread('learnedTokens', learned),
    environments: environments.counts,
    categories: categories.counts,
    ...(rewards.size > 0 ? { rewards: { ...rewards.spread(), success: success / rows } } : {}),
    models: models.counts,
    problems: [...problems].map(([what, where]) => ({ what, ...where })).sort((a, b) => b.rows - a.rows),
    samples,
  };
}

/** What a trainer would stumble over in a conversation. */
export function oddities(messages: readonly DataMessage[]): string[] {
  const found: string[] = [];
  if (messages.length === 0) return ['there are no messages'];
  if (!messages.some(isLearned)) found.push('there is no reply to learn from');
  if (messages.some(({ content }) => content.trim() === '')) found.push('a message is empty');
  const spoken = messages.filter(({ role }) => role !== 'system');
  if (spoken.some(({ role }, at) => at > 0 && role === spoken[at - 1]?.role && role !== 'tool')) {
    found.push('two messages in a row have the same role');
  }
  if (messages.some(({ role }, at) => role === 'system' && at > 0)) found.push('a system message is not the first');
  return found;
}

class Tally {
  /** Without a prototype: names come from files. */
  readonly counts = Object.create(null) as Record<string, number>;

  add(key: string): void {
    this.counts[key] = (this.counts[key] ?? 0) + 1;
  }
}

/** Numbers with their percentiles; beyond a million an even sample of them. */
class Numbers {
  size = 0;
  private kept: number[] = [];
  private every = 1;
  private sum = 0;
  private least = Infinity;
  private most = -Infinity;

  add(value: number): void {
    this.sum += value;
    this.least = Math.min(this.least, value);
    this.most = Math.max(this.most, value);
    if (this.size++ % this.every === 0) this.kept.push(value);
    if (this.kept.length >= 1_000_000) {
      this.kept = this.kept.filter((_, at) => at % 2 === 0);
      this.every *= 2;
    }
  }

  spread(): Spread {
    const sorted = this.kept.sort((a, b) => a - b);
    const value = (share: number): number => at(sorted, Math.min(sorted.length - 1, Math.floor(sorted.length * share)));
    return { least: this.least, mean: this.sum / this.size, p50: value(0.5), p95: value(0.95), most: this.most };
  }
}

function spread<K extends string>(key: K, numbers: Numbers): { [P in K]?: Spread } {
  return (numbers.size > 0 ? { [key]: numbers.spread() } : {}) as { [P in K]?: Spread };
}
