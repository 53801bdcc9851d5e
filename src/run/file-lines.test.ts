import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { fileLines, readLimits, type ReadLimits } from './file-lines.ts';
import { LineCutter } from './line-cutter.ts';

const folder = await mkdtemp(join(tmpdir(), 'agoge-file-lines-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(name: string, limits: Partial<ReadLimits> = {}) {
  const problems: string[] = [];
  const lines: { row: number; text: string }[] = [];
  const told = (problem: string): void => void problems.push(problem);
  for await (const line of fileLines(folder, name, told, { ...readLimits, ...limits })) lines.push(line);
  return { lines, problems };
}

describe('the lines of a file', () => {
  it('are the same packed and plain, the last one also without an end', async () => {
    await writeFile(join(folder, 'a.jsonl'), 'one\n\n二\nthree');
    await writeFile(join(folder, 'a.jsonl.gz'), gzipSync('one\n\n二\nthree'));
    const lines = ['one', '二', 'three'].map((text, row) => ({ row, text }));
    expect(await read('a.jsonl')).toEqual({ lines, problems: [] });
    expect(await read('a.jsonl.gz')).toEqual({ lines, problems: [] });
    expect(await read('none.jsonl')).toEqual({ lines: [], problems: [] });
  });

  it('leave out a line that is too long, and keep the numbers of the others', async () => {
    await writeFile(join(folder, 'long.jsonl'), `a\n${'x'.repeat(2000)}\nb\n`);
    const { lines, problems } = await read('long.jsonl', { line: 1000 });
    expect(lines).toEqual([
      { row: 0, text: 'a' },
      { row: 2, text: 'b' },
    ]);
    expect(problems).toEqual(['long.jsonl line 2 is longer than 1000 bytes and left out']);
  });

  it('stop at the limits on bytes and time, and at damage, with what came before', async () => {
    await writeFile(join(folder, 'b.jsonl.gz'), gzipSync('line\n'.repeat(200_000)));
    const whole = await read('b.jsonl.gz');
    expect(whole.lines.length).toBe(200_000);
    for (const limits of [{ packed: 500 }, { plain: 200_000 }, { milliseconds: -1 }]) {
      const { lines, problems } = await read('b.jsonl.gz', limits);
      expect(lines.length).toBeLessThan(200_000);
      expect(problems).toHaveLength(1);
    }
    await truncate(join(folder, 'b.jsonl.gz'), 600);
    const { lines, problems } = await read('b.jsonl.gz');
    expect(lines.length).toBeGreaterThan(1000);
    expect(problems[0]).toContain('b.jsonl.gz ends early after');
  });

  it('survive a file that unpacks to more than a string can hold, without one end of line', async () => {
    const member = gzipSync('x'.repeat(1 << 20));
    await writeFile(join(folder, 'bomb.jsonl.gz'), Buffer.concat(Array.from({ length: 700 }, () => member)));
    const { lines, problems } = await read('bomb.jsonl.gz');
    expect(lines).toEqual([]);
    expect(problems).toEqual([`bomb.jsonl.gz line 1 is longer than ${String(readLimits.line)} bytes and left out`]);
  });
});

it('a cutter gives the lines of the whole text, however it is cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.array(fc.nat(20)), (text, cuts) => {
      const bytes = Buffer.from(text);
      const cutter = new LineCutter(1e6);
      const lines: (string | undefined)[] = [];
      let at = 0;
      for (const size of cuts) lines.push(...cutter.cut(bytes.subarray(at, (at += size))));
      lines.push(...cutter.cut(bytes.subarray(at)), cutter.rest());
      expect(lines).toEqual(bytes.toString('utf8').split('\n'));
    }),
  );
});
