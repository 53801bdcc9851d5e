/** Examples of the reference: data files. The body of each function is the example of what it is named after. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createFormat, loadEnvironment, openPolicy, playEpisode } from 'agoge';
import {
  convertRow,
  dataFiles,
  episodeRecord,
  formatNamed,
  formats,
  inspectFile,
  parseEpisodeRecord,
  readConversations,
  readEpisodes,
  readRows,
  recognise,
  RowWriter,
  validateFile,
} from 'agoge/data';

export const examples = {
  async readRows() {
    const file = join(await mkdtemp(join(tmpdir(), 'agoge-')), 'chats.jsonl');
    await writeFile(file, '{"messages":[{"role":"user","content":"1 + 1?"},{"role":"assistant","content":"2"}]}\n');
    for await (const { row, number, format } of readRows(file)) console.log(number, row.kind, format); // 1, conversation, chat
  },
  async readConversations() {
    const file = join(await mkdtemp(join(tmpdir(), 'agoge-')), 'chats.jsonl');
    await writeFile(file, '{"messages":[{"role":"user","content":"1 + 1?"},{"role":"assistant","content":"2"}]}\n');
    for await (const { messages } of readConversations(file)) console.log(messages.length); // 2
  },
  async dataFiles() {
    const folder = await mkdtemp(join(tmpdir(), 'agoge-'));
    await writeFile(join(folder, 'chats.jsonl'), '{"messages":[]}\n');
    console.log((await dataFiles([folder])).length); // 1
  },
  convertRow() {
    const messages = [
      { role: 'user', content: '1 + 1?' },
      { role: 'assistant', content: '2' },
    ] as const;
    const row = convertRow({ kind: 'conversation', messages }, 'chat', formatNamed('verl-sft'));
    console.log(formatNamed('verl-sft').write(row));
  },
  async RowWriter() {
    const file = join(await mkdtemp(join(tmpdir(), 'agoge-')), 'chats.jsonl');
    await using writer = await RowWriter.open(file, formatNamed('chat'));
    const messages = [
      { role: 'user', content: '1 + 1?' },
      { role: 'assistant', content: '2' },
    ] as const;
    await writer.add({ kind: 'conversation', messages });
    await writer.finish();
    console.log(writer.rows); // 1
  },
  async inspectFile() {
    const file = join(await mkdtemp(join(tmpdir(), 'agoge-')), 'chats.jsonl');
    await writeFile(file, '{"messages":[{"role":"user","content":"1 + 1?"},{"role":"assistant","content":"2"}]}\n');
    const { rows, roles } = await inspectFile(file);
    console.log(rows, roles); // 1 and one of each role
  },
  async validateFile() {
    const file = join(await mkdtemp(join(tmpdir(), 'agoge-')), 'chats.jsonl');
    await writeFile(file, '{"messages":[{"role":"user","content":"1 + 1?"},{"role":"assistant","content":"2"}]}\n');
    const { good, problems } = await validateFile(file, { load: loadEnvironment });
    console.log(good, problems.length);
  },
  formats() {
    console.log(formats.map(({ name }) => name)); // episodes, verl-rl, chat, …
  },
  formatNamed() {
    console.log(formatNamed('verl-rl').extension); // .parquet
  },
  recognise() {
    console.log(recognise({ messages: [{ role: 'user', content: 'Hello' }] })?.name); // chat
  },
  async readEpisodes() {
    const file = join(await mkdtemp(join(tmpdir(), 'agoge-')), 'episodes.jsonl.gz');
    const trajectory = await playEpisode({
      environment: await loadEnvironment('textcraft'),
      task: { env: 'textcraft', split: 'test', index: 17 },
      policy: await openPolicy('expert'),
      format: createFormat('direct'),
      limits: { turns: 30, tokensPerTurn: 64 },
      seed: 1,
    });
    await writeFile(file, gzipSync(`${JSON.stringify(episodeRecord(trajectory))}\n`));
    console.log((await readEpisodes(file)).length); // 1
  },
  async episodeRecord() {
    const trajectory = await playEpisode({
      environment: await loadEnvironment('textcraft'),
      task: { env: 'textcraft', split: 'test', index: 17 },
      policy: await openPolicy('expert'),
      format: createFormat('direct'),
      limits: { turns: 30, tokensPerTurn: 64 },
      seed: 1,
    });
    console.log(episodeRecord(trajectory, { itemId: 'textcraft_17' }).item_id);
  },
  async parseEpisodeRecord() {
    const played = await playEpisode({
      environment: await loadEnvironment('textcraft'),
      task: { env: 'textcraft', split: 'test', index: 17 },
      policy: await openPolicy('expert'),
      format: createFormat('direct'),
      limits: { turns: 30, tokensPerTurn: 64 },
      seed: 1,
    });
    const written: unknown = JSON.parse(JSON.stringify(episodeRecord(played)));
    console.log(parseEpisodeRecord(written).trajectory.turns.length === played.turns.length); // true
  },
};
