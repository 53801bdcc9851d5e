/** Rows into a file of any format: a JSON list, JSONL (gzipped for `.gz`) or parquet, by the format and the file's name. */
import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { AgogeError } from '../core/error.ts';
import type { Format } from './formats/format.ts';
import { Output, type OutputOptions } from './output.ts';
import { ParquetFileWriter } from './parquet/write.ts';
import type { Fields, Row } from './rows.ts';

const compress = promisify(gzip);

/** Where records go; `weight` is about how many bytes of text a record holds. */
interface Sink {
  add(record: Fields, weight: number): Promise<void> | void;
  finish(): Promise<void>;
  [Symbol.dispose]?(): void;
}

/** Writes rows to a file in a format, as they come; the file is there whole or not at all. */
export class RowWriter implements AsyncDisposable {
  rows = 0;

  private constructor(
    private readonly output: Output,
    private readonly sink: Sink,
    private readonly format: Format,
  ) {}

  static async open(path: string, format: Format, options: OutputOptions = {}): Promise<RowWriter> {
    const container = containerOf(path, format);
    const output = await Output.open(path, options);
    const write = (bytes: Uint8Array): Promise<void> => output.write(bytes);
    const sink = container === 'parquet' ? new ParquetFileWriter(write) : new TextSink(write, container, path.endsWith('.gz'));
    return new RowWriter(output, sink, format);
  }

  /** Adds a row; await it where it returns a promise (a batch went to disk). */
  add(row: Row, weight?: number): Promise<void> | void {
    this.rows++;
    return this.sink.add(this.format.write(row), weight === undefined || weight === 0 ? weightOf(row) : weight);
  }

  async finish(): Promise<void> {
    await this.sink.finish();
    await this.output.finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sink[Symbol.dispose]?.();
    await this.output[Symbol.asyncDispose]();
  }
}

/** The container that a file name asks for; a format that has only one refuses others. */
function containerOf(path: string, format: Format): 'json' | 'jsonl' | 'parquet' {
  const extension = /\.(json|jsonl|ndjson|parquet)(?:\.gz)?$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) {
    throw new AgogeError(
      'CLI_USAGE_OUTPUT',
      `${path} has no extension that says how to write it: end it with ${format.extension}`,
    );
  }
  const container = extension === 'ndjson' ? 'jsonl' : (extension as 'json' | 'jsonl' | 'parquet');
  const isParquet = format.extension === '.parquet';
  if ((container === 'parquet') !== isParquet && !(isParquet && format.name === 'verl-rl')) {
    throw new AgogeError(
      'CLI_USAGE_OUTPUT',
      `${format.name} is not written as ${extension}: end the output with ${format.extension}`,
    );
  }
  return container;
}

const CHUNK = 1 << 20;

class TextSink implements Sink {
  private parts: string[] = [];
  private length = 0;
  private rows = 0;

  constructor(
    private readonly write: (bytes: Uint8Array) => Promise<void>,
    private readonly container: 'json' | 'jsonl',
    private readonly zipped: boolean,
  ) {}

  add(record: Fields): Promise<void> | undefined {
    const text = JSON.stringify(record);
    const before = this.container === 'jsonl' ? '' : this.rows === 0 ? '[\n' : ',\n';
    this.parts.push(before, text, this.container === 'jsonl' ? '\n' : '');
    this.length += text.length;
    this.rows++;
    return this.length >= CHUNK ? this.flush() : undefined;
  }

  async finish(): Promise<void> {
    if (this.container === 'json') this.parts.push(this.rows === 0 ? '[]\n' : '\n]\n');
    await this.flush();
  }

  private async flush(): Promise<void> {
    const text = this.parts.join('');
    this.parts = [];
    this.length = 0;
    if (text === '') return;
    const bytes = Buffer.from(text, 'utf8');
    // Gzip members one after another are one gzip file.
    await this.write(this.zipped ? await compress(bytes) : bytes);
  }
}

function weightOf(row: Row): number {
  let weight = 64;
  for (const { content } of (row.kind === 'conversation' ? row.messages : row.prompt) ?? []) weight += content.length + 16;
  return weight;
}
