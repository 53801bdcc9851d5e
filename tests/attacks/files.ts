/** Attacks by files: data (JSON, JSONL, parquet, gzip), recipes (YAML), models (safetensors, GGUF, pickles). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { readRlRecipe, readSftRecipe } from '../../src/config/recipe/read-recipe.ts';
import { Random } from '../../src/core/random/random.ts';
import { inspectFile } from '../../src/data/inspect.ts';
import { loadWords } from '../../src/engine/embedded/models/checkpoint.ts';
import { openGguf } from '../../src/engine/embedded/models/files/gguf.ts';
import { openPytorch } from '../../src/engine/embedded/models/files/pytorch.ts';
import { openSafetensors } from '../../src/engine/embedded/models/files/safetensors.ts';
import { torchFile, zip } from '../../src/engine/embedded/models/files/torch-file.fixture.ts';
import { fileLines } from '../../src/run/file-lines.ts';
import type { Attack } from './attack.ts';

type Read = (path: string) => Promise<unknown>;

let written = 0;
function byFile(area: string, name: string, extension: string, bytes: () => Uint8Array | string, read: Read): Attack {
  return {
    area,
    name,
    attempt: async (folder) => {
      const path = join(folder, `attack-${written++}${extension}`);
      await writeFile(path, bytes());
      return read(path);
    },
  };
}

const readData: Read = async (path) => {
  const found = await inspectFile(path, { samples: 2 });
  return JSON.stringify(found, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
};

const row = '{"item_id":"textcraft_1","conversations":[{"from":"human","value":"x"},{"from":"gpt","value":"y"}]}';
const texts: Readonly<Record<string, string>> = {
  'deep lists': '['.repeat(100_000),
  'deep objects': '{"a":'.repeat(100_000),
  'deep and closed': `[${'['.repeat(20_000)}${']'.repeat(20_000)}]`,
  'a prototype as a key': `[{"__proto__":{"pwned":true},"item_id":"textcraft_1"}]`,
  'a constructor as a key': `[{"constructor":{"prototype":{"pwned":true}},"item_id":"textcraft_1"}]`,
  'a number without end': `[${'9'.repeat(200_000)}]`,
  'an exponent without end': '[{"item_id":"textcraft_1","reward":1e999999}]',
  'a string without end': `["${'a'.repeat(3_000_000)}`,
  'lone surrogates': '[{"item_id":"\\ud800","conversations":[{"from":"human","value":"\\udfff"}]}]',
  'bytes of zero': `[{"item_id":"\0\0\0"}]`,
  'a mark of the byte order twice': `\ufeff\ufeff[${row}]`,
  'keys twice': '[{"item_id":"a","item_id":"b","item_id":{}}]',
  'a comma too many': `[${row},,${row}]`,
  nothing: '',
  'white space': ' \n\t'.repeat(100_000),
  'a comment': `// hello\n[${row}]`,
  NaN: '[{"item_id":"textcraft_1","reward":NaN}]',
  'no list': '"text"',
  'a list of null': `[${'null,'.repeat(1000)}null]`,
  'messages that are numbers': '[{"item_id":"textcraft_1","conversations":[1,2,3]}]',
  'messages that are themselves lists': '[{"item_id":"textcraft_1","conversations":[[[[]]]]}]',
  'an item id that is a path': '[{"item_id":"../../../../etc/passwd_1"}]',
  'an item id that is code': '[{"item_id":"./evil.js_0","data_source":"./evil.js"}]',
  'an item number beyond counting': '[{"item_id":"textcraft_99999999999999999999999"}]',
  'an item number below zero': '[{"item_id":"textcraft_-1"}]',
  'a thousand columns': `[{${Array.from({ length: 1000 }, (_, i) => `"k${i}":${i}`).join(',')}}]`,
  'control characters in names': '[{"item_id":"\\u001b]0;title\\u0007_1"}]',
  'text of right to left': '[{"item_id":"\\u202etxet_1","conversations":[]}]',
  markup: '[{"item_id":"<script>alert(1)</script>_1"}]',
  'a formula': '[{"item_id":"=cmd|calc_1"}]',
};
const json = Object.entries(texts).flatMap(([name, text]) => [
  byFile('JSON', name, '.json', () => text, readData),
  byFile('JSONL', name, '.jsonl', () => `${row}\n${text}\n${row}\n`, readData),
]);

const laughs = (depth: number): string =>
  `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: depth }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join('\n')}\n`;
const recipes: Readonly<Record<string, string>> = {
  'a billion laughs': laughs(9),
  'a trillion laughs in a known key': `${laughs(12)}tasks: *a12\n`,
  'an alias of itself': 'a: &a [*a]\n',
  'an alias nobody made': 'run: *nobody\n',
  'a function by its tag': "run: !!js/function 'function(){globalThis.pwned=1}'\n",
  'a module by its tag': "run: !!python/object/apply:os.system ['touch pwned']\n",
  'a regular expression by its tag': 'run: !!js/regexp /(a+)+$/\n',
  'a prototype as a key': '__proto__: { pwned: true }\nrun: x\n',
  'a prototype by merging': 'x: &x { __proto__: { pwned: true } }\n<<: *x\n',
  'a constructor as a key': 'constructor: { prototype: { pwned: true } }\n',
  'deep lists': `run: ${'['.repeat(10_000)}\n`,
  'deep maps': `${Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')}\n`,
  'two documents': 'run: a\n---\nrun: b\n',
  tabs: 'run:\n\ta: 1\n',
  'bytes of zero': 'run: "\0"\n',
  'a name that leads out': 'run: ../../../../tmp/pwned\ntasks: [{env: textcraft}]\n',
  'a folder that leads out, absolute': 'run: /etc/agoge\ntasks: [{env: textcraft}]\n',
  'a number beyond counting': `steps: ${'9'.repeat(400)}\n`,
  'steps below zero': 'steps: -5\ntasks: [{env: textcraft}]\n',
  'not a number': 'optimizer: { lr: .nan }\ntasks: [{env: textcraft}]\n',
  endless: 'optimizer: { lr: .inf }\ntasks: [{env: textcraft}]\n',
  'a date': 'run: 2026-11-16\nsteps: 2026-11-16\n',
  'a key that is a list': '? [a, b]\n: c\n',
  'keys twice': 'run: a\nrun: b\n',
  'an interpolation of itself': 'run: ${run}\nseed: ${seed}\n',
  'interpolations that grow': `a: \${b}\${b}\nb: \${c}\${c}\nc: \${a}\${a}\n`,
  'an include': 'defaults: [/etc/passwd, ../../secret]\n',
  'markup of control': 'run: "\\e]0;pwned\\a"\n',
  'a very long name': `run: ${'a'.repeat(100_000)}\ntasks: [{env: textcraft}]\n`,
};
const yaml = Object.entries(recipes).map(([name, text]) =>
  byFile(
    'YAML',
    name,
    '.yaml',
    () => text,
    async (path) => [await readRlRecipe(path).catch(keep), await readSftRecipe(path)],
  ),
);
/** The second reader has its turn whatever the first one says; an error that is not ours goes on. */
function keep(thrown: unknown): unknown {
  if (thrown instanceof Error && thrown.name === 'AgogeError') return undefined;
  throw thrown;
}
const overrides = [
  '__proto__.pwned=1',
  'constructor.prototype.pwned=1',
  'tasks.__proto__.pwned=1',
  'a'.repeat(10_000),
  `${'a.'.repeat(5000)}b=1`,
  'tasks[999999999]=1',
  '=1',
  'run=[[[[',
  'run={a: *b}',
  '+optimizer.__proto__.pwned=1',
].map((override): Attack =>
  byFile(
    'overrides',
    override.slice(0, 40),
    '.yaml',
    () => 'run: x\ntasks: [{env: textcraft}]\n',
    (path) => readRlRecipe(path, [override]),
  ),
);

