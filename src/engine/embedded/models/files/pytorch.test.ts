import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readPickle } from './pickle.ts';
import { openPytorch } from './pytorch.ts';
import { global, join0, small, text, zip } from './torch-file.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-pytorch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `{'w': tensor of [2, 3] that starts at element 1 of storage 0}` as torch.save pickles it. */
const pickle = (shape = [2, 3], strides = [3, 1]): Buffer =>
  join0(
    [0x80, 2, 0x7d, 0x28],
    text('w'),
    global('torch._utils', '_rebuild_tensor_v2'),
    [0x28, 0x28],
    text('storage'),
    global('torch', 'FloatStorage'),
    text('0'),
    text('cpu'),
    small(7),
    [0x74, 0x51],
    small(1),
    [0x28],
    small(...shape),
    [0x74, 0x28],
    small(...strides),
    [0x74, 0x89],
    global('collections', 'OrderedDict'),
    [0x29, 0x52, 0x74, 0x52, 0x75, 0x2e],
  );

const storage = Buffer.from(Float32Array.from([9, 1, 2, 3, 4, 5, 6]).buffer);
const write = (name: string, bytes: Buffer): string => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};

describe('a checkpoint of PyTorch', () => {
  test('is read in place, offset and all', async () => {
    const path = write('good.bin', zip({ 'archive/data.pkl': pickle(), 'archive/data/0': storage }));
    await using file = await openPytorch(path);
    expect(file.tensors.get('w')).toMatchObject({ dtype: 'F32', shape: [2, 3] });
    const target = new Float32Array(6);
    await file.read('w', target);
    expect([...target]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test.each([
    ['transposed', zip({ 'a/data.pkl': pickle([2, 3], [1, 2]), 'a/data/0': storage }), /transposed/],
    ['too large', zip({ 'a/data.pkl': pickle([2, 4], [4, 1]), 'a/data/0': storage }), /beyond its storage/],
    ['without its storage', zip({ 'a/data.pkl': pickle() }), /not described/],
    ['without a pickle', zip({ 'a/data/0': storage }), /no data\.pkl/],
    ['cut off', zip({ 'a/data.pkl': pickle(), 'a/data/0': storage }).subarray(0, 200), /ZIP archive/],
    ['no archive', Buffer.from('hello'), /ZIP archive/],
  ])('%s is refused with the reason', async (name, bytes, reason) => {
    await expect(openPytorch(write(`${name}.bin`, bytes))).rejects.toThrow(reason);
  });
});

describe('a pickle', () => {
  const allowed = (name: string): boolean => name === 'collections.OrderedDict';

  test.each([
    ['os.system', join0([0x80, 2], global('os', 'system'), [0x28], text('touch pwned'), [0x74, 0x52, 0x2e])],
    ['builtins.eval', join0([0x80, 4], text('builtins'), text('eval'), [0x93, 0x28], text('1'), [0x74, 0x52, 0x2e])],
    ['posix.system', join0([0x80, 2], global('posix', 'system'), [0x2e])],
    [
      // What getattr would give counts, not getattr: no class of the allowed names leads elsewhere.
      'collections.OrderedDict.__init__',
      join0(
        [0x80, 2],
        global('__builtin__', 'getattr'),
        global('collections', 'OrderedDict'),
        text('__init__'),
        [0x86, 0x52, 0x29, 0x52, 0x2e],
      ),
    ],
  ])('that names %s is refused before anything is called', (name, bytes) => {
    expect(() => readPickle(bytes, allowed, 'x.bin')).toThrow(new RegExp(`names ${name}, which could run code`));
  });

  test('with an instruction that tensors do not need, or cut off anywhere, is refused', () => {
    expect(() => readPickle(Buffer.from([0x80, 2, 0x69, 0x2e]), allowed, 'x.bin')).toThrow(/instruction 0x69/);
    const whole = pickle();
    const names = (name: string): boolean => /^torch\.|OrderedDict/.test(name);
    for (let length = 0; length < whole.length; length++)
      expect(() => readPickle(whole.subarray(0, length), names, 'x.bin')).toThrow(/MODEL_BAD_PICKLE|cannot be read/);
  });
});
