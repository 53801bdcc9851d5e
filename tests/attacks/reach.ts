/** Attacks that reach for what is not theirs: local servers from a web page, files outside of a folder, other people's requests. */
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { settingsByEnvironment } from '../../src/cli/options/settings.ts';
import { visitors } from '../../src/core/visitors.ts';
import { loadWords, openFolderTensors } from '../../src/engine/embedded/models/checkpoint.ts';
import { textCraft } from '../../src/envs/textcraft/textcraft.ts';
import { SiteServer } from '../../src/envs/webarena/sites/server.ts';
import { startGym } from '../../src/gym/server/server.ts';
import { send, startLocal } from '../../src/dashboard/server/local-server.ts';
import { readInside } from '../../src/run/inside.ts';
import { Harmed, type Attack } from './attack.ts';

const secret = 'the secret of somebody else';

/** What a browser sends for a page of somebody else, or for a name that was pointed at this machine. */
const visits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a name pointed here': { host: 'evil.example' },
  'a name pointed here, with the port': { host: 'evil.example:80' },
  'a name that ends like ours': { host: 'localhost.evil.example' },
  'a page of another site': { origin: 'https://evil.example' },
  'a page without an origin': { origin: 'null' },
  'a script tag of another site': { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
};
interface Target extends AsyncDisposable {
  readonly url: string;
}
const targets: Readonly<Record<string, () => Promise<Target>>> = {
  'the dashboard and the documentation': async () => {
    return startLocal({ host: '127.0.0.1', port: 0, policy: '' }, (asked, response) => {
      send(asked, response, 200, 'text/plain', secret);
      return Promise.resolve();
    });
  },
  'a shipped site': async () => {
    const sites = await SiteServer.start();
    return { url: sites.addresses.shopping, [Symbol.asyncDispose]: () => sites[Symbol.asyncDispose]() };
  },
};
const rebinding = Object.entries(targets).flatMap(([what, start]) =>
  Object.entries(visits).map(([name, headers]): Attack => ({
    area: 'web pages',
    name: `${name} at ${what}`,
    attempt: async () => {
      await using target = await start();
      const { port } = new URL(target.url);
      const status = await statusOf(Number(port), headers);
      if (status !== 403) throw new Harmed(`it answered ${status}`);
      if ((await statusOf(Number(port), {})) === 403) throw new Harmed('nobody is let in');
    },
  })),
);
function statusOf(port: number, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: '/', headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject).end();
  });
}

const longHosts = [':', '1', '.', 'a', '1:', ']'].map((letter): Attack => ({
  area: 'web pages',
  name: `a Host of sixty thousand ${letter}`,
  attempt: () => {
    const judge = visitors({ bound: '0.0.0.0', token: false });
    const before = process.cpuUsage();
    judge({ host: `${letter.repeat(60_000 / letter.length)}!` });
    if (process.cpuUsage(before).user > 1_000_000) throw new Harmed('it took a second');
    return Promise.resolve();
  },
}));

