/** Token ids as pieces of text, by the tokenizer that lies in the run's newest checkpoint; without one, ids are shown. */
import { join } from 'node:path';
import { namesInside, readInside } from '../../run/inside.ts';
import { layout } from '../../run/layout.ts';

/** Bytes; the largest tokenizers of the field have some thirty megabytes. */
const most = 1 << 27;

export type Pieces = (id: number) => string;

export class Decoder {
  private known: Promise<Pieces> | undefined;

  constructor(private readonly folder: string) {}

  async pieces(): Promise<Pieces> {
    const loading = (this.known ??= this.load().then((found) => found ?? Promise.reject(new Error('none yet'))));
    try {
      return await loading;
    } catch {
      this.known = undefined; // A later checkpoint may bring one.
      return (id) => `‹${String(id)}›`;
    }
  }

  private async load(): Promise<Pieces | undefined> {
    const names = (await namesInside(this.folder, layout.checkpoints)).filter((name) => name.startsWith('step_'));
    for (const place of ['', ...names.reverse().map((name) => join(layout.checkpoints, name))]) {
      const text = await readInside(this.folder, join(place, 'tokenizer.json'), most).catch(() => undefined);
      if (text !== undefined) return piecesOf(JSON.parse(text) as TokenizerFile);
    }
    return undefined;
  }
}

interface TokenizerFile {
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
  readonly added_tokens?: readonly { readonly id: number; readonly content: string }[];
}

/** Byte-level vocabularies write a byte as a printable stand-in: this turns a token back into its text. */
function piecesOf(file: TokenizerFile): Pieces {
  const words = new Map<number, string>(Object.entries(file.model.vocab).map(([word, id]) => [id, word]));
  const added = new Map((file.added_tokens ?? []).map(({ id, content }) => [id, content]));
  const bytes = standIns();
  return (id) => {
    const special = added.get(id);
    if (special !== undefined) return special;
    const word = words.get(id);
    if (word === undefined) return `‹${String(id)}›`;
    const raw = Array.from(word, (character) => bytes.get(character));
    return raw.every((byte) => byte !== undefined) ? Buffer.from(raw).toString('utf8') : word.replaceAll('▁', ' ');
  };
}

/** GPT-2's table: printable bytes stand for themselves, the others for the characters from U+0100 on. */
function standIns(): Map<string, number> {
  const table = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) {
    const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    table.set(String.fromCodePoint(printable ? byte : next++), byte);
  }
  return table;
}
