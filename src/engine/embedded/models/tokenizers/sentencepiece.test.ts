import { expect, test } from 'vitest';
import { createRenderer } from '../../../../policy/renderer.ts';
import { tokenizerFromGguf } from './gguf-tokenizer.ts';
import { ModelTokenizer, parseTokenizerJson } from './tokenizer.ts';

const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
const normal = ['\u2581', 'a', 'b', 'c', 'ab', 'bc', '\u2581a', 'abc', '\u2581\u2581', 'n', '\u2581n', 'x'];
const scores = [-9, -9, -9, -9, -2, -1, -3, -4, -5, -9, -6, -9];
const pieces = ['<unk>', '<s>', '</s>', ...bytes, ...normal, '<end_of_turn>', '\u2581\u2581\u2581'];
const types = [2, 3, 3, ...bytes.map(() => 6), ...normal.map(() => 1), 3, 4];

function words(changes: readonly (readonly [string, unknown])[] = []): ReturnType<typeof tokenizerFromGguf> {
  return tokenizerFromGguf(
    new Map<string, unknown>([
      ['tokenizer.ggml.model', 'llama'],
      ['tokenizer.ggml.tokens', pieces],
      ['tokenizer.ggml.scores', [0, 0, 0, ...bytes.map(() => 0), ...scores, 0, 0]],
      ['tokenizer.ggml.token_type', types],
      ['tokenizer.ggml.bos_token_id', 1],
      ['tokenizer.ggml.eos_token_id', 2],
      ['tokenizer.chat_template', "{% for m in messages %}{{ m.role[0] + '\\n' + m.content + eos_token + '\\n' }}{% endfor %}{{ 'a\\n' }}"],
      ...changes,
    ]),
    'a file',
  );
}
const open = (files: ReturnType<typeof words>): ModelTokenizer => new ModelTokenizer(files, { endOfTurn: files.endOfTurn });
const spelled = (ids: readonly number[]): string => ids.map((id) => pieces[id]).join('|');

test('the best score is joined first, wherever it stands', () => {
  const tokenizer = open(words());
  // bc (-1) before ab (-2); then the space and a (-3) before abc (-4).
  expect(spelled(tokenizer.encode('abc'))).toBe('\u2581a|bc');
  expect(spelled(tokenizer.encode('abc', { continues: true }))).toBe('abc');
  expect(spelled(tokenizer.encode('ab'))).toBe('\u2581|ab');
  expect(spelled(tokenizer.encode('ab', { continues: true }))).toBe('ab');
  expect(spelled(tokenizer.encode('a a'))).toBe('\u2581a|\u2581a');
});

test('what no piece holds is spelled in bytes, and comes back byte for byte', () => {
  const tokenizer = open(words());
  expect(spelled(tokenizer.encode('a\n'))).toBe('\u2581a|<0x0A>');
  for (const text of ['你好 😀', '\ufeffx', ' a', 'a  b', '<0x0A>', '', '\u0000'])
    expect(tokenizer.decode(tokenizer.encode(text, { plain: true }))).toBe(text);
  const [, first, second, third] = tokenizer.encode('你');
  expect([...tokenizer.bytesOf([first!, second!])]).toEqual([0xe4, 0xbd]);
  expect(tokenizer.decode([first!, second!, third!])).toBe('你');
});

test('control tokens are found in text unless it is plain; a space stands before what follows one', () => {
  const tokenizer = open(words());
  expect(spelled(tokenizer.encode('a</s>a'))).toBe('\u2581a|</s>|\u2581a');
  expect(spelled(tokenizer.encode('a</s>a', { continues: true }))).toBe('a|</s>|\u2581a');
  expect(tokenizer.encode('a</s>a', { plain: true })).not.toContain(2);
  // Three spaces are a piece of the user's own, taken before anything is joined.
  expect(spelled(tokenizer.encode('a   a', { continues: true }))).toBe('a|\u2581\u2581\u2581|\u2581a');
});

test('without the space before the text nothing is added and nothing taken away', () => {
  const tokenizer = open(words([['tokenizer.ggml.add_space_prefix', false]]));
  expect(spelled(tokenizer.encode('ab'))).toBe('ab');
  expect(tokenizer.decode(tokenizer.encode(' ab'))).toBe(' ab');
});

test('it is saved and read again as it was; other readers add the begin token', () => {
  const files = words([['tokenizer.ggml.add_eos_token', true]]);
  const again = new ModelTokenizer({ tokenizer: parseTokenizerJson(JSON.parse(JSON.stringify(files.tokenizer)), 'x'), config: files.config });
  const text = 'abc  a</s>\n你';
  expect(again.encode(text)).toEqual(open(files).encode(text));
  expect(files.tokenizer.post_processor).toMatchObject({
    single: [{ SpecialToken: { id: '<s>' } }, { Sequence: { id: 'A' } }, { SpecialToken: { id: '</s>' } }],
    special_tokens: { '<s>': { ids: [1] }, '</s>': { ids: [2] } },
  });
});

test('plain play begins with the begin token where the model was trained so', () => {
  const opening = (changes: Parameters<typeof words>[0]): number[] =>
    createRenderer(open(words(changes)))
      .open([{ role: 'user', text: 'b' }])
      .flatMap((part) => [...part]);
  const without = opening([['tokenizer.ggml.add_bos_token', false]]);
  expect(spelled(without).startsWith('\u2581|b')).toBe(true);
  expect(opening([['tokenizer.ggml.add_bos_token', true]])).toEqual([1, ...without]);
});

test('a turn ends with the token named for it too', () => {
  const end = pieces.indexOf('<end_of_turn>');
  expect(open(words()).endOfTurn).toEqual([end, 2]);
});

test('a conversation piece by piece has the tokens of the whole', () => {
  const files = words();
  const tokenizer = open(files);
  const template = String(files.config['chat_template']);
  const renderer = createRenderer(tokenizer, { template });
  const opening = renderer.open([
    { role: 'system', text: 'b' },
    { role: 'user', text: 'c' },
  ]);
  const grown = [...opening.flatMap((part) => [...part]), ...renderer.reply('abc'), ...renderer.next('x', true)];
  expect(spelled(grown)).toBe(spelled(tokenizer.encode('s\nb</s>\nu\nc</s>\na\nabc</s>\nu\nx</s>\na\n')));
});

test('a file without scores is refused', () => {
  expect(() => words([['tokenizer.ggml.scores', [1, 2]]])).toThrow(/2 scores/);
});
