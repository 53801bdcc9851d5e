/**
 * No silent zero in the mathematics: in `learn` and `train` a number that is missing is an error by its name (`at`, `sameLengths`), and
 * never becomes a 0. Counting is the one place where what was not seen yet is none.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const fallback = /(?:\?\?|\|\|)=? *0(?![.\d]*[1-9])/;
/** `counts[key] = (counts[key] ?? 0) + …` */
const counting = /(\w+)\[([^\]]+)\] = \(\1\[\2\] \?\? 0\) \+ /;

it('finds no zero for a number that is missing, but in counts', async () => {
  const found: string[] = [];
  for (const room of ['learn', 'train']) {
    const folder = fileURLToPath(new URL(`./${room}`, import.meta.url));
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith('.ts') || /\.(test|fixture)\.ts$/.test(name)) continue;
      const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
      lines.forEach((line, i) => {
        if (fallback.test(line) && !counting.test(line)) found.push(`${room}/${name}:${i + 1}: ${line.trim()}`);
      });
    }
  }
  expect(found).toEqual([]);
});

it.each(['reward ?? 0', 'x || 0)', 'total ??= 0', 'a[i] ?? 0.0'])('would see %s', (line) => expect(line).toMatch(fallback));
it.each(['p ?? 0.5', 'n ?? 10', 'list ?? []'])('leaves %s', (line) => expect(line).not.toMatch(fallback));
