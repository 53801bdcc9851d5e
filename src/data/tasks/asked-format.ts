/** Which formats the prompts of rows ask for (verl's RL parquet): rows do not name them, and a reader of another one reads nothing. */
import { formatAskedBy, readsWhatIsAsked, type AskedFormat } from '../../agent/formats/asked.ts';
import type { PromptFormat } from '../../agent/format.ts';
import { AgogeError } from '../../core/error.ts';
import type { Instructions } from '../../envs/environment.ts';
import type { Message } from '../../policy/conversation.ts';
import { dataFiles, readRows } from '../read.ts';

export interface RowsFormat extends AskedFormat {
  readonly file: string;
  /** The first row that asks for it. */
  readonly row: number;
}

/** Rows that are looked at: those of one file are made by one script. */
const enough = 2000;

/** The formats that rows ask for, each once; none where they do not say it. Throws where a file cannot be read. */
export async function formatsOfRows(files: readonly string[]): Promise<RowsFormat[]> {
  const found = new Map<string, RowsFormat>();
  for (const file of await dataFiles(files)) {
    const seen = new Set<string>();
    for await (const { row, number } of readRows(file)) {
      if (number > enough) break;
      if (row.kind !== 'task' || !row.prompt) continue;
      const messages = row.prompt.map(({ role, content }): Message => ({ role: role === 'tool' ? 'user' : role, text: content }));
      const key = JSON.stringify(messages);
      if (seen.has(key)) continue;
      seen.add(key);
      const asked = formatAskedBy(messages);
      if (asked && !found.has(asked.format)) found.set(asked.format, { ...asked, file, row: number });
    }
  }
  return [...found.values()];
}

/** The one format of rows, or undefined; throws DATA_FORMATS where they ask for several, which one reader cannot serve. */
export async function formatOfRows(files: readonly string[]): Promise<RowsFormat | undefined> {
  const [first, second] = await formatsOfRows(files);
  if (!first || !second) return first;
  const said = [first, second].map(({ format, file, row, words }) => `${format} (${file}, row ${row}: ${quoted(words)})`);
  throw new AgogeError(
    'DATA_FORMATS',
    `the prompts of the rows ask for different formats: ${said.join(' and ')}. Give the rows of each format a file and a run of their own, or set agent.prompt=null and agent.format to ask all in one`,
  );
}

/** Throws DATA_FORMAT where a prompt asks for replies that its reader cannot read, with both texts side by side. */
export function refuseContradiction(
  prompt: readonly Message[],
  reader: PromptFormat,
  instructions: Instructions,
  { where, remedy }: { readonly where: string; readonly remedy: (asked: string) => string },
): void {
  const asked = formatAskedBy(prompt);
  if (!asked || readsWhatIsAsked(reader, asked.format, instructions)) return;
  const action = instructions.actions[0]?.template.replace(/\{(\w+)\}/g, '<$1>') ?? '<action>';
  throw new AgogeError(
    'DATA_FORMAT',
    `${where} asks for the format ${asked.format}, and replies are read as ${reader.name}, so none would be understood.\n` +
      `  the prompt says: ${quoted(asked.words)}\n` +
      `  ${reader.name} reads: ${quoted(reader.write(action, '<your reasoning>', instructions))}\n` +
      remedy(asked.format),
  );
}

/** A text on one line, cut where it is long. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 240 ? `${text.slice(0, 240)}…` : text);
}
