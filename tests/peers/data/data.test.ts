/** Our parquet in the hands of pandas, pyarrow and verl, and theirs in ours. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatNamed } from '../../../src/data/formats/formats.ts';
import { parquetBatches } from '../../../src/data/parquet/read.ts';
import { readRows } from '../../../src/data/read.ts';
import type { DataMessage } from '../../../src/data/rows.ts';
import { transfer } from '../../../src/data/transfer.ts';
import { writeFixtureRun } from '../../fixture-run.ts';
import { peersMissing, python } from '../python.ts';

const script = fileURLToPath(new URL('data_peer.py', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-data-peers-'));
const missing = peersMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);

function peer(...args: string[]): unknown {
  const { status, stdout, stderr } = spawnSync(python, [script, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as unknown;
}

const trajectories = Array.from({ length: 40 }, (_, i) => ({
  conversations: [
    { from: 'human', loss: null, value: 'Craft what the goal says.' },
    { from: 'gpt', loss: false, value: 'OK.' },
    { from: 'human', loss: null, value: `Goal: craft item ${i} – “ü😀”.` },
    { from: 'gpt', loss: true, value: `Thought:\nstep ${i}\n\nAction:\nget ${i} stone` },
    { from: 'human', loss: null, value: `Got ${i} stone` },
    { from: 'gpt', loss: true, value: '' },
  ],
  item_id: `textcraft_${i}`,
}));
const prompt: DataMessage[] = [{ role: 'system', content: 'You craft.' }];

async function made(): Promise<{ sft: string; rl: string }> {
  const source = join(folder, 'source.json');
  const [sft, rl] = [join(folder, 'sft.parquet'), join(folder, 'rl.parquet')];
  writeFileSync(source, JSON.stringify(trajectories));
  await transfer([source], sft, { force: true });
  await transfer([source], rl, { to: 'verl-rl', force: true, prompt: () => prompt });
  return { sft, rl };
}

interface ReadByPeer {
  readonly pandas: Record<string, unknown>[];
  readonly pyarrow: Record<string, unknown>[];
  readonly schema: Record<string, string>;
}

describe.skipIf(missing !== undefined)('data peers', () => {
  it("Hugging Face's datasets reads a run's list of episodes", async () => {
    const run = join(folder, 'run');
    await writeFixtureRun(run, { steps: 3, groups: 2, samples: 2 });
    const read = peer('jsonl', join(run, 'episodes/index.jsonl'), join(folder, 'cache')) as {
      columns: string[];
      rows: Record<string, unknown>[];
    };
    expect(read.columns).toEqual(expect.arrayContaining(['step', 'task', 'reward', 'outcome', 'purpose']));
    expect(new Set(read.rows.map((row) => row['step']))).toEqual(new Set([1, 2, 3]));
  });

  it('pandas and pyarrow read our rows without a cast', async () => {
    const { sft, rl } = await made();
    for (const file of [sft, rl]) {
      const ours: unknown[] = [];
      for await (const { row, format } of readRows(file)) ours.push(formatNamed(format).write(row));
      const { pandas, pyarrow } = peer('read', file) as ReadByPeer;
      expect(pandas).toEqual(ours);
      expect(pyarrow).toEqual(ours);
    }
    expect((peer('read', sft) as ReadByPeer).schema).toEqual({
      messages: 'list<element: struct<content: string, role: string>>',
    });
    expect((peer('read', rl) as ReadByPeer).schema['extra_info']).toBe(
      'struct<index: int64, interaction_kwargs: struct<name: string, session_id: int64, data_idx: int64>>',
    );
  });

  it('we read what pandas and pyarrow wrote: codecs, dictionaries, pages, nested lists', async () => {
    const rows = Array.from({ length: 10 }, (_, i) => ({
      messages: [
        { role: 'user', content: `question ${i} ü😀` },
        { role: 'assistant', content: 'same answer' },
      ],
      nested: [[i], [], [i, i + 1]],
      maybe: i % 3 === 0 ? null : { score: i / 4, flags: [true, false], name: i % 2 === 0 ? null : `n${i}` },
      big: i * 3_000_000_000,
    }));
    const there = join(folder, 'theirs');
    mkdirSync(there);
    writeFileSync(join(folder, 'rows.json'), JSON.stringify(rows));
    expect(peer('write', there, join(folder, 'rows.json'))).toBe('written');
    const files = readdirSync(there);
    expect(files.length).toBe(10);
    for (const name of files) {
      const read: unknown[] = [];
      for await (const { records } of parquetBatches(join(there, name))) read.push(...records);
      expect(read, name).toEqual(rows);
    }
  });

  it('verl’s RLHFDataset and multi-turn SFT data set give the same messages and interaction_kwargs', async () => {
    const site = join(python, '../../verl');
    if (!existsSync(join(site, 'verl'))) {
      const { status } = spawnSync(python, ['-m', 'pip', 'install', '-q', '--no-deps', '--target', site, 'verl==0.9.1'], {
        stdio: 'inherit',
      });
      if (status !== 0) {
        console.log('skipped: verl cannot be installed here');
        return;
      }
    }
    const { sft, rl } = await made();
    const found = peer('verl', site, tokenizerFolder(), sft, rl) as Record<string, unknown>;
    expect(found).toMatchObject({
      sft: 40,
      rl: 40,
      data_source: 'textcraft',
      raw_prompt: prompt,
      interaction_kwargs: { name: 'textcraft', session_id: 0, data_idx: 0 },
      messages: [
        { role: 'system', content: 'Craft what the goal says.' },
        { role: 'user', content: 'Goal: craft item 0 – “ü😀”.' },
        { role: 'assistant', content: 'Thought:\nstep 0\n\nAction:\nget 0 stone' },
        { role: 'user', content: 'Got 0 stone' },
        { role: 'assistant', content: '' },
      ],
    });
    expect(found['trained']).toContain('get 0 stone');
    expect(found['trained']).not.toContain('Got 0 stone');
  });
});

/** A byte-level tokenizer with a ChatML template, enough for verl to render with. */
function tokenizerFolder(): string {
  const there = join(folder, 'tokenizer');
  mkdirSync(there, { recursive: true });
  const bytes = Array.from({ length: 256 }, (_, byte) => byteCharacter(byte));
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  const special = ['<|im_start|>', '<|im_end|>', '<|endoftext|>'];
  const vocab = Object.fromEntries([...special, ...bytes].map((token, id) => [token, id]));
  const added = special.map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));
  writeFileSync(
    join(there, 'tokenizer.json'),
    JSON.stringify({
      version: '1.0',
      added_tokens: added,
      pre_tokenizer: byteLevel,
      decoder: byteLevel,
      model: { type: 'BPE', vocab, merges: [] },
    }),
  );
  writeFileSync(
    join(there, 'tokenizer_config.json'),
    JSON.stringify({
      tokenizer_class: 'PreTrainedTokenizerFast',
      eos_token: '<|im_end|>',
      pad_token: '<|endoftext|>',
      chat_template:
        "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}",
    }),
  );
  expect(readFileSync(join(there, 'tokenizer.json'), 'utf8')).toContain('im_start');
  return there;
}

/** GPT-2's printable stand-in for a byte. */
function byteCharacter(byte: number): string {
  const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  if (printable) return String.fromCharCode(byte);
  let hidden = 0;
  for (let other = 0; other < byte; other++)
    if (!((other >= 33 && other <= 126) || (other >= 161 && other <= 172) || other >= 174)) hidden++;
  return String.fromCharCode(256 + hidden);
}
