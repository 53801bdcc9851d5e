/** Conversion without Python: shards, files and adapters that we write. (Real ones: tests/peers/engine/model-convert.test.ts.) */
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveFolder, loadFolder, type LoadedModel } from '../embedded/models/checkpoint.ts';
import { narrowBfloat16, narrowFloat16, widenBfloat16, widenFloat16 } from '../embedded/models/files/half.ts';
import { writeSafetensors } from '../embedded/models/files/safetensors.ts';
import { global, join0, text, torchFile, zip } from '../embedded/models/files/torch-file.fixture.ts';
import { weightOf } from '../embedded/network/layout.ts';
import { convertModel } from './convert.ts';
import { convertSteps } from './steps.ts';

const base = new URL('../../../models/base', import.meta.url).pathname;
let folder: string;
let model: LoadedModel;
const at = (...names: string[]): string => join(folder, ...names);
const down = 'model.layers.0.mlp.down_proj.weight';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agoge-convert-'));
  model = await loadFolder(base);
  await saveFolder(at('original'), model);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function shards(name: string, change: (rank: number, bytes: Buffer) => Buffer = (_, bytes) => bytes): Promise<string> {
  const actor = at(name, 'global_step_3', 'actor');
  await mkdir(join(actor, 'huggingface'), { recursive: true });
  await saveFolder(join(actor, 'huggingface'), model);
  await rm(join(actor, 'huggingface', 'model.safetensors'));
  for (const rank of [0, 1]) {
    const parts = [...model.layout.slots.values()].map(({ name: tensor, shape }) => {
      const all = weightOf(model.layout, model.weights, tensor);
      const [rows = 1, row] = [shape[0], all.length / (shape[0] ?? 1)];
      const [from, to] = rank === 0 ? [0, Math.ceil(rows / 2)] : [Math.ceil(rows / 2), rows];
      return [tensor, { shape: [to - from, ...shape.slice(1)], data: all.slice(from * row, to * row) }] as const;
    });
    await writeFile(
      join(actor, `model_world_size_2_rank_${String(rank)}.pt`),
      change(rank, torchFile(Object.fromEntries(parts))),
    );
  }
  await writeFile(at(name, 'latest_checkpointed_iteration.txt'), '3');
  return at(name);
}

