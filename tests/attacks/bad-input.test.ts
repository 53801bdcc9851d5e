/** Broken and hostile input of every kind: one sentence with a code and what to do, soon, and without a stack. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const base = fileURLToPath(new URL('../../models/base', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-bad-input-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): void => writeFileSync(join(folder, name), text);
interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of its own, beside the others: some commands spend seconds waiting for what never comes. */
function agoge(line: string, env = process.env): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [cli, ...line.split(' ')], { cwd: folder, env }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

/** The base model with one file changed. */
function model(name: string, change: (path: string) => void): void {
  cpSync(base, join(folder, name), { recursive: true });
  change(join(folder, name));
}

const alias = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, i, all) => {
  const parts = Array.from({ length: 9 }, () => (i === 0 ? 'x' : `*${all[i - 1] ?? ''}`));
  return `${name}: &${name} [${parts.join(', ')}]`;
});
file('bomb.yaml', `${alias.join('\n')}\nrun: *g\n`);
file('plain.yaml', 'run: x\ntasks: [{ env: textcraft }]\n');
file('syntax.ts', 'const a: = 3;\nexport default a;\n');
file(
  'hangs.ts',
  `export default { name: 'hangs', version: '1', splits: ['all'], instructions: { task: '', actions: [] },
    tasks: () => ({ size: 1, info: () => ({ itemId: 'hangs_0', category: '' }) }),
    open: () => ({ observation: 'x', step: () => new Promise(() => undefined), [Symbol.asyncDispose]: async () => undefined }) };`,
);
file('looping.jinja', "{% for i in range(1000000000) %}{{ messages[0]['content'] }}{% endfor %}");
file('a-file', '');
model('layers', (path) => {
  const config = JSON.parse(readFileSync(join(path, 'config.json'), 'utf8')) as object;
  writeFileSync(join(path, 'config.json'), JSON.stringify({ ...config, num_hidden_layers: 1e7 }));
});
model('cut', (path) => truncateSync(join(path, 'model.safetensors'), 1000));
model('words', (path) => writeFileSync(join(path, 'tokenizer.json'), '{"model":{"type":"BPE","vocab":{},"merges":[]}}'));
mkdirSync(join(folder, 'outputs'));

const evaluation = (policy: string): string => `eval textcraft --policy ${policy} --tasks 0 --no-view`;

describe.concurrent('bad input is told in a sentence', () => {
  it.each([
    [
      'a recipe of aliases of aliases',
      'train bomb.yaml',
      /cannot be read \(.*\): write it with fewer aliases \[CONFIG_BAD_YAML\]/,
      2,
    ],
    ['a run outside of its folder', 'train plain.yaml run=../..', /one folder name/, 2],
    ['a port that there is not', 'view . --port 99999', /--port takes a whole number from 0 to 65535/, 2],
    [
      'a file where a folder is needed',
      'data demonstrate textcraft --tasks 0 --out a-file/x.json',
      /a-file.*(: check|; something else stands there|; a file stands)/,
      1,
    ],
    ['a syntax error', 'lint ./syntax.ts', /syntax\.ts cannot be loaded \((?!\[object).*\): correct it/, 1],
    ['a step without an answer', 'lint ./hangs.ts --answer-within 1', /gave no answer within 1 s: see what it waits for/, 1],
    [
      'ten million layers',
      evaluation('hf:layers'),
      /layers is 10000000; no model has more than 1000: use the config\.json it came with/,
      1,
    ],
    ['weights that are cut off', evaluation('hf:cut'), /model\.safetensors is damaged: .*; download or save it again/, 1],
    ['a tokenizer without words', evaluation('hf:words'), /empty vocabulary: use the tokenizer\.json of the model/, 1],
    ['a template without end', `${evaluation('base')} --chat-template looping.jinja`, /the chat template did not end within/, 1],
  ])('%s', async (_, line, says, code) => {
    const { status, stdout, stderr } = await agoge(line);
    expect(stdout + stderr).toMatch(says);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(code);
  });
});

describe.concurrent('what is not there is bad usage, whoever looks for it', () => {
  it.each([
    'train nope.yaml',
    'train --resume outputs/nope',
    'study nope.yaml',
    'data inspect nope.jsonl',
    'eval ./nope.ts --policy random',
    'eval textcraft --policy run:outputs/nope',
    'eval textcraft --policy random --tasks nope.json',
    'eval nope.jsonl --judge random',
    'compare nope other',
    'summary nope',
    'view nope',
  ])('%s', async (line) => {
    const { status, stdout, stderr } = await agoge(line);
    expect(stderr).toMatch(/^agoge: .*nope.* \[[A-Z_]+\]\n$/);
    expect(`${stdout}${String(status)}`).toBe('2');
  });
});

describe.concurrent('what cannot work is told at once', () => {
  it.each([
    ['a name with a slip', 'train plain.yaml policy=bse', /^agoge: "bse" is not a policy \(did you mean "base"\?\)/],
    ['no key', 'eval textcraft --policy openai:gpt-4o --no-view', /^agoge: .*OPENAI_API_KEY is not set/],
    ['a value of another kind', 'train plain.yaml steps=soon', /steps: give a number, not "soon"/],
  ])('%s', async (_, line, says) => {
    const ended = await agoge(line, { ...process.env, OPENAI_API_KEY: '' });
    expect(ended.stderr).toMatch(says);
    // Nothing has begun, so there is nothing to watch.
    expect(`${ended.stdout}${String(ended.status)}`).toBe('2');
  });
});