/** A valid file and what becomes of it when bytes are cut, turned, doubled or filled. */
function mutations(area: string, extension: string, valid: () => Uint8Array, read: Read, count: number, seed: number): Attack[] {
  const whole = valid();
  return Array.from({ length: count }, (_, at) => {
    const random = Random.of(seed, area, at);
    const how = ['cut', 'turned', 'filled', 'doubled', 'grown'][at % 5] ?? 'cut';
    return byFile(
      area,
      `${how} at random, ${at}`,
      extension,
      () => {
        const bytes = Buffer.from(whole);
        const place = random.below(bytes.length);
        if (how === 'cut') return bytes.subarray(0, place);
        if (how === 'doubled') return Buffer.concat([bytes.subarray(0, place), bytes]);
        if (how === 'grown') return Buffer.concat([bytes, Buffer.alloc(1 + random.below(5000), random.below(256))]);
        if (how === 'filled')
          return bytes.fill(random.pick([0, 0xff, 0x7f]), place, Math.min(bytes.length, place + 1 + random.below(16)));
        for (let turns = 0; turns < 1 + random.below(6); turns++) bytes[random.below(bytes.length)] = random.below(256);
        return bytes;
      },
      read,
    );
  });
}

const parquet = (): Uint8Array =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'data_source', data: ['textcraft', 'textcraft'], type: 'STRING' },
        { name: 'prompt', data: ['[{"role":"user","content":"hello"}]', '[]'], type: 'STRING' },
        { name: 'ability', data: ['agent', 'agent'], type: 'STRING' },
      ],
    }),
  );