describe('agoge model convert', () => {
  it("verl's shards, from the run's folder: the same weights, and a model that loads", async () => {
    const run = await shards('run');
    expect(await convertModel(run, at('joined'))).toMatchObject({ checked: true, merged: 0, dtypes: ['F32'] });
    const { weights } = await loadFolder(at('joined'));
    expect(Buffer.compare(Buffer.from(weights.buffer), Buffer.from(model.weights.buffer))).toBe(0);
    await expect(convertModel(run, at('joined'))).rejects.toMatchObject({ code: 'CLI_USAGE_CONVERT' });
    await rm(at('run', 'global_step_3', 'actor', 'model_world_size_2_rank_1.pt'));
    await expect(convertModel(run, at('half'))).rejects.toThrow(/lacks model_world_size_2_rank_1\.pt/);
    expect(await readdir(folder)).not.toContain('half');
  });

  it('a run without its note is its newest step; several steps are converted in one call', async () => {
    const run = await shards('steps');
    await rm(join(run, 'latest_checkpointed_iteration.txt'));
    await rename(join(run, 'global_step_3'), join(run, 'global_step_20'));
    await cp(join(run, 'global_step_20'), join(run, 'global_step_100'), { recursive: true });
    expect((await convertModel(run, at('newest'))).from).toContain(join('global_step_100', 'actor'));
    const reports = await convertSteps(run, at('all steps'), 'all');
    expect(reports.map(({ name, checked }) => [name, checked])).toEqual([
      ['global_step_20', true],
      ['global_step_100', true],
    ]);
    expect((await readdir(at('all steps'))).sort()).toEqual(['global_step_100', 'global_step_20']);
    await expect(convertSteps(run, at('all steps'), '20')).rejects.toThrow(/exists/);
    await expect(convertSteps(run, at('other'), '20, 40')).rejects.toThrow(/no step "40", only global_step_20, global_step_100/);
    await expect(convertSteps(at('newest'), at('other'), 'all')).rejects.toThrow(/has no steps/);
  });

  it('a shard that names a function is refused by that name, and nothing is written', async () => {
    const evil = join0([0x80, 2], global('os', 'system'), [0x28], text('touch pwned'), [0x74, 0x52, 0x2e]);
    const run = await shards('evil', (rank, bytes) => (rank === 1 ? zip({ 'a/data.pkl': evil }) : bytes));
    await expect(convertModel(run, at('evil out'))).rejects.toThrow(/names os\.system, which could run code/);
    expect(await readdir(folder)).not.toContain('evil out');
  });

  it('shards that do not make the model are refused', async () => {
    const run = await shards('cut', (rank, bytes) =>
      rank === 1 ? torchFile({ [down]: { shape: [1], data: new Float32Array(1) } }) : bytes,
    );
    await expect(convertModel(run, at('cut out'))).rejects.toThrow(/lacks tensor/);
  });

  it('an adapter is merged as W + alpha / r B A, in the wanted number type, in several files', async () => {
    const [rows = 0, columns = 0] = [...model.layout.slots.values()].find(({ name }) => name === down)?.shape ?? [];
    const a = Float32Array.from({ length: 2 * columns }, (_, i) => Math.sin(i));
    const b = Float32Array.from({ length: rows * 2 }, (_, i) => Math.cos(i));
    await mkdir(at('adapter'));
    await writeFile(at('adapter', 'adapter_config.json'), JSON.stringify({ peft_type: 'LORA', r: 2, lora_alpha: 3 }));
    const key = (side: string): string => `base_model.model.${down.replace('.weight', '')}.lora_${side}.weight`;
    await writeSafetensors(at('adapter', 'adapter_model.safetensors'), [
      { name: key('A'), shape: [2, columns], data: a },
      { name: key('B'), shape: [rows, 2], data: b },
    ]);
    await expect(convertModel(at('adapter'), at('lost'))).rejects.toThrow(/give it with --base/);
    const report = await convertModel(at('adapter'), at('merged'), { base: at('original'), fileSize: 400_000 });
    expect(report).toMatchObject({ merged: 1, checked: true });
    expect(report.files.length).toBeGreaterThan(1);
    const merged = await loadFolder(at('merged'));
    const [before, after] = [model, merged].map(({ layout, weights }) => weightOf(layout, weights, down));
    const wrong = after?.map((value, i) => {
      const [r, c] = [Math.floor(i / columns), i % columns];
      const delta = [0, 1].reduce((sum, k) => sum + 1.5 * (b[2 * r + k] ?? NaN) * (a[k * columns + c] ?? NaN), 0);
      return Math.abs(value - (before?.[i] ?? NaN) - delta);
    });
    expect(Math.max(...(wrong ?? [NaN]))).toBeLessThan(1e-6);
    expect(await convertModel(at('merged'), at('short'), { dtype: 'BF16' })).toMatchObject({
      dtypes: ['BF16'],
      bytes: report.bytes / 2,
    });
    await writeFile(at('adapter', 'adapter_config.json'), JSON.stringify({ lora_alpha: 3, use_dora: true }));
    await expect(convertModel(at('adapter'), at('lost'), { base: at('original') })).rejects.toThrow(/DoRA/);
  });
});

describe('half precision', () => {
  it.each([
    ['float16', narrowFloat16, widenFloat16],
    ['bfloat16', narrowBfloat16, widenBfloat16],
  ])('%s: every value comes back, and what lies between goes to the nearest, ties to even', (_, narrow, widen) => {
    const bytes = Uint8Array.from({ length: 2 * 65536 }, (__, i) => (i % 2 === 0 ? (i >> 1) & 0xff : i >> 9));
    const values = new Float32Array(65536);
    widen(bytes, values);
    const back = new Uint8Array(bytes.length);
    narrow(values, back);
    const wrong = [...values.keys()].filter(
      (i) => !Number.isNaN(values[i]) && (back[2 * i] !== bytes[2 * i] || back[2 * i + 1] !== bytes[2 * i + 1]),
    );
    expect(wrong).toEqual([]);
    const [one] = values.filter((value) => value > 1).sort();
    const step = (one ?? NaN) - 1;
    const near = Float32Array.from([1 + step / 2, 1 + 1.5 * step, 1 + 0.51 * step, -(1 + 0.49 * step), 1e30, NaN]);
    const small = new Uint8Array(2 * near.length);
    narrow(near, small);
    const rounded = new Float32Array(near.length);
    widen(small, rounded);
    expect([...rounded.slice(0, 4)]).toEqual([1, 1 + 2 * step, 1 + step, -1]);
    expect(rounded[4]).toBeGreaterThan(9e29);
    expect(rounded[5]).toBeNaN();
  });
});
