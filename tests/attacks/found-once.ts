/**
 * What was lost, reachable or endless once, each by its name, so that it stays repaired: choices nobody offered, programs whose words were
 * taken for the engine's, bodies that end a server, damaged pages, tasks that throw, work without end, and what a machine is too small for.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { playEpisode } from '../../src/agent/episode.ts';
import { createFormat } from '../../src/agent/formats/index.ts';
import { oneOf } from '../../src/cli/options/values.ts';
import { verlHabit } from '../../src/config/verl/habits.ts';
import { bounded } from '../../src/core/bounded.ts';
import { send, startLocal } from '../../src/dashboard/server/local-server.ts';
import { writeReport } from '../../src/dashboard/server/single-file.ts';
import { RunLibrary } from '../../src/dashboard/runs/library.ts';
import { inspectFile } from '../../src/data/inspect.ts';
import { readConfig } from '../../src/engine/embedded/models/load.ts';
import { loadWords } from '../../src/engine/embedded/models/checkpoint.ts';
import { readGames } from '../../src/envs/alfworld/files.ts';
import { recordsOf } from '../../src/envs/data/files.ts';
import { defineEnvironment } from '../../src/envs/define.ts';
import { privateFolder } from '../../src/envs/webarena/browser/packaged-folder.ts';
import { RandomPolicy } from '../../src/policy/random-policy.ts';
import { passagesOf } from '../../src/retrieval/corpus-files.ts';
import { episodesFile } from '../../src/run/layout.ts';
import { scoreAnswer } from '../../src/scores/score-answer.ts';
import { makeFolder } from '../../src/core/make-folder.ts';
import { Sqlite } from '../../src/sandbox/sqlite/sqlite.ts';
import { writeFixtureRun } from '../fixture-run.ts';
import { Harmed, type Attack } from './attack.ts';

let made = 0;
const fresh = async (folder: string): Promise<string> => {
  const at = join(folder, `once-${made++}`);
  await mkdir(at);
  return at;
};
const found = (name: string, attempt: Attack['attempt']): Attack => ({ area: 'found once', name, attempt });

const choices = found('a choice that is not offered (dedupe --by wrods)', () => {
  try {
    oneOf('words', 'item', 'best')('wrods');
  } catch {
    return Promise.resolve();
  }
  throw new Harmed('it was taken');
});

/** Four tests of which the last goes wrong: three quarters, whatever the program says. */
const words = ["throw new Error('unreachable')", "throw new Error('stack empty')", 'stack.pop()', "print('4\\0 and more')"].map(
  (last) =>
    found(`a program whose last test does ${last}`, async () => {
      const truth = { language: 'javascript', inputs: ['1', '2', '3', '4'], outputs: ['1', '2', '3', '4'] };
      const program = `const n = readline(); if (n === '4') { ${last} } else print(n);`;
      const { score } = await scoreAnswer('prime_code', program, truth);
      if (score !== 0.75) throw new Harmed(`it scores ${score}`);
    }),
);
const values = ['10n', 'NaN'].map((value) =>
  found(`a program that returns ${value} where null is expected`, async () => {
    const truth = { language: 'javascript', fn_name: 'f', inputs: ['1', '2'], outputs: ['null', '2'] };
    const { score } = await scoreAnswer('prime_code', `const f = (n) => (n === 2 ? 2 : ${value});`, truth);
    if (score !== 0.5) throw new Harmed(`it scores ${score}`);
  }),
);

const largeBody = found('a body of 20 MB for the dashboard', async () => {
  await using server = await startLocal({ host: '127.0.0.1', port: 0, policy: '' }, (asked, response) => {
    send(asked, response, 200, 'text/plain', 'here');
    return Promise.resolve();
  });
  const ask = (method: string, body?: Buffer): Promise<number> =>
    new Promise((resolve) => {
      const asked = request(server.url, { method, agent: false }, (response) => {
        response.resume();
        response.once('close', () => resolve(response.statusCode ?? 0));
      });
      asked.once('error', () => resolve(0));
      asked.end(body);
    });
  await ask('POST', Buffer.alloc(20_000_000));
  if ((await ask('GET')) !== 200) throw new Harmed('it answers nobody any more');
});