/** Bytes to the fast path; what must not come back. A second request must never be read out of the first one's body. */
const hidden = 'GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const post = (...headers: string[]): string => ['POST /create HTTP/1.1', 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n');
const smuggled: Readonly<Record<string, string>> = {
  'a list of lengths': post(`Content-Length: 0, ${hidden.length}`) + hidden,
  'lengths that differ': post('Content-Length: 0', `Content-Length: ${hidden.length}`) + hidden,
  'chunks behind a tab': post(`Content-Length: ${hidden.length}`, 'Transfer-Encoding:\tchunked') + hidden,
  'chunks in other letters': post(`Content-Length: ${hidden.length}`, 'tRANSFER-eNCODING: cHUNKED') + hidden,
  'chunks behind a line that goes on': post(`Content-Length: ${hidden.length}`, 'X: a\r\n Transfer-Encoding: chunked') + hidden,
  'a length after a bare line feed': `POST /create HTTP/1.1\r\nHost: 127.0.0.1\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  'a whole length': post(`Content-Length: ${hidden.length}`) + hidden,
};
const smuggling = Object.entries(smuggled).map(([name, bytes]): Attack => ({
  area: 'HTTP',
  name: `smuggled by ${name}`,
  attempt: async () => {
    await using server = await startGym({ environments: [textCraft()] });
    const heard = await talk(server.port, bytes);
    if (heard.includes('agoge_')) throw new Harmed('the hidden request was answered');
  },
}));
function talk(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(heard);
    };
    const timer = setTimeout(end, 200);
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
    socket.on('close', end);
    socket.on('error', end);
  });
}
const crowd: Attack = {
  area: 'HTTP',
  name: 'three hundred connections that never finish their request',
  attempt: async () => {
    await using server = await startGym({ environments: [textCraft()] });
    const sockets: Socket[] = [];
    for (let at = 0; at < 300; at++) {
      const socket = connect(server.port, '127.0.0.1', () => socket.write('POST /create HTTP/1.1\r\nHost: 127.0.0.1\r\nX: '));
      sockets.push(socket.on('error', () => undefined));
    }
    const status = await statusOf(server.port, {});
    for (const socket of sockets) socket.destroy();
    if (status !== 200) throw new Harmed(`it answered ${status}`);
  },
};

let made = 0;
const indexes = ['../outside.safetensors', '/etc/passwd', '..', 'a/../../outside.safetensors', '/dev/zero'].map(
  (name): Attack => ({
    area: 'safetensors',
    name: `an index that names ${name}`,
    attempt: async (folder) => {
      const at = join(folder, `index-${made++}`);
      await mkdir(at);
      await writeFile(join(at, 'config.json'), '{}');
      await writeFile(join(at, 'model.safetensors.index.json'), JSON.stringify({ weight_map: { w: name } }));
      await using opened = await openFolderTensors(at);
      throw new Harmed(`opened ${opened.where}`);
    },
  }),
);
const configs = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'generation_config.json'].flatMap((file) =>
  ['{', 'null', '['.repeat(50_000), '{"__proto__":{"pwned":1}}'].map((text): Attack => ({
    area: 'model folders',
    name: `${file}: ${text.slice(0, 20)}`,
    attempt: async (folder) => {
      const at = join(folder, `config-${made++}`);
      await mkdir(at);
      const plain = '{"model_type":"llama","hidden_size":8,"num_hidden_layers":1,"num_attention_heads":1,"vocab_size":8}';
      await writeFile(join(at, 'config.json'), plain);
      await writeFile(join(at, 'tokenizer.json'), '{"model":{"type":"BPE","vocab":{"a":0},"merges":[]}}');
      await writeFile(join(at, file), text);
      await loadWords(at);
    },
  })),
);

const race: Attack = {
  area: 'links',
  name: 'a file that becomes a link while it is read',
  attempt: async (folder) => {
    const at = join(folder, `race-${made++}`);
    await mkdir(join(at, 'run'), { recursive: true });
    await writeFile(join(at, 'secret.txt'), secret);
    const target = join(at, 'run', 'run.json');
    for (let turn = 0; turn < 100; turn++) {
      await writeFile(`${target}.plain`, '{}');
      await symlink('../secret.txt', `${target}.link`);
      const swaps = rename(`${target}.plain`, target).then(() => rename(`${target}.link`, target));
      const found = await readInside(join(at, 'run'), 'run.json', 1000).catch(() => '');
      if (found?.includes(secret) === true) throw new Harmed('it was read');
      await swaps;
    }
  },
};

const settings = ['textcraft.__proto__=1', 'textcraft.constructor=1', '__proto__.pwned=1', 'textcraft.a.__proto__.pwned=1'].map(
  (text): Attack => ({
    area: 'settings',
    name: text,
    attempt: () => {
      const found = settingsByEnvironment([text], ['textcraft']).get('textcraft');
      if (found && Object.getPrototypeOf(found) !== Object.prototype) throw new Harmed('a prototype was replaced');
      return Promise.resolve();
    },
  }),
);

export const reachAttacks: readonly Attack[] = [
  ...rebinding,
  ...longHosts,
  ...smuggling,
  crowd,
  ...indexes,
  ...configs,
  race,
  ...settings,
];
