/** Ids as the Python tokenizers library gives them, on texts rich in numerals, blanks and marks of all scripts. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/random/random.ts';
import { ModelTokenizer } from '../../../src/engine/embedded/models/tokenizers/tokenizer.ts';
import { trainTokenizer } from '../../../src/engine/embedded/models/tokenizers/train-tokenizer.ts';
import { peersMissing, python } from '../python.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-tokenizers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = `
import json, sys
from tokenizers import Tokenizer
tokenizer = Tokenizer.from_file(sys.argv[1])
texts = json.load(open(sys.argv[2]))
print(json.dumps([tokenizer.encode(text, add_special_tokens=False).ids for text in texts]))
`;

const texts = ['add ½ cup', '١٢٣ and Ⅻ and ²', 'a\u0085b', ' \ufeff x', '٣ 3 ३ 三 ㊿ ൟ'];
const alphabet = Array.from('abc XYZ 019 ½⅓²³Ⅻⅷ①㊿٣३๓𝟗𐄇三零〇 \t\n\u0085\u00a0\u2003\u3000\ufeff\u200b.,-/%°№é漢字🙂');
const random = Random.of(18, 'numerals');
while (texts.length < 2000) texts.push(Array.from({ length: random.between(1, 20) }, () => random.pick(alphabet)).join(''));

describe.skipIf(peersMissing())('tokenizers', () => {
  const trained = trainTokenizer({ texts: texts.slice(0, 300), vocabulary: 700 }).tokenizer;
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  it.each([
    ['bytes', byteLevel],
    [
      'SmolLM2: each digit, then bytes',
      { type: 'Sequence', pretokenizers: [{ type: 'Digits', individual_digits: true }, byteLevel] },
    ],
    [
      'runs of digits, then bytes',
      { type: 'Sequence', pretokenizers: [{ type: 'Digits', individual_digits: false }, byteLevel] },
    ],
    ['bytes after a space', { ...byteLevel, add_prefix_space: true }],
  ])('%s', (_, preTokenizer) => {
    const tokenizer = { ...trained, pre_tokenizer: preTokenizer };
    const [file, list] = [join(folder, 'tokenizer.json'), join(folder, 'texts.json')];
    writeFileSync(file, JSON.stringify(tokenizer));
    const given =
      'add_prefix_space' in preTokenizer && preTokenizer.add_prefix_space
        ? texts.filter((text) => !/[\u0085\ufeff]/.test(text))
        : texts;
    writeFileSync(list, JSON.stringify(given));
    const { stdout, stderr } = spawnSync(python, ['-c', script, file, list], { encoding: 'utf8', maxBuffer: 1 << 28 });
    expect(stderr).toBe('');
    const ours = new ModelTokenizer({ tokenizer, config: {} });
    const theirs = JSON.parse(stdout) as number[][];
    const differing = given.filter((text, at) => JSON.stringify(ours.encode(text)) !== JSON.stringify(theirs[at]));
    expect(differing).toEqual([]);
  });
});
