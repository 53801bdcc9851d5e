/** Checkpoints that PyTorch itself saved (`.bin`): every tensor as torch has it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openPytorch } from '../../../src/engine/embedded/models/files/pytorch.ts';
import { peersMissing, python } from '../python.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-pytorch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = `
import sys, json, collections, torch
torch.manual_seed(0)
big = torch.randn(10, 7)
state = collections.OrderedDict(
    a=torch.randn(3, 5), half=torch.randn(4, 4).half(), bf=torch.randn(2, 9).bfloat16(),
    view=big[2:5], parameter=torch.nn.Parameter(torch.randn(6)), scalar=torch.tensor(1.5), shared=big)
torch.save(state, sys.argv[1])
print(json.dumps({k: [list(v.shape), v.detach().float().flatten().tolist()] for k, v in state.items()}))
`;

describe.skipIf(peersMissing())('torch.save', () => {
  it('is read tensor by tensor', async () => {
    const path = join(folder, 'pytorch_model.bin');
    const { stdout, stderr } = spawnSync(python, ['-c', script, path], { encoding: 'utf8' });
    const wanted = JSON.parse(stdout || `"${stderr}"`) as Record<string, [number[], number[]]>;
    await using file = await openPytorch(path);
    expect([...file.tensors.keys()].sort()).toEqual(Object.keys(wanted).sort());
    for (const [name, [shape, values]] of Object.entries(wanted)) {
      expect(file.tensors.get(name)?.shape).toEqual(shape);
      const target = new Float32Array(values.length);
      await file.read(name, target);
      expect([...target]).toEqual(values.map(Math.fround));
    }
  });
});
