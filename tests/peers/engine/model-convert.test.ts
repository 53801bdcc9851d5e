/** Checkpoints of real three-rank FSDP runs and of PEFT, converted: transformers loads them with the logits of the originals. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertModel } from '../../../src/engine/convert/convert.ts';
import { peersMissing, python } from '../python.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-convert-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const missing = peersMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

const script = fileURLToPath(new URL('fsdp_shards.py', import.meta.url));
const peft = join(folder, 'peft');
const at = (...names: string[]): string => join(folder, ...names);
const ask = (...args: string[]): string =>
  execFileSync(python, [script, ...args], { encoding: 'utf8', env: { ...process.env, PYTHONPATH: peft } });
/** The largest difference of the logits of each pair, in one process. */
const differences = (...pairs: [string, string][]): number[] => JSON.parse(ask('compare', ...pairs.flat())) as number[];
// What fails is asked again: the folders of the first try are there.
const force = true;
const kinds = ['fsdp2', 'hybrid', 'fsdp1-mesh', 'fsdp1', 'flat'];

describe.skipIf(missing !== undefined)('agoge model convert', () => {
  beforeAll(() => {
    try {
      const wheels = ['peft==0.18.0', 'accelerate==1.12.0', 'psutil==7.1.3'];
      execFileSync(python, ['-m', 'pip', 'install', '-q', '--no-deps', '--target', peft, ...wheels], {
        stdio: 'ignore',
      });
    } catch {
      console.log('PEFT cannot be fetched here: its adapters are not tried');
    }
    ask('make', folder);
  });

  it.each(kinds)('%s: the shards of three ranks make all of it', async (kind) => {
    const report = await convertModel(at(kind), at(`${kind} converted`), { force });
    expect(report).toMatchObject({ checked: true, dtypes: ['F32'], merged: 0, files: ['model.safetensors'] });
    const original = readFileSync(at('original', 'model.safetensors'));
    expect(report.bytes).toBe(original.length - 8 - Number(original.readBigUInt64LE(0)));
  });

  it('transformers loads them with the logits of the original', async () => {
    await convertModel(at('bin'), at('several'), { dtype: 'BF16', fileSize: 30_000, force });
    expect(readdirSync(at('several'))).toContain('model.safetensors.index.json');
    await convertModel(at('original'), at('short'), { dtype: 'BF16', force });
    const exact = kinds.map((kind): [string, string] => [at('original'), at(`${kind} converted`)]);
    const found = differences(...exact, [at('several'), at('short')], [at('original'), at('short')]);
    expect(found.slice(0, -1)).toEqual(Array<number>(kinds.length + 1).fill(0));
    expect(found.at(-1)).toBeLessThan(0.05);
  });

  it("adapters: of a folder, and inside a trainer's state, as PEFT merges them", async ({ skip }) => {
    skip(!readdirSync(folder).includes('adapter'), 'PEFT is not here');
    const alone = await convertModel(at('adapter'), at('adapter converted'), { base: at('original'), force });
    const inside = await convertModel(at('adapter', 'whole.pt'), at('whole converted'), { base: at('original'), force });
    expect([alone.merged, inside.merged]).toEqual([7, 7]);
    const merged = at('merged');
    for (const found of differences([merged, at('adapter converted')], [merged, at('whole converted')]))
      expect(found).toBeLessThan(1e-3);
    expect(differences([merged, at('original')])[0]).toBeGreaterThan(0.1);
  });
});
