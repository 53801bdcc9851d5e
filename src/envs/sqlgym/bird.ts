/**
 * BIRD as it is distributed: a folder with `train` and `dev`, each with its questions, its `*_tables.json` and its database files.
 * The only file of this environment that touches a disk; it asks for the disk when a folder is named.
 */
import * as z from 'zod';
import { AgogeError } from '../../core/error.ts';
import type { Question, Questions } from './questions.ts';
import { describeSchema, type Schema } from './schema.ts';
import { agentGymTest, agentGymTrain, DEV_ITEMS, TRAIN_ITEMS } from './splits.ts';

const questionSchema = z.object({
  db_id: z.string(),
  question: z.string(),
  SQL: z.string(),
  evidence: z.string().default(''),
  difficulty: z.string().optional(),
});

const tablesSchema = z.object({
  db_id: z.string(),
  table_names: z.array(z.string()),
  column_names: z.array(z.tuple([z.number(), z.string()])),
  primary_keys: z.array(z.union([z.number(), z.array(z.number())])),
  foreign_keys: z.array(z.tuple([z.number(), z.number()])),
});

type BirdQuestion = z.infer<typeof questionSchema>;

export interface BirdOptions {
  /** The folder that AGENTENV_SQLGYM_BIRD_PATH names for AgentGym's server. */
  readonly path: string;
  /** Only questions about these databases, where not all were fetched. */
  readonly databases?: readonly string[] | undefined;
}

/** The questions of a BIRD folder by AgentGym's item numbers; a half that is not there has no questions. */
export function readBird({ path, databases }: BirdOptions): Questions {
  const halves = (['train', 'dev'] as const).map((half) => new Half(path, half));
  if (halves.every(({ there }) => !there)) {
    throw new AgogeError(
      'ENV_NO_BIRD',
      `${path} has neither train/train.json nor dev/dev.json: give BIRD's folder as it is unpacked`,
    );
  }
  const kept = (item: number): boolean => {
    const row = halfOf(item, halves)?.row(item);
    return row !== undefined && (databases === undefined || databases.includes(row.db_id));
  };
  const items = range(TRAIN_ITEMS + DEV_ITEMS).filter(kept);
  if (items.length === 0) {
    throw new AgogeError(
      'ENV_NO_TASKS',
      `${path} has no question about ${databases?.join(', ') ?? 'anything'}: check sqlgym.databases`,
    );
  }
  const test = items.filter((item) => item >= TRAIN_ITEMS);
  return {
    source: ['bird', ...(databases ?? [])].join('-'),
    splits: new Map([
      ['train', agentGymTrain().filter(kept)],
      ['test', agentGymTest().filter(kept)],
      ['bird_train', items.filter((item) => item < TRAIN_ITEMS)],
      ['bird_dev', test],
      ['all', items],
    ]),
    question: (item) => question(item, halfOf(item, halves)),
  };
}

class Half {
  readonly there: boolean;
  readonly first: number;
  private readonly rows: readonly BirdQuestion[];
  private readonly schemas: ReadonlyMap<string, Schema>;

  constructor(
    private readonly path: string,
    private readonly name: 'train' | 'dev',
  ) {
    this.first = name === 'train' ? 0 : TRAIN_ITEMS;
    const file = `${path}/${name}/${name}.json`;
    this.there = disk().existsSync(file);
    const tables = `${path}/${name}/${name}_tables.json`;
    this.rows = this.there ? read(file, questionSchema) : [];
    this.schemas = new Map(this.there ? read(tables, tablesSchema).map((schema) => [schema.db_id, schema]) : []);
  }

  row(item: number): BirdQuestion | undefined {
    return this.rows[item - this.first];
  }

  schema(id: string): Schema {
    const schema = this.schemas.get(id);
    if (schema) return schema;
    throw new AgogeError('ENV_BAD_BIRD', `${this.name}_tables.json does not describe ${id}: fetch BIRD's files again`);
  }

  file(id: string): string {
    const file = `${this.path}/${this.name}/${this.name}_databases/${id}/${id}.sqlite`;
    if (disk().existsSync(file)) return file;
    throw new AgogeError(
      'ENV_NO_DATABASE',
      `${file} is not there: unpack ${this.name}_databases, or set sqlgym.databases to those that are`,
    );
  }
}

function halfOf(item: number, halves: readonly Half[]): Half | undefined {
  return halves.find(({ first }) => item >= first && item < first + (first === 0 ? TRAIN_ITEMS : DEV_ITEMS));
}

function question(item: number, half: Half | undefined): Question {
  const row = half?.row(item);
  if (!half || !row) throw new AgogeError('ENV_UNKNOWN_TASK', `BIRD's folder has no item ${item}: choose one of split "all"`);
  const schema = half.schema(row.db_id);
  return {
    database: { key: row.db_id, file: half.file(row.db_id) },
    schema,
    description: describeSchema(schema),
    text: row.question,
    sql: row.SQL,
    category: row.difficulty ?? 'train',
  };
}

function read<T>(path: string, schema: z.ZodType<T>): T[] {
  let given: unknown;
  try {
    given = JSON.parse(disk().readFileSync(path, 'utf8'));
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new AgogeError('ENV_BAD_BIRD', `${path} cannot be read (${words}): fetch BIRD's files again`, { cause });
  }
  const parsed = z.array(schema).safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join('.') ?? '';
  throw new AgogeError('ENV_BAD_BIRD', `${path} is not BIRD's at ${where} (${issue?.message ?? ''}): fetch BIRD's files again`);
}

function range(size: number): number[] {
  return Array.from({ length: size }, (_, i) => i);
}

function disk(): typeof import('node:fs') {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const found = process?.getBuiltinModule?.('node:fs');
  if (!found) throw new AgogeError('ENV_NO_BIRD', 'files cannot be read here: leave sqlgym.bird out, or run agoge in Node');
  return found;
}