const tensorBytes = (header: unknown, data = 16, length?: bigint): Buffer => {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(length ?? BigInt(text.length));
  return Buffer.concat([size, text, Buffer.alloc(data)]);
};
const tensor = (more: object): unknown => ({ w: { dtype: 'F32', shape: [4], data_offsets: [0, 16], ...more } });
const headers: Readonly<Record<string, () => Buffer>> = {
  'a header longer than the file': () => tensorBytes(tensor({}), 16, 2n ** 40n),
  'a header of 2^64 - 1': () => tensorBytes(tensor({}), 16, 2n ** 64n - 1n),
  'a header of nothing': () => tensorBytes('', 0),
  'a header that is no JSON': () => tensorBytes('{"w":'),
  'a header that is a list': () => tensorBytes([]),
  'offsets past the end': () => tensorBytes(tensor({ data_offsets: [0, 1e9] })),
  'offsets below zero': () => tensorBytes(tensor({ data_offsets: [-16, 0] })),
  'offsets the wrong way round': () => tensorBytes(tensor({ data_offsets: [16, 0] })),
  'offsets that are no numbers': () => tensorBytes(tensor({ data_offsets: ['0', '16'] })),
  'offsets with a fraction': () => tensorBytes(tensor({ data_offsets: [0.5, 16.5] })),
  'a shape of another size': () => tensorBytes(tensor({ shape: [1000, 1000] })),
  'a shape below zero': () => tensorBytes(tensor({ shape: [-4] })),
  'a shape beyond counting': () => tensorBytes(tensor({ shape: [2 ** 53, 2 ** 53] })),
  'a type nobody knows': () => tensorBytes(tensor({ dtype: 'COMPLEX' })),
  'a type that is a method': () => tensorBytes(tensor({ dtype: 'constructor' })),
  'a name that is a prototype': () => tensorBytes('{"__proto__":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}'),
  'deep JSON': () => tensorBytes('{"a":'.repeat(50_000)),
  'an empty file': () => Buffer.alloc(0),
  'four bytes': () => Buffer.alloc(4),
};
const openAndRead: Read = async (path) => {
  await using file = await openSafetensors(path);
  const names = [...file.tensors.keys()];
  // What is said to be there and fits into memory is read for real.
  for (const [name, { shape }] of file.tensors) {
    const elements = shape.reduce((product, size) => product * size, 1);
    if (elements < 1e6) await file.read(name, new Float32Array(elements));
  }
  return names;
};
const safetensors = Object.entries(headers).map(([name, bytes]) =>
  byFile('safetensors', name, '.safetensors', bytes, openAndRead),
);

