/** Attacks on servers (HTTP), terminals (ANSI), pages (HTML), environments (unicode) and folders (paths, links). */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isPrintable, printable, printableJson } from '../../src/core/printable.ts';
import { AgogeError } from '../../src/core/error.ts';
import '../../src/envs/builtin.ts';
import type { Environment } from '../../src/envs/environment.ts';
import { loadEnvironment } from '../../src/envs/registry.ts';
import { startGym } from '../../src/gym/server/server.ts';
import { keepInside, namesInside, openInside, readInside, tailInside } from '../../src/run/inside.ts';
import { Harmed, type Attack } from './attack.ts';

const loaded = new Map<string, Promise<Environment>>();
/** An environment, loaded once for all attacks. */
function world(name: string): Promise<Environment> {
  const known = loaded.get(name) ?? loadEnvironment(name, {});
  loaded.set(name, known);
  return known;
}

/** Sends bytes as they are; what comes back until the other side ends, or for a moment. */
function send(port: number, bytes: string | Buffer, patience = 150): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(heard);
    };
    const timer = setTimeout(end, patience);
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
    socket.on('close', end);
    socket.on('error', end);
  });
}

const head = (first: string, headers: readonly string[] = [], body = ''): string =>
  [first, 'Host: 127.0.0.1', ...headers, '', body].join('\r\n');
const post = (path: string, body: string, ...headers: string[]): string =>
  head(
    `POST ${path} HTTP/1.1`,
    ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, ...headers],
    body,
  );

