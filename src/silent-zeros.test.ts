/**
 * No silent zero in the mathematics: in `learn`, `train` and `engine` a number that is missing is an error by its name (`at`,
 * `sameLengths`), and never becomes a 0. What was not counted yet is none; the few other zeros are argued for here.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const fallback = /(?:\?\?|\|\|)=? *0(?![.\d]*[1-9])/;
/** `counts[key] = (counts[key] ?? 0) + …` */
const counting = /(\w+)\[([^\]]+)\] = \(\1\[\2\] \?\? 0\) \+ /;

/** File → how often, and why: defaults of protocols and options, and what nobody has counted yet. */
const argued: Readonly<Record<string, readonly [times: number, why: string]>> = {
  'engine/embedded/measure-peer.ts': [3, 'padding: the peer gets rectangles'],
  'engine/embedded/models/tokenizers/train-tokenizer.ts': [1, 'counts words'],
  'engine/embedded/open-model.ts': [1, 'the default seed'],
  'engine/embedded/sampling/restrict.ts': [1, 'a token that no bias names has none'],
  'engine/embedded/sampling/router.ts': [2, 'no lane has seen the prefix; the lane has nothing in hand'],
  'engine/embedded/runtime/session.ts': [1, 'the first captured graph of a session has the number 0'],
  'engine/embedded/train/learner.ts': [1, 'before the first optimizer step there are no moments'],
  'engine/tinker/client/engine.ts': [1, 'the default weight decay'],
  'engine/tinker/server/futures.ts': [1, 'an answer without log-probabilities takes no memory for them'],
  'engine/tinker/server/listings.ts': [2, 'the page begins at the first run'],
  'engine/tinker/server/service.ts': [1, 'full weights have the rank 0 in listings'],
  'engine/tinker/wire/answers.ts': [1, 'a server that does not count reused tokens'],
  'engine/tinker/wire/requests.ts': [1, 'the protocol: a number that is left out is 0'],
  'engine/tinker/wire/training-proto.ts': [2, 'proto3 leaves a zero out'],
};

it('finds no zero for a number that is missing, but those argued for', async () => {
  const found: Record<string, string[]> = {};
  for (const room of ['learn', 'train', 'engine']) {
    const folder = fileURLToPath(new URL(`./${room}`, import.meta.url));
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith('.ts') || /\.(test|fixture)\.ts$/.test(name)) continue;
      const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
      lines.forEach((line, i) => {
        if (!fallback.test(line) || counting.test(line)) return;
        (found[`${room}/${name.replaceAll('\\', '/')}`] ??= []).push(`${i + 1}: ${line.trim()}`);
      });
    }
  }
  expect(Object.entries(found).filter(([file, lines]) => lines.length !== argued[file]?.[0])).toEqual([]);
  expect(Object.keys(argued).filter((file) => !found[file])).toEqual([]);
});

it.each(['reward ?? 0', 'x || 0)', 'total ??= 0', 'a[i] ?? 0.0'])('would see %s', (line) => expect(line).toMatch(fallback));
it.each(['p ?? 0.5', 'n ?? 10', 'list ?? []'])('leaves %s', (line) => expect(line).not.toMatch(fallback));
