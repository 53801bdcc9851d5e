/** Files of torch.save as our own code writes them, for tests where there is no Python: pickles and the archive around them. */
import { deflateRawSync } from 'node:zlib';

/** Pieces of a pickle. */
export const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([0x8c, bytes.length]), bytes]);
};
export const global = (module: string, name: string): Buffer => Buffer.from(`c${module}\n${name}\n`);
export const small = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [0x4b, value]));
export const join0 = (...parts: (Buffer | number[])[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)));

/** A ZIP archive of stored files, or of compressed ones. */
export function zip(files: Readonly<Record<string, Buffer>>, compressed = false): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, whole] of Object.entries(files)) {
    const data = compressed ? deflateRawSync(whole) : whole;
    const method = compressed ? 8 : 0;
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(method, 8);
    head.writeUInt32LE(data.length, 18);
    head.writeUInt32LE(whole.length, 22);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(whole.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    local.push(head, Buffer.from(name), data);
    central.push(entry, Buffer.from(name));
    offset += 30 + name.length + data.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, list, end]);
}

/** A state as torch.save writes it: plain float32 tensors, one storage each. */
export function torchFile(tensors: Readonly<Record<string, { readonly shape: readonly number[]; readonly data: Float32Array }>>): Buffer {
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(5, 0x4a);
    bytes.writeInt32LE(value, 1);
    return bytes;
  };
  const tuple = (...parts: Buffer[]): Buffer => join0([0x28], ...parts, [0x74]);
  const entries = Object.entries(tensors).map(([name, { shape, data }], at) => {
    const strides = shape.map((_, i) => shape.slice(i + 1).reduce((product, extent) => product * extent, 1));
    const storage = [text('storage'), global('torch', 'FloatStorage'), text(String(at)), text('cpu'), number(data.length)];
    const hooks = join0(global('collections', 'OrderedDict'), [0x29, 0x52]);
    const args = tuple(
      join0(tuple(...storage), [0x51]),
      number(0),
      tuple(...shape.map(number)),
      tuple(...strides.map(number)),
      Buffer.from([0x89]),
      hooks,
    );
    return join0(text(name), global('torch._utils', '_rebuild_tensor_v2'), args, [0x52]);
  });
  const stored = Object.values(tensors).map(({ data }, at): [string, Buffer] => [
    `archive/data/${String(at)}`,
    Buffer.from(data.buffer, data.byteOffset, data.byteLength),
  ]);
  return zip({ 'archive/data.pkl': join0([0x80, 2, 0x7d, 0x28], ...entries, [0x75, 0x2e]), ...Object.fromEntries(stored) });
}