/** Requests, and what the answer must not be. An answer of 500 is always harm. */
const requests: Readonly<Record<string, { readonly bytes: string | Buffer; readonly never?: RegExp }>> = {
  'two lengths': { bytes: head('POST /create HTTP/1.1', ['Content-Length: 2', 'Content-Length: 20'], '{}') },
  'a length and chunks': {
    bytes: head(
      'POST /create HTTP/1.1',
      ['Content-Length: 4', 'Transfer-Encoding: chunked'],
      '0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n',
    ),
    never: /agoge_/,
  },
  'chunks twice': { bytes: head('POST /create HTTP/1.1', ['Transfer-Encoding: chunked, chunked'], '0\r\n\r\n') },
  'a length below zero': { bytes: head('POST /create HTTP/1.1', ['Content-Length: -1']) },
  'a length with a plus': { bytes: head('POST /create HTTP/1.1', ['Content-Length: +2'], '{}') },
  'a length in hexadecimal': { bytes: head('POST /create HTTP/1.1', ['Content-Length: 0x2'], '{}') },
  'a length beyond counting': { bytes: head('POST /create HTTP/1.1', ['Content-Length: 99999999999999999999']) },
  'a body that never comes': { bytes: head('POST /create HTTP/1.1', ['Content-Length: 100'], '{') },
  'a chunk beyond counting': { bytes: head('POST /create HTTP/1.1', ['Transfer-Encoding: chunked'], 'ffffffffffffffff\r\n') },
  'a chunk that is no number': { bytes: head('POST /create HTTP/1.1', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n') },
  'a megabyte of header': { bytes: head('GET / HTTP/1.1', [`X: ${'a'.repeat(1 << 20)}`]) },
  'ten thousand headers': {
    bytes: head(
      'GET / HTTP/1.1',
      Array.from({ length: 10_000 }, (_, i) => `X${i}: 1`),
    ),
  },
  'a header with zero bytes': { bytes: head('GET / HTTP/1.1', ['X: a\0b']) },
  'a header folded': { bytes: head('GET / HTTP/1.1', ['X: a\r\n b']) },
  'a header without a colon': { bytes: head('GET / HTTP/1.1', ['nonsense']) },
  'a space before the colon': { bytes: head('POST /create HTTP/1.1', ['Content-Length : 2'], '{}') },
  'lines without carriage returns': { bytes: 'GET / HTTP/1.1\nHost: 127.0.0.1\n\n' },
  'no Host': { bytes: 'GET / HTTP/1.1\r\n\r\n' },
  'two Hosts': { bytes: 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n', never: /200 OK[^]*textcraft/ },
  'a Host of somebody else': { bytes: 'GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n', never: /agoge_/ },
  'a Host that begins like ours': { bytes: 'GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n', never: /agoge_/ },
  'a Host with our name as its user': { bytes: 'GET /metrics HTTP/1.1\r\nHost: 127.0.0.1@evil.example\r\n\r\n', never: /agoge_/ },
  'an Origin of somebody else': {
    bytes: head('POST /create HTTP/1.1', ['Origin: https://evil.example', 'Content-Length: 2'], '{}'),
    never: / 200 /,
  },
  'an Origin of null': { bytes: head('POST /create HTTP/1.1', ['Origin: null', 'Content-Length: 2'], '{}'), never: / 200 / },
  'a preflight of somebody else': {
    bytes: head('OPTIONS /create HTTP/1.1', ['Origin: https://evil.example', 'Access-Control-Request-Method: POST']),
    never: /access-control-allow-origin/i,
  },
  'an upgrade': {
    bytes: head('GET / HTTP/1.1', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x']),
    never: / 101 /,
  },
  'the preface of HTTP/2': { bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  'HTTP/0.9': { bytes: 'GET /\r\n' },
  'HTTP/9.9': { bytes: 'GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n' },
  'the hello of TLS': { bytes: Buffer.from('160301020001000001fc0303', 'hex') },
  noise: { bytes: Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256)) },
  'a method nobody knows': { bytes: head('BREW / HTTP/1.1') },
  'a method of a hundred kilobytes': { bytes: head(`${'A'.repeat(100_000)} / HTTP/1.1`) },
  'a path of a megabyte': { bytes: head(`GET /${'a'.repeat(1 << 20)} HTTP/1.1`) },
  'a path that leads out': { bytes: head('GET /../../../../etc/passwd HTTP/1.1'), never: /root:/ },
  'a path that leads out, encoded': { bytes: head('GET /%2e%2e/%2e%2e/%2e%2e/etc/passwd HTTP/1.1'), never: /root:/ },
  'a path with a zero byte': { bytes: head('GET /create%00.html HTTP/1.1') },
  'a path badly encoded': { bytes: head('GET /observation?id=%E0%A4%A HTTP/1.1') },
  'a whole address as its path': { bytes: head('GET http://evil.example/ HTTP/1.1') },
  CONNECT: { bytes: head('CONNECT evil.example:443 HTTP/1.1'), never: / 200 / },
  'a new line in its path': { bytes: head('GET /%0d%0aSet-Cookie:%20a=b HTTP/1.1'), never: /^set-cookie/im },
  'a body that is no JSON': { bytes: post('/step', '{"id":') },
  'a body that is a list': { bytes: post('/step', '[]') },
  'a body that is null': { bytes: post('/step', 'null') },
  'a body of deep lists': { bytes: post('/step', '['.repeat(100_000)) },
  'a body of deep objects': { bytes: post('/step', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`) },
  'a prototype in the body': { bytes: post('/step', '{"__proto__":{"pwned":1},"id":0,"action":"inventory"}') },
  'an id that is text': { bytes: post('/step', '{"id":"__proto__","action":"x"}') },
  'an id beyond counting': { bytes: post('/step', '{"id":1e400,"action":"x"}') },
  'an id below zero': { bytes: post('/step', '{"id":-1,"action":"x"}') },
  'an id with a fraction': { bytes: post('/step', '{"id":0.5,"action":"x"}') },
  'an action that is a number': { bytes: post('/step', '{"id":0,"action":7}') },
  'an action of a megabyte': { bytes: post('/step', JSON.stringify({ id: 0, action: 'a'.repeat(900_000) })) },
  'a body beyond the limit': { bytes: post('/step', JSON.stringify({ id: 0, action: 'a'.repeat(2_000_000) })) },
  'a body that is no UTF-8': {
    bytes: Buffer.concat([
      Buffer.from(head('POST /step HTTP/1.1', ['Content-Length: 4'])),
      Buffer.from([0xff, 0xfe, 0xc0, 0x80]),
    ]),
  },
  'a task of text': { bytes: post('/reset', '{"id":0,"data_idx":"../../etc/passwd"}') },
  'a task beyond counting': { bytes: post('/reset', '{"id":0,"data_idx":99999999999}') },
  'a native session nobody opened': { bytes: post('/v1/sessions/zzz/step', '{"n":0,"action":"x"}') },
  'a native session that is a prototype': { bytes: post('/v1/sessions/__proto__/step', '{"n":0,"action":"x"}') },
  'a native split nobody has': { bytes: post('/v1/sessions', '{"env":"textcraft","split":"__proto__","index":0}') },
  'a native environment that is a path': { bytes: post('/v1/sessions', '{"env":"../../evil.js","split":"test","index":0}') },
  'a thousand requests at once': { bytes: head('GET /healthz HTTP/1.1').repeat(1000) },
};
const http = Object.entries(requests).map(([name, { bytes, never }]): Attack => ({
  area: 'HTTP',
  name,
  attempt: async () => {
    await using server = await startGym({ environments: [await world('textcraft')] });
    await send(server.port, post('/create', '{}'));
    const heard = await send(server.port, bytes);
    if (/^HTTP\/1.1 500/m.test(heard)) throw new Harmed(`500: ${heard.slice(0, 200)}`);
    if (never?.test(heard) === true) throw new Harmed(heard.slice(0, 200));
    const alive = await send(server.port, head('GET /healthz HTTP/1.1', ['Connection: close']), 20_000);
    if (!alive.includes('"ok":true')) throw new Harmed(`the server is gone: ${alive.slice(0, 100)}`);
  },
}));

const escapes: readonly string[] = [
  '\x1b[2J',
  '\x1b]0;title\x07',
  '\x1b]52;c;cHduZWQ=\x07',
  '\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\',
  '\x1b[?1049h',
  '\x1bc',
  '\x1b[6n',
  '\x1bP+q544e\x1b\\',
  '\x9b2J',
  '\x9d0;title\x9c',
  '\x07'.repeat(100),
  '\b\b\b\b',
  'good\rbad',
  '\x1b[8m hidden',
  '\x1b[1A\x1b[2K',
  '\x1b_payload\x1b\\',
  '\x1b^payload\x1b\\',
  '\x1b[20t',
  '\x1b[?25l',
  '\u202egnp.exe',
  '\u2066a\u2069',
  '\u200f',
  '\u061c',
  '\x00',
  '\x7f',
  '\u0085',
  '\u2028',
  '\ud800\x1b[2J',
  '\x1b',
  '\x1b[38;5;1m',
];
const ansi = escapes.flatMap((text): Attack[] => [
  {
    area: 'ANSI',
    name: `as text: ${JSON.stringify(text).slice(0, 40)}`,
    attempt: () => {
      const shown = printable(`before ${text} after`);
      if (!isPrintable(shown) || /[^\P{Cc}\n\t]/u.test(shown)) throw new Harmed(JSON.stringify(shown));
      return Promise.resolve();
    },
  },
  {
    area: 'ANSI',
    name: `as JSON: ${JSON.stringify(text).slice(0, 40)}`,
    attempt: () => {
      const shown = printableJson({ [text]: text });
      if (!isPrintable(shown) || (JSON.parse(shown) as Record<string, string>)[text] !== text) throw new Harmed(shown);
      return Promise.resolve();
    },
  },
]);

const actions: readonly string[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  'a'.repeat(1_000_000),
  '𝒈𝒆𝒕 1 𝒊𝒓𝒐𝒏',
  'get 99999999999999999999 stick',
  'get -1 stick',
  'get 1e309 stick',
  'craft 1 x using '.repeat(10_000),
  '__proto__',
  'constructor',
  'toString',
  'get 1 __proto__',
  '${process.exit(1)}',
  '%s%s%s%n',
  '\n'.repeat(10_000),
  '((((((((((a+)+)+)+)+)+)+)+)+)+$'.repeat(50),
  'Z̷̢͝a̶l̴g̵o̸'.repeat(1000),
  '\u0130\u0131\u212a',
  '😀'.repeat(10_000),
  '<script>alert(1)</script>',
];
const worlds = ['textcraft', 'babyai', 'wordle', 'maze'];
const unicode = worlds.flatMap((name) =>
  actions.map((action): Attack => ({
    area: 'unicode',
    name: `${name}: ${JSON.stringify(action).slice(0, 40)}`,
    attempt: async () => {
      const environment = await world(name);
      const [split = ''] = environment.splits;
      await using episode = await environment.open({ env: name, split, index: 0 });
      const step = await episode.step(action);
      if (typeof step.observation !== 'string' || !Number.isFinite(step.reward)) throw new Harmed(JSON.stringify(step));
      if (step.observation.length > 10_000_000) throw new Harmed(`an observation of ${step.observation.length} characters`);
    },
  })),
);

const secret = 'the secret of somebody else';
/** A run folder beside a secret; every reader of the folder is sent to it. */
async function trap(folder: string, name: string): Promise<{ readonly inside: string; readonly outside: string }> {
  const base = join(folder, `trap-${name.replace(/\W+/g, '-')}`);
  const [inside, outside] = [join(base, 'run'), join(base, 'outside')];
  await mkdir(join(inside, 'logs'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), secret);
  return { inside, outside };
}
const names = [
  '../outside/secret.txt',
  'logs/../../outside/secret.txt',
  './../outside/secret.txt',
  'logs/../../../etc/passwd',
  '/etc/passwd',
  '..',
  '.',
  '',
  'a\0b',
  'x'.repeat(5000),
  '..\\outside\\secret.txt',
  'logs//..//..//outside//secret.txt',
];
const readers: Readonly<Record<string, (folder: string, name: string) => Promise<unknown>>> = {
  read: (folder, name) => readInside(folder, name, 1 << 20),
  tail: (folder, name) => tailInside(folder, name, 1 << 20),
  open: async (folder, name) => {
    await using file = await openInside(folder, name);
    return await file?.readFile('utf8');
  },
  list: (folder, name) => namesInside(folder, name),
};
const refused = async (work: () => Promise<unknown>): Promise<void> => {
  const found = await work().catch((thrown: unknown) => {
    if (thrown instanceof AgogeError || (thrown instanceof Error && 'code' in thrown)) return undefined;
    throw thrown;
  });
  if (JSON.stringify(found ?? '').includes('secret')) throw new Harmed(`read ${JSON.stringify(found)}`);
};
const paths = Object.entries(readers).flatMap(([how, read]) =>
  names.map((name): Attack => ({
    area: 'paths',
    name: `${how} ${JSON.stringify(name).slice(0, 40)}`,
    attempt: async (folder) => {
      const { inside } = await trap(folder, `${how}-${names.indexOf(name)}`);
      await refused(() => read(inside, name));
    },
  })),
);
const links = Object.entries(readers).flatMap(([how, read]) =>
  (['file', 'folder', 'loop', 'fifo', 'device', 'chain'] as const).map((kind): Attack => ({
    area: 'links',
    name: `${how} a ${kind}`,
    attempt: async (folder) => {
      const { inside, outside } = await trap(folder, `${how}-${kind}`);
      const at = join(inside, 'run.json');
      if (kind === 'file') await symlink(join(outside, 'secret.txt'), at);
      if (kind === 'folder') await symlink(outside, join(inside, 'episodes'));
      if (kind === 'loop') await symlink(at, at);
      if (kind === 'fifo') spawnSync('mkfifo', [at]);
      if (kind === 'device') await symlink('/dev/zero', at);
      if (kind === 'chain') {
        await symlink('hop', at);
        await symlink('../outside/secret.txt', join(inside, 'hop'));
      }
      await refused(() => read(inside, kind === 'folder' ? 'episodes/secret.txt' : 'run.json'));
      await keepInside(inside, ['run.json', 'episodes']).catch(() => undefined);
    },
  })),
);

const markup = [
  '</script><script>globalThis.pwned=1</script>',
  '<img src=x onerror=alert(1)>',
  '<!--',
  '-->',
  ']]>',
  '<svg onload=alert(1)>',
  "$&$`$'",
  '\u2028',
  '{{constructor.constructor("return 1")()}}',
  'javascript:alert(1)',
  '<base href=//evil>',
  '<meta http-equiv=refresh>',
  '&lt;script&gt;',
  '"><script>',
  '<!--agoge-report-->',
];
const html = markup.map((text): Attack => ({
  area: 'HTML',
  name: text.slice(0, 40),
  attempt: async (folder) => {
    const runs = join(folder, `html-${markup.indexOf(text)}`);
    const run = join(runs, 'run');
    await mkdir(join(run, 'episodes'), { recursive: true });
    const info = {
      name: text,
      kind: 'rl',
      status: 'finished',
      title: text,
      seed: 1,
      step: 1,
      steps: 1,
      resumes: [],
      versions: { [text]: text },
      environments: { [text]: text },
    };
    await writeFile(join(run, 'run.json'), JSON.stringify(info));
    await writeFile(join(run, 'config.yaml'), `run: ${JSON.stringify(text)}\n`);
    await writeFile(join(run, 'episodes', 'step_000001.jsonl.gz'), gzipSync(`${JSON.stringify({ v: 1, task: text })}\n`));
    const [{ RunLibrary }, { writeReport }, { page }] = await Promise.all([
      import('../../src/dashboard/runs/library.ts'),
      import('../../src/dashboard/server/single-file.ts'),
      import('../../src/dashboard/server/page.ts'),
    ]);
    const library = new RunLibrary(runs);
    const file = join(runs, 'report.html');
    await writeReport(library, 'run', file, { episodes: 10 });
    const [report, empty] = await Promise.all([readFile(file, 'utf8'), page()]);
    const scripts = (of: string): number => of.split('<script').length;
    if (scripts(report) !== scripts(empty) + 1) throw new Harmed('a script of the run stands in the page');
  },
}));

export const liveAttacks: readonly Attack[] = [...http, ...ansi, ...unicode, ...paths, ...links, ...html];
