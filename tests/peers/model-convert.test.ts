/** Checkpoints of real two-rank FSDP runs and of PEFT, converted: transformers loads them with the logits of the originals. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertModel } from '../../src/engine/convert/convert.ts';
import { peersMissing, python } from './python.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-convert-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const missing = peersMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

const script = fileURLToPath(new URL('fsdp_shards.py', import.meta.url));
const peft = join(folder, 'peft');
const at = (...names: string[]): string => join(folder, ...names);
const ask = (...args: string[]): string =>
  execFileSync(python, [script, ...args], { encoding: 'utf8', env: { ...process.env, PYTHONPATH: peft } });
const difference = (a: string, b: string): number => (JSON.parse(ask('compare', a, b)) as { difference: number }).difference;

describe.skipIf(missing !== undefined)('agoge model convert', () => {
  beforeAll(() => {
    try {
      const wheels = ['peft==0.18.0', 'accelerate==1.12.0', 'psutil==7.1.3'];
      execFileSync(python, ['-m', 'pip', 'install', '-q', '--no-deps', '--target', peft, ...wheels], {
        timeout: 120_000,
        stdio: 'ignore',
      });
    } catch {
      console.log('PEFT cannot be fetched here: its adapters are not tried');
    }
    ask('make', folder);
  }, 300_000);

  it.each(['fsdp2', 'hybrid', 'fsdp1-mesh', 'fsdp1', 'flat'])('%s: the shards of two ranks are the model', async (kind) => {
    // From the run's folder, the step's or the actor's.
    const report = await convertModel(at(kind), at(`${kind} converted`));
    expect(report).toMatchObject({ checked: true, dtypes: ['F32'], merged: 0, files: ['model.safetensors'] });
    const original = readFileSync(at('original', 'model.safetensors'));
    expect(report.bytes).toBe(original.length - 8 - Number(original.readBigUInt64LE(0)));
    expect(difference(at('original'), at(`${kind} converted`))).toBe(0);
  });

  it('a .bin and safetensors, in several files and in bfloat16', async () => {
    const report = await convertModel(at('bin'), at('bin converted'), { dtype: 'BF16', fileSize: 30_000 });
    expect(report.files.length).toBeGreaterThan(2);
    expect(readdirSync(at('bin converted'))).toContain('model.safetensors.index.json');
    await convertModel(at('original'), at('short'), { dtype: 'BF16' });
    expect(difference(at('bin converted'), at('short'))).toBe(0);
    expect(difference(at('bin converted'), at('original'))).toBeLessThan(0.05);
  });

  it("adapters: of a folder, and inside a trainer's state, as PEFT merges them", async ({ skip }) => {
    skip(!readdirSync(folder).includes('adapter'), 'PEFT is not here');
    const report = await convertModel(at('adapter'), at('adapter converted'), { base: at('original') });
    expect(report.merged).toBe(7);
    expect(difference(at('merged'), at('adapter converted'))).toBeLessThan(1e-5);
    expect(difference(at('original'), at('adapter converted'))).toBeGreaterThan(1e-2);
    const whole = await convertModel(at('adapter', 'whole.pt'), at('whole converted'), { base: at('original') });
    expect(whole.merged).toBe(7);
    expect(difference(at('merged'), at('whole converted'))).toBeLessThan(1e-5);
  });
});