const snappy = found('a parquet file whose snappy pages are rubbish', async (folder) => {
  const data = Array.from({ length: 200 }, (_, i) => `[{"role":"user","content":"row ${i % 7}"}]`);
  const bytes = Buffer.from(parquetWriteBuffer({ columnData: [{ name: 'prompt', data, type: 'STRING' }], codec: 'SNAPPY' }));
  bytes.fill(0xff, 40, Math.min(400, bytes.length - 200));
  const path = join(await fresh(folder), 'pages.parquet');
  await writeFile(path, bytes);
  return inspectFile(path, { samples: 2 });
});

/** An environment of somebody's that breaks: the episode has failed, with its reason, and everything else goes on. */
const throwing = (why: string) => (): never => {
  throw new Error(why);
};
const begun = { state: 0, observation: 'go' };
const broken = Object.entries({
  'a task whose start throws': { start: throwing('no such level'), step: () => ({ state: 0, observation: '', done: true }) },
  'a step that rejects': { start: () => begun, step: () => Promise.reject<typeof begun>(new Error('lost')) },
}).map(([name, work]) =>
  found(name, async () => {
    const environment = defineEnvironment({
      name: 'broken',
      version: '1',
      splits: { test: 1 },
      instructions: { task: 'Go.', actions: [{ name: 'go', template: 'go', description: 'goes', parameters: {} }] },
      ...work,
    });
    const { outcome } = await playEpisode({
      environment,
      task: { env: 'broken', split: 'test', index: 0 },
      policy: new RandomPolicy(),
      format: createFormat('direct'),
      limits: { turns: 2, tokensPerTurn: 16 },
      seed: 1,
    });
    if (outcome.kind !== 'failed') throw new Harmed(`it ${outcome.kind}`);
  }),
);

const endless = found('a reward without end', () => {
  for (;;)
    bounded(
      50,
      () => {
        for (;;) continue;
      },
      'REWARD_ENDLESS',
      'this reward',
    );
});

const model = { model_type: 'llama', hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 1, vocab_size: 8 };
const folders = Object.entries({
  'token ids of a thousand million': ['{"model":{"type":"BPE","vocab":{"a":1000000000},"merges":[]}}', {}],
  'merges that are none': ['{"model":{"type":"BPE","vocab":{"a":0},"merges":["rubbish here and there"]}}', {}],
  'rope_theta of 0': ['{"model":{"type":"BPE","vocab":{"a":0},"merges":[]}}', { rope_theta: 0 }],
} as const).map(([name, [tokenizer, more]]) =>
  found(`a model with ${name}`, async (folder) => {
    const at = await fresh(folder);
    await writeFile(join(at, 'config.json'), JSON.stringify({ ...model, ...more }));
    await writeFile(join(at, 'tokenizer.json'), tokenizer);
    await readConfig(at);
    await loadWords(at);
    throw new Harmed('it was loaded');
  }),
);

/** Two gigabytes in two megabytes, for each reader of gzip. */
const member = gzipSync(Buffer.alloc(32 << 20));
const readers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'rows of data': (path) => inspectFile(path, { samples: 2 }),
  'tasks of a data set': recordsOf,
  'games of ALFWorld': readGames,
  'passages of a corpus': async (path) => {
    for await (const _ of passagesOf(path)) continue;
  },
};
const bombs = Object.entries(readers).map(([name, read]) =>
  found(`a gzip bomb as ${name}`, async (folder) => {
    const path = join(await fresh(folder), 'bomb.jsonl.gz');
    await writeFile(path, Buffer.concat(Array.from({ length: 64 }, () => member)));
    await read(path);
    throw new Harmed('it was read to its end');
  }),
);

