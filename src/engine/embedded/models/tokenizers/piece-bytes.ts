/**
 * The bytes of a token, by the decoder a tokenizer.json names: byte-level alphabets (GPT-2, Llama 3, Qwen) and SentencePiece with its
 * marks for spaces and single bytes (Llama 2, Gemma). Bytes, not text: half a character is kept until its other half comes.
 */
import { z } from 'zod';
import { unicodeToBytes } from './byte-level.ts';

export interface PieceBytes {
  ofToken(token: string): Uint8Array;
  /** Of a token that is written as it is. */
  ofAdded(token: string): Uint8Array;
  /** A space was put before the text: the first one decoded is not part of it. */
  readonly stripsSpace: boolean;
}

const part = z.looseObject({ type: z.string() });
const replace = z.object({ pattern: z.object({ String: z.string() }), content: z.string() });

/** Undefined for decoders of other kinds: WordPiece, CTC. */
export function pieceBytes(decoder: unknown): PieceBytes | undefined {
  const parts = partsOf(decoder);
  const has = (type: string): boolean => parts.some((one) => one.type === type);
  if (parts.length > 0 && parts.every((one) => one.type === 'ByteLevel'))
    return { ofToken: unicodeToBytes, ofAdded: utf8, stripsSpace: false };
  const metaspace = parts.find((one) => one.type === 'Metaspace');
  if (!has('ByteFallback') && !metaspace) return undefined;
  const replacements = parts.flatMap((one) => {
    const mark = one['replacement'];
    if (one.type === 'Metaspace') return [{ from: typeof mark === 'string' ? mark : '\u2581', to: ' ' }];
    const parsed = replace.safeParse(one);
    return one.type === 'Replace' && parsed.success ? [{ from: parsed.data.pattern.String, to: parsed.data.content }] : [];
  });
  const spelled = (token: string): Uint8Array => {
    const byte = has('ByteFallback') ? /^<0x([0-9A-Fa-f]{2})>$/.exec(token)?.[1] : undefined;
    if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16));
    return utf8(replacements.reduce((text, { from, to }) => text.replaceAll(from, to), token));
  };
  const prefixed = metaspace !== undefined && metaspace['prepend_scheme'] !== 'never' && metaspace['add_prefix_space'] !== false;
  return { ofToken: spelled, ofAdded: spelled, stripsSpace: prefixed || parts.some((one) => one.type === 'Strip' && one['start'] === 1) };
}

function partsOf(decoder: unknown): z.infer<typeof part>[] {
  const sequence = z.object({ type: z.literal('Sequence'), decoders: z.array(part) }).safeParse(decoder);
  if (sequence.success) return sequence.data.decoders;
  const one = part.safeParse(decoder);
  return one.success ? [one.data] : [];
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
