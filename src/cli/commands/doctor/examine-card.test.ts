import { describe, expect, it } from 'vitest';
import { AgogeError } from '../../../core/error.ts';
import { shapeConfig } from '../../../engine/embedded/network/shapes.ts';
import type { Card } from '../../../engine/embedded/runtime/cuda/card.ts';
import { cardFindings, cardModelFindings } from './examine-card.ts';
import { examineModel } from './examine-model.ts';

const gibibyte = 2 ** 30;
const card: Card = {
  ...{ index: 0, identity: 'GPU-1', name: 'NVIDIA H200', driver: '580.95.05', capability: 9 },
  ...{ total: 140 * gibibyte, free: 139 * gibibyte, holders: [] },
};
const runtime = { library: '/x/libonnxruntime.so.1.31.1', version: '1.31.1', cuda: 13, preload: [], from: 'agoge gpu install' };
const none = new AgogeError('ENGINE_NO_GPU_LIBRARY', 'no ONNX Runtime with CUDA was found: run agoge gpu install');

describe('what doctor says of a card', () => {
  it('names card, driver and library', () => {
    const found = cardFindings(card, runtime, 'problem');
    expect(found.map(({ level }) => level)).toEqual(['ok', 'ok']);
    expect(found[0]?.found).toBe('0: NVIDIA H200, 140.0 GiB (139.0 GiB free), compute capability 9, driver 580.95.05');
    expect(found[1]?.found).toMatch(/ONNX Runtime 1\.31\.1 for CUDA 13 \(agoge gpu install/);
  });

  it('names what is missing and the one command that mends it', () => {
    expect(cardFindings(card, none, 'note')[1]).toEqual({
      ...{ what: 'card library', level: 'note', found: 'no ONNX Runtime with CUDA was found', remedy: 'run agoge gpu install' },
    });
    expect(cardFindings(undefined, runtime, 'problem')[0]).toMatchObject({ what: 'card', level: 'problem' });
    const old = cardFindings({ ...card, driver: '550.54' }, runtime, 'problem')[1];
    expect(old).toMatchObject({ what: 'driver', level: 'problem', remedy: 'install driver 580 or newer' });
    const turing = cardFindings({ ...card, name: 'Tesla T4', capability: 7.5 }, runtime, 'problem')[1];
    expect(turing?.remedy).toBe('set engine.numbers=float32');
    const held = cardFindings(
      { ...card, holders: [{ process: 7, name: 'python3', bytes: 60 * gibibyte }] },
      runtime,
      'problem',
    )[1];
    expect(held).toMatchObject({
      what: 'card memory',
      level: 'note',
      remedy: expect.stringContaining('CUDA_VISIBLE_DEVICES') as string,
    });
    expect(held?.found).toMatch(/process 7 \(python3\) 60\.0 GiB/);
  });

  it('counts a model that is not on disk', async () => {
    const [model, sample, whole, adapters] = await examineModel('shape:llama-8b', { free: 80 * gibibyte });
    expect(model?.found).toMatch(/^llama, 8030M parameters/);
    expect(sample?.found).toMatch(/weights in bfloat16 15\.0 GiB, keys and values 128 MiB per 1024 tokens; \d+ sequences/);
    expect(whole).toMatchObject({ level: 'note', remedy: 'train adapters (engine.lora) on this card' });
    expect(adapters?.level).toBe('ok');
    expect(adapters?.found).toMatch(/trained on \d+ tokens at once.*a sequence of up to \d+/);
    await expect(examineModel('shape:gpt-5', { free: 1 })).rejects.toThrow(/no shape is called "gpt-5"/);
  });

  it('says where nothing of a model fits', () => {
    expect(cardModelFindings(shapeConfig('llama-8b'), 8 * gibibyte).map(({ level }) => level)).toEqual(['note', 'note', 'note']);
  });
});