const here = process.platform === 'win32' ? [] : system();
function system(): Attack[] {
  const main = new URL('../../dist/cli/main.js', import.meta.url).pathname;
  return [
    found('a pipe in the place of a database', async (folder) => {
      const pipe = join(await fresh(folder), 'pipe.sqlite');
      spawnSync('mkfifo', [pipe]);
      await using sqlite = new Sqlite({ limits: { milliseconds: 2000, memory: 2 ** 29, output: 2 ** 20 } });
      const answer = await sqlite.query({ key: 'pipe', file: pipe }, 'SELECT 1');
      if (answer.kind !== 'error') throw new Harmed('it was opened');
    }),
    found('a browser in a folder that others can write', async (folder) => {
      const at = await fresh(folder);
      chmodSync(privateFolder(at), 0o777);
      return privateFolder(at);
    }),
    found('a folder below /proc', () => {
      return makeFolder('/proc/agoge/below').then(
        () => Promise.reject(new Harmed('it was made')),
        () => undefined,
      );
    }),
    found('Ctrl-C while sft prepares a fresh model', async (folder) => {
      const cwd = await fresh(folder);
      // Minutes of preparation: a program that hears nothing until it is over is late.
      const recipe = {
        policy: { fresh: { preset: 'xxs', vocabulary: 8000, context: 256, tokenizer_samples: 100_000 } },
        data: { source: 'experts', experts: [{ env: 'textcraft', generated: true }] },
      };
      await writeFile(join(cwd, 'sft.yaml'), JSON.stringify(recipe)); // JSON is YAML
      const child = spawn(process.execPath, [main, 'sft', 'sft.yaml', 'run=x'], {
        cwd,
        timeout: 55_000,
        killSignal: 'SIGKILL',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      const hear = (piece: Buffer): void => {
        if (!said.includes('watch it') && (said + piece.toString()).includes('watch it')) child.kill('SIGINT');
        said += piece.toString();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 130) throw new Harmed(`it ends with ${String(code)} and says ${said.slice(-300)}`);
    }),
    ...['ulimit -n 64', 'ulimit -v 400000'].map((limit) =>
      found(`a machine with ${limit}`, async (folder) => {
        const child = spawn(
          '/bin/sh',
          ['-c', `${limit}; exec "${process.execPath}" "${main}" eval textcraft --policy expert --tasks 2 -o out`],
          {
            cwd: await fresh(folder),
            stdio: ['ignore', 'ignore', 'pipe'],
          },
        );
        let said = '';
        child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
        await once(child, 'close');
        if (/\n\s+at /.test(said) && !/Fatal|V8|WebAssembly/.test(said)) throw new Harmed(`it says ${said.slice(0, 300)}`);
      }),
    ),
  ];
}

const report = found('a report of a run with an episode that cannot be read (view --out)', async (folder) => {
  const root = await fresh(folder);
  await writeFixtureRun(join(root, 'run'), { steps: 2, groups: 1, samples: 2 });
  await writeFile(episodesFile(join(root, 'run'), 1), 'no gzip');
  const library = new RunLibrary(root);
  const { bytes, unreadable } = await writeReport(library, 'run', join(root, 'report.html'), { episodes: 20 });
  if (bytes === 0 || unreadable !== 2) throw new Harmed(`${unreadable} episodes are told, and ${bytes} bytes written`);
});

const prototypes = found('a key named constructor', () => {
  if (verlHabit('rl', 'constructor', 1) !== undefined) throw new Harmed('it has a meaning');
  return Promise.resolve();
});

export const foundOnce: readonly Attack[] = [
  choices,
  ...words,
  ...values,
  largeBody,
  snappy,
  ...broken,
  endless,
  ...folders,
  ...bombs,
  ...here,
  report,
  prototypes,
];