const ggufHead = (version: number, tensors: bigint, keys: bigint, rest: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(24);
  head.write('GGUF', 0, 'latin1');
  head.writeUInt32LE(version, 4);
  head.writeBigUInt64LE(tensors, 8);
  head.writeBigUInt64LE(keys, 16);
  return Buffer.concat([head, rest]);
};
const ggufText = (length: bigint, text = ''): Buffer => {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(length);
  return Buffer.concat([size, Buffer.from(text)]);
};
const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const ggufs: Readonly<Record<string, () => Buffer>> = {
  'another magic': () => Buffer.from('GGUX'.padEnd(64, '\0')),
  'an empty file': () => Buffer.alloc(0),
  'a head alone': () => ggufHead(3, 0n, 0n),
  'a version of tomorrow': () => ggufHead(99, 0n, 0n),
  'tensors beyond counting': () => ggufHead(3, 2n ** 63n, 0n),
  'keys beyond counting': () => ggufHead(3, 0n, 2n ** 63n),
  'a key longer than the file': () => ggufHead(3, 0n, 1n, ggufText(2n ** 62n)),
  'a key of nothing': () => ggufHead(3, 0n, 1n, Buffer.concat([ggufText(0n), word(4), word(1)])),
  'a value of a type nobody knows': () => ggufHead(3, 0n, 1n, Buffer.concat([ggufText(1n, 'a'), word(77), word(1)])),
  'a list longer than the file': () =>
    ggufHead(3, 0n, 1n, Buffer.concat([ggufText(1n, 'a'), word(9), word(4), ggufText(2n ** 60n)])),
  'lists of lists of lists': () =>
    ggufHead(
      3,
      0n,
      1n,
      Buffer.concat([ggufText(1n, 'a'), ...Array.from({ length: 20_000 }, () => Buffer.concat([word(9), ggufText(1n)]))]),
    ),
  'a text longer than the file': () => ggufHead(3, 0n, 1n, Buffer.concat([ggufText(1n, 'a'), word(8), ggufText(2n ** 40n, 'x')])),
  'a name that is a prototype': () => ggufHead(3, 0n, 1n, Buffer.concat([ggufText(9n, '__proto__'), word(4), word(1)])),
  'a tensor of a thousand dimensions': () => ggufHead(3, 1n, 0n, Buffer.concat([ggufText(1n, 'w'), word(1000)])),
  'a tensor beyond the end': () =>
    ggufHead(3, 1n, 0n, Buffer.concat([ggufText(1n, 'w'), word(1), ggufText(2n ** 50n), word(0), ggufText(2n ** 50n)])),
};
const gguf = Object.entries(ggufs).map(([name, bytes]) =>
  byFile('GGUF', name, '.gguf', bytes, async (path) => {
    await using file = await openGguf(path);
    return file;
  }),
);

const pickled = (program: string): Buffer =>
  zip({ 'archive/data.pkl': Buffer.from(program, 'latin1'), 'archive/version': Buffer.from('3\n') });
const programs: Readonly<Record<string, string>> = {
  'os.system': '\x80\x02cos\nsystem\nX\x0b\0\0\0touch pwned\x85R.',
  'posix.system': '\x80\x02cposix\nsystem\nX\x0b\0\0\0touch pwned\x85R.',
  'builtins.eval': '\x80\x02cbuiltins\neval\nX\x01\0\0\x001\x85R.',
  '__builtin__.exec': '\x80\x02c__builtin__\nexec\nX\x01\0\0\x001\x85R.',
  'subprocess.Popen': '\x80\x02csubprocess\nPopen\n](X\x02\0\0\0idee\x85R.',
  'builtins.getattr': '\x80\x02cbuiltins\ngetattr\nN\x85R.',
  'a name from the stack': '\x80\x04X\x02\0\0\0osX\x06\0\0\0system\x93.',
  INST: '(S"id"\nios\nsystem\n.',
  OBJ: '(cos\nsystem\nS"id"\no.',
  NEWOBJ: '\x80\x02cos\nsystem\n)\x81.',
  'BUILD of a prototype': '\x80\x02}X\x09\0\0\0__proto__}X\x05\0\0\0pwnedK\x01ssb.',
  'a dictionary with a prototype': '\x80\x02}X\x09\0\0\0__proto__}X\x05\0\0\0pwnedK\x01ss.',
  'an extension by its number': '\x80\x02\x82\x01.',
  'a persistent id of anything': '\x80\x02X\x04\0\0\0evilQ.',
  'a stack that is empty': '\x80\x02R.',
  'no end': '\x80\x02K\x01',
  'a text longer than the file': '\x80\x04X\xff\xff\xff\x7f',
  'bytes of 2^63': '\x80\x04\x8e\0\0\0\0\0\0\0\x80',
  'lists in lists': `\x80\x02${']'.repeat(100_000)}.`,
  'a memo that doubles': `\x80\x02]q\0${'h\0h\0e'.repeat(30)}.`,
  'a memo nobody made': '\x80\x02h\x07.',
  'an opcode nobody knows': '\x80\x02\xfe.',
  'a protocol of tomorrow': '\x80\x63N.',
};
const openTorch: Read = async (path) => {
  await using file = await openPytorch(path);
  return [...file.tensors.keys()];
};
const pickles = Object.entries(programs).map(([name, program]) =>
  byFile('pickle', name, '.bin', () => pickled(program), openTorch),
);

