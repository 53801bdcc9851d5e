/**
 * The SentencePiece tokenizer of GGUF files against Google's library, on a model it trains here, and the tokenizer.json that we save
 * against the tokenizers library: spaces, line ends, scripts, runs, marks, emoji, control tokens typed as text.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { tokenizerFromGguf } from '../../../src/engine/embedded/models/tokenizers/gguf-tokenizer.ts';
import { ModelTokenizer } from '../../../src/engine/embedded/models/tokenizers/tokenizer.ts';
import { peersMissing, python } from '../python.ts';

const words =
  'get|craft|using|oak planks|the |Thought:|Action:|look| |  |    |\n|\n\n|\t|你好|世界|木板|哈哈哈|日本語|русский|العربية|é|e\u0301|½|٣|😀|👩‍👧|🇩🇪|𠀀|\u00a0|\u200b|\ufeff|\u0000|<0x0A>|<s>|</s>|<unk>|aaaa|aaaaaaa|====|ananas|!!!|1234|3.14|<turn>|def f(x):'.split(
    '|',
  );
const random = Random.of(25, 'sentencepiece');
const made = (length: number): string => Array.from({ length }, () => random.pick(words)).join(random.pick(['', ' ']));
const texts = Array.from({ length: 3000 }, () => made(random.between(1, 12)));
for (const one of ['a', '=', ' ', '哈', '!']) for (let length = 1; length < 40; length++) texts.push(one.repeat(length));

function ask(request: object): unknown {
  const script = fileURLToPath(new URL('sentencepiece_peer.py', import.meta.url));
  const { stdout, stderr, status } = spawnSync(python, [script], {
    input: JSON.stringify(request),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr.slice(-2000));
  return JSON.parse(stdout);
}

describe.skipIf(peersMissing())('SentencePiece', () => {
  let theirs: { pieces: [string, number, number][]; prefixed: number[][]; bare: number[][] };
  beforeAll(() => {
    const training = texts.slice(0, 1500).map((text) => text.replaceAll(/[\0\n]/g, ' '));
    theirs = ask({ training, texts, vocabulary: 700, symbols: ['<turn>', '\u2581\u2581\u2581\u2581'] }) as typeof theirs;
  });

  it.each([true, false])('space before the text: %s', (prefix) => {
    const column = <At extends 0 | 1 | 2>(at: At): [string, number, number][At][] => theirs.pieces.map((piece) => piece[at]);
    const metadata = new Map<string, unknown>([
      ['tokenizer.ggml.model', 'llama'],
      ['tokenizer.ggml.tokens', column(0)],
      ['tokenizer.ggml.scores', column(1)],
      ['tokenizer.ggml.token_type', column(2)],
      ['tokenizer.ggml.add_space_prefix', prefix],
      ['tokenizer.ggml.bos_token_id', 1],
      ['tokenizer.ggml.eos_token_id', 2],
    ]);
    const files = tokenizerFromGguf(metadata, 'a file');
    const ours = new ModelTokenizer(files);
    const differing = (ids: readonly number[][], encode: (text: string) => number[]): string[] =>
      texts.filter((text, at) => JSON.stringify(encode(text)) !== JSON.stringify(ids[at]));
    // SentencePiece puts its space before the whole text only; here it stands after every token written as it is, as in llama.cpp.
    const unbroken = (text: string): boolean => !/<turn>| {4}|^ {3}/.test(text);
    const plain = differing(prefix ? theirs.prefixed : theirs.bare, (text) => ours.encode(text, { plain: true }));
    expect(plain.filter((text) => !prefix || unbroken(text))).toEqual([]);
    const continued = differing(theirs.bare, (text) => ours.encode(text, { plain: true, continues: true }));
    expect(continued.filter((text) => !prefix || unbroken(text))).toEqual([]);
    expect(differing(ask({ tokenizer: files.tokenizer, texts }) as number[][], (text) => ours.encode(text))).toEqual([]);
    const changed = texts.filter((text) => ours.decode(ours.encode(text, { plain: true })) !== text);
    expect(changed.filter((text) => !prefix || unbroken(text))).toEqual([]);
  });
});
