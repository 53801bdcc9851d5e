/** `agoge data` as a whole command: conversions, refusals, interruptions of the disk, nothing half written. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { transfer } from '../../src/data/transfer.ts';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-data-e2e-'));
const path = (name: string): string => join(folder, name);

function agoge(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'data', ...args], { encoding: 'utf8', cwd: folder });
  return { status, stdout, stderr };
}

describe('agoge data', () => {
  it('demonstrates, inspects, converts there and back, validates, splits, removes duplicates', () => {
    expect(agoge('demonstrate', 'textcraft', '--split', 'test', '--count', '12', '--out', 'demo.json')).toMatchObject({
      status: 0,
    });
    const inspected = agoge('inspect', 'demo.json', '--json');
    expect(JSON.parse(inspected.stdout)).toMatchObject({ format: 'agenttraj', rows: 12, items: 12, problems: [] });
    expect(agoge('convert', 'demo.json', 'sft.parquet').stdout).toMatch(
      /12 rows of agenttraj\nwrote {4}sft.parquet: 12 rows of verl-sft/,
    );
    expect(agoge('convert', 'demo.json', 'rl.parquet', '--to', 'verl-rl')).toMatchObject({ status: 0 });
    expect(agoge('convert', 'rl.parquet', 'ids.json')).toMatchObject({ status: 0 });
    const ids = JSON.parse(readFileSync(path('ids.json'), 'utf8')) as { item_id: string }[];
    expect(ids[11]).toEqual({ item_id: 'textcraft_11' });
    expect(agoge('validate', 'demo.json', 'rl.parquet')).toMatchObject({ status: 0 });
    expect(agoge('split', 'sft.parquet', 'a.parquet', 'b.parquet', '--share', '0.25').stdout).toMatch(/9 of 12[^]*3 of 12/);
    expect(agoge('convert', 'demo.json', 'demo.json', 'twice.jsonl')).toMatchObject({ status: 0 });
    expect(agoge('dedupe', 'twice.jsonl', 'once.jsonl').stdout).toMatch(/12 of 24 rows/);
    expect(agoge('dedupe', 'twice.jsonl', 'never.jsonl', '--by', 'wrods')).toMatchObject({ status: 2, stdout: '' });
    expect(existsSync(path('never.jsonl'))).toBe(false);
  });

  it('converts a folder file by file and stops at a file of another kind', () => {
    mkdirSync(path('lists'));
    writeFileSync(path('lists/webshop_train.json'), JSON.stringify([{ item_id: 'webshop_1' }, { item_id: 'webshop_2' }]));
    writeFileSync(path('lists/babyai_train.json'), JSON.stringify([{ item_id: 'babyai_1' }]));
    expect(agoge('convert', 'lists', 'out')).toMatchObject({ status: 0 });
    expect(readdirSync(path('out')).sort()).toEqual(['babyai_train.parquet', 'webshop_train.parquet']);
    writeFileSync(path('lists/odd.json'), JSON.stringify([{ something: 'else' }]));
    expect(agoge('convert', 'lists', 'out2').stderr).toMatch(/odd.json: row 1 \(something\) is in no format known here/);
  });

  it('names file and row of bad input and leaves nothing behind', async () => {
    writeFileSync(path('cut.json'), '[{"item_id":"webshop_1"},{"item_id":');
    writeFileSync(path('mixed.jsonl'), '{"messages":[{"role":"user","content":"x"}]}\n{"item_id":"webshop_1"}\n');
    writeFileSync(path('cut.parquet'), readFileSync(path('sft.parquet')).subarray(0, 900));
    writeFileSync(path('latin1.jsonl'), Buffer.from('{"item_id":"webshop_1"}\n{"item_id":"\xe9"}\n', 'latin1'));
    const cut = agoge('convert', 'cut.json', 'never.json');
    expect(cut.stderr).toMatch(/cut.json: row 2 ends in the middle/);
    expect(cut.status).not.toBe(0);
    for (const [input, output, message] of [
      ['mixed.jsonl', 'never.jsonl', /mixed.jsonl: row 2 is not a row of chat.*looks like ids/],
      ['cut.parquet', 'never.jsonl', /cut.parquet is not a whole parquet file/],
      ['latin1.jsonl', 'never.json', /latin1.jsonl: row 2 is not UTF-8/],
      ['nothing.json', 'never.jsonl', /nothing.json does not exist/],
    ] as const) {
      await expect(transfer([path(input)], path(output))).rejects.toThrow(message);
    }
    expect(agoge('convert', 'mixed.jsonl', 'some.jsonl', '--skip-bad').stdout).toMatch(/left out 1 rows/);
    expect(agoge('convert', 'demo.json', 'sft.parquet').stderr).toMatch(/sft.parquet exists.*--force/);
    expect(agoge('convert', 'demo.json', 'sft.parquet', '--force')).toMatchObject({ status: 0 });
    expect(existsSync(path('never.jsonl')) || existsSync(path('never.json'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('.writing'))).toEqual([]);
  });

  it('a damaged parquet file ends every command with its name and what to do', () => {
    const bytes = readFileSync(path('sft.parquet'));
    bytes[200] = (bytes[200] ?? 0) ^ 0x80;
    writeFileSync(path('turned.parquet'), bytes);
    writeFileSync(path('sft.yaml'), 'run: turned\npolicy: base\ndata: { source: files, train: turned.parquet }\nsteps: 1\n');
    for (const command of [
      [main, 'data', 'inspect', 'turned.parquet'],
      [main, 'data', 'validate', 'turned.parquet'],
      [main, 'data', 'convert', 'turned.parquet', 'never.jsonl'],
      [main, 'sft', 'sft.yaml', '--no-view'],
    ]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', cwd: folder });
      const said = stdout + stderr;
      expect(said).toMatch(/turned\.parquet: row group 1, column \S+: .*: the file is damaged; copy or write it again/);
      expect(said).not.toMatch(/^\s+at /m);
      expect(status).toBe(1);
    }
  });

  it('a disk that takes no more: the old file stays, no half file appears', () => {
    const before = readFileSync(path('twice.jsonl'));
    const command = `ulimit -f 8; exec "${process.execPath}" "${main}" data convert demo.json twice.jsonl --force`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', cwd: folder });
    expect(stderr).toMatch(/twice.jsonl could not be written and was left as it was/);
    expect(status).toBe(1);
    expect(readFileSync(path('twice.jsonl')).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('.writing'))).toEqual([]);
  });
});