const lines: Read = async (path) => {
  const problems: string[] = [];
  let count = 0;
  const folder = path.slice(0, path.lastIndexOf('/'));
  const limits = { packed: 2 ** 22, plain: 2 ** 24, line: 2 ** 20, milliseconds: 5000 };
  for await (const _ of fileLines(folder, path.slice(folder.length + 1), (problem) => problems.push(problem), limits)) count++;
  return [count, problems];
};
const plain = Buffer.from(`${row}\n`.repeat(100));
const packs: Readonly<Record<string, () => Buffer>> = {
  'a bomb of zeros': () => gzipSync(Buffer.alloc(64 << 20), { level: 9 }),
  'a bomb of lines': () => gzipSync(Buffer.alloc(32 << 20, '\n'), { level: 9 }),
  'a bomb in a bomb': () => gzipSync(gzipSync(Buffer.alloc(32 << 20), { level: 9 })),
  'ten thousand members': () => Buffer.concat(Array.from({ length: 10_000 }, () => gzipSync(''))),
  'a wrong check sum': () => {
    const packed = gzipSync(plain);
    packed[packed.length - 6] = (packed[packed.length - 6] ?? 0) ^ 0xff;
    return packed;
  },
  'cut in its middle': () => gzipSync(plain).subarray(0, 60),
  'a head alone': () => gzipSync(plain).subarray(0, 10),
  'rubbish behind it': () => Buffer.concat([gzipSync(plain), Buffer.alloc(1000, 'x')]),
  'no gzip at all': () => plain,
  'a name without end in its head': () =>
    Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(1 << 20, 'a')]),
};
const gzip = Object.entries(packs).flatMap(([name, bytes]) => [
  byFile('gzip', `${name}, lines`, '.jsonl.gz', bytes, lines),
  ...(name.startsWith('a bomb') ? [] : [byFile('gzip', `${name}, data`, '.jsonl.gz', bytes, readData)]),
]);

const tokenizers: Readonly<Record<string, string>> = {
  'an expression that never ends':
    '{"model":{"type":"BPE","vocab":{"a":0},"merges":[]},"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(a+)+$"},"behavior":"Isolated"}}',
  'a prototype as a token': '{"model":{"type":"BPE","vocab":{"__proto__":0},"merges":[]}}',
  'no JSON': '{',
  'deep JSON': `{"model":${'['.repeat(50_000)}`,
  'a model nobody knows': '{"model":{"type":"constructor"}}',
};
const words = Object.entries(tokenizers).map(([name, text]): Attack => ({
  area: 'tokenizer',
  name,
  attempt: async (folder) => {
    const { mkdir } = await import('node:fs/promises');
    const at = join(folder, `model-${written++}`);
    await mkdir(at);
    await writeFile(
      join(at, 'config.json'),
      '{"model_type":"llama","hidden_size":8,"num_hidden_layers":1,"num_attention_heads":1,"vocab_size":8}',
    );
    await writeFile(join(at, 'tokenizer.json'), text);
    const { tokenizer } = await loadWords(at);
    return tokenizer.encode(`${'a'.repeat(40)}!`);
  },
}));

/** Attacks by files; `count` random mutations of each valid file. */
export function fileAttacks(count: number, seed: number): Attack[] {
  const torch = torchFile({ w: { shape: [2, 2], data: new Float32Array(4) } });
  return [
    ...json,
    ...yaml,
    ...overrides,
    ...safetensors,
    ...gguf,
    ...pickles,
    ...gzip,
    ...words,
    ...mutations('parquet', '.parquet', parquet, readData, count, seed),
    ...mutations('safetensors', '.safetensors', () => tensorBytes(tensor({})), openAndRead, count, seed),
    ...mutations('pickle', '.bin', () => torch, openTorch, count, seed),
    ...mutations('gzip', '.jsonl.gz', () => gzipSync(plain), lines, count, seed),
    ...mutations('JSON', '.json', () => Buffer.from(`[${row},${row}]`), readData, count, seed),
  ];
}
