/**
 * Rows out of files: verl's RL parquet as it is, JSON, JSON lines and CSV, with verl's fields or with columns of one's own. A row that
 * cannot be a task is an error with its place, never left out.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { boundedGunzip, gunzipPieces } from '../../core/bounded-gunzip.ts';
import { AgogeError } from '../../core/error.ts';
import { parquetRecords } from '../../core/parquet/records.ts';
import { parseCsv } from './csv.ts';
import type { DataRow, PromptMessage } from './row.ts';

export interface ColumnNames {
  readonly prompt?: string | undefined;
  readonly answer?: string | undefined;
  readonly source?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const prompts = ['prompt', 'question', 'problem', 'instruction'];
const answers = ['ground_truth', 'answer', 'solution', 'output'];

export async function readRows(path: string, columns: ColumnNames): Promise<DataRow[]> {
  const records = await recordsOf(path);
  if (records.length === 0) throw new AgogeError('ENV_NO_TASKS', `${path} holds no rows: give a file with some`);
  return records.map((record, i) => rowOf(record, columns, `${path}: row ${i + 1}`, i));
}

/** The records of a file as they are; throws ENV_BAD_ROWS. */
export async function recordsOf(path: string): Promise<readonly Fields[]> {
  try {
    if (/\.parquet$/i.test(path)) {
      const rows: Fields[] = [];
      for await (const { records } of parquetRecords(path)) for (const record of records) rows.push(plain(record) as Fields);
      return rows;
    }
    const bytes = path.endsWith('.gz') ? await unpacked(path) : await readFile(path);
    const text = bytes.toString('utf8').replace(/^\ufeff/, '');
    if (/\.csv(\.gz)?$/i.test(path)) return parseCsv(text).map(unfolded);
    const values: unknown = text.trimStart().startsWith('[')
      ? JSON.parse(text)
      : text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]));
    return (values as unknown[]).map(recordIn);
  } catch (cause) {
    if (cause instanceof AgogeError) throw cause;
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new AgogeError('ENV_BAD_ROWS', `${path} cannot be read (${words}): give parquet, JSON, JSONL or CSV`, { cause });
  }
}

async function unpacked(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of boundedGunzip(createReadStream(path), createGunzip(gunzipPieces), path)) pieces.push(piece);
  return Buffer.concat(pieces);
}

function recordIn(value: unknown, i: number): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new SyntaxError(`row ${i + 1} is no object but ${JSON.stringify(value).slice(0, 40)}`);
}

function rowOf(record: Fields, columns: ColumnNames, where: string, position: number): DataRow {
  const asked = columns.prompt === undefined ? firstOf(record, prompts) : record[columns.prompt];
  const model = objectIn(record['reward_model']);
  const extraInfo = objectIn(record['extra_info']) ?? {};
  const answer = columns.answer === undefined ? (model?.['ground_truth'] ?? firstOf(record, answers)) : record[columns.answer];
  const prompt = messagesOf(asked);
  if (!prompt) throw bad(where, `has no prompt (columns: ${Object.keys(record).join(', ')})`, 'name its column with data.prompt');
  if (answer === undefined || answer === null) throw bad(where, 'has no ground truth', 'name its column with data.answer');
  const source = record['data_source'] ?? columns.source;
  return {
    prompt,
    groundTruth: answer,
    dataSource: typeof source === 'string' ? source : '',
    extraInfo: { index: position, ...extraInfo },
    ...(typeof extraInfo['answer'] === 'string' ? { solution: extraInfo['answer'] } : {}),
    ...(typeof record['ability'] === 'string' ? { category: record['ability'] } : {}),
  };
}

function messagesOf(asked: unknown): PromptMessage[] | undefined {
  if (typeof asked === 'string' && asked.trim() !== '') return [{ role: 'user', text: asked }];
  if (!Array.isArray(asked) || asked.length === 0) return undefined;
  const messages = asked.map((message: unknown): PromptMessage | undefined => {
    const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
    if (typeof content !== 'string' || (role !== 'system' && role !== 'user' && role !== 'assistant')) return undefined;
    return { role, text: content };
  });
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

/** Some files keep what is nested as a text of JSON. */
function objectIn(value: unknown): Fields | undefined {
  const read = typeof value === 'string' ? jsonOr(value) : value;
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Fields) : undefined;
}

function firstOf(record: Fields, names: readonly string[]): unknown {
  return names.map((name) => record[name]).find((value) => value !== undefined && value !== null);
}

/** Cells of CSV are texts: those that hold JSON are read, and `reward_model.ground_truth` is a field of a field. */
function unfolded(cells: Readonly<Record<string, string>>): Fields {
  const fields: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(cells)) {
    const value = /^\s*[[{]/.test(cell) ? jsonOr(cell) : cell;
    const [outer = name, inner] = name.split('.');
    if (inner === undefined) fields[name] = value;
    else fields[outer] = { ...(fields[outer] as Fields | undefined), [inner]: value };
  }
  return fields;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Parquet's whole numbers are bigints, its dates dates; rows are JSON. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** The split that a file's name says. */
export function splitOfFile(path: string): 'train' | 'validation' | 'test' {
  const name = basename(path).toLowerCase();
  if (/(^|[^a-z])test/.test(name)) return 'test';
  return /(^|[^a-z])(val|valid|validation|dev|eval)([^a-z]|$)/.test(name) ? 'validation' : 'train';
}

function bad(where: string, what: string, remedy: string): AgogeError {
  return new AgogeError('ENV_BAD_ROWS', `${where} ${what}: ${remedy}`);
}
