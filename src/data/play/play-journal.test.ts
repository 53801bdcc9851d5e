import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFormat } from '../../agent/formats/index.ts';
import { AgogeError } from '../../core/error.ts';
import { textCraft } from '../../envs/textcraft/textcraft.ts';
import { ExpertPolicy } from '../../policy/expert.ts';
import type { ConversationRow } from '../rows.ts';
import { taskIndices } from './chosen-tasks.ts';
import { PlayJournal } from './play-journal.ts';
import { playToFile, type PlayToFileOptions } from './play-to-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-sample-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = textCraft();
const request = (out: string, extra: Partial<PlayToFileOptions> = {}): PlayToFileOptions => ({
  environment,
  policy: new ExpertPolicy(),
  format: createFormat('direct'),
  split: 'train',
  tasks: taskIndices(environment, 'train', undefined, 12),
  samples: 2,
  keep: 'all',
  concurrency: 2,
  to: 'sampling',
  out: join(folder, out),
  ...extra,
});

/** Ends the work from inside after so many episodes. */
function interrupted(after: number): Pick<PlayToFileOptions, 'signal' | 'onEpisode'> & { played: () => number } {
  const controller = new AbortController();
  let played = 0;
  return {
    signal: controller.signal,
    played: () => played,
    onEpisode: () => {
      if (++played === after) controller.abort(new AgogeError('CLI_INTERRUPTED', 'enough'));
    },
  };
}

describe('sampling that is interrupted', () => {
  it('loses nothing, plays only what is missing, and ends with the file of one go', async () => {
    await playToFile(request('whole.jsonl'));
    const stopped = interrupted(7);
    await expect(playToFile(request('parts.jsonl', stopped))).rejects.toMatchObject({ code: 'CLI_INTERRUPTED' });
    expect(existsSync(join(folder, 'parts.jsonl'))).toBe(false);
    const journal = join(folder, 'parts.jsonl.partial.jsonl');
    expect(readFileSync(journal, 'utf8').trim().split('\n').length).toBeGreaterThanOrEqual(7);
    // A crash in the middle of a line costs that line only.
    writeFileSync(journal, `${readFileSync(journal, 'utf8')}{"facts": {"task": 11, "sam`);
    let again = 0;
    let kept = 0;
    const report = await playToFile(request('parts.jsonl', { onEpisode: () => again++, onResume: (n) => (kept = n) }));
    expect(kept).toBeGreaterThanOrEqual(6);
    expect(again + kept).toBe(24);
    expect(report).toMatchObject({ episodes: 24, solved: 24, failed: 0, missing: 0, written: 24 });
    expect(readFileSync(join(folder, 'parts.jsonl'), 'utf8')).toBe(readFileSync(join(folder, 'whole.jsonl'), 'utf8'));
    expect(existsSync(journal)).toBe(false);
  });

  it('is not mixed with another request', async () => {
    const stopped = interrupted(3);
    await expect(playToFile(request('mixed.jsonl', stopped))).rejects.toMatchObject({ code: 'CLI_INTERRUPTED' });
    await expect(playToFile(request('mixed.jsonl', { seed: 9 }))).rejects.toMatchObject({ code: 'DATA_OTHER_PARTIAL' });
    let kept = 0;
    const forced = request('mixed.jsonl', { seed: 9, force: true, onResume: (n) => (kept = n) });
    expect(await playToFile(forced)).toMatchObject({ episodes: 24 });
    expect(kept).toBe(0); // --force drops the other request's rows
  });

  it('keeps what an endpoint could not be asked for until it can', async () => {
    let left = 20;
    class Stingy extends ExpertPolicy {
      override async reply(...given: Parameters<ExpertPolicy['reply']>): ReturnType<ExpertPolicy['reply']> {
        if (left-- <= 0) throw new AgogeError('POLICY_BUDGET', 'the budget is spent: raise --budget');
        return super.reply(...given);
      }
    }
    const poor = await playToFile(request('budget.jsonl', { policy: new Stingy() }));
    expect(poor.missing + poor.failed).toBeGreaterThan(0);
    expect(Object.keys(poor.reasons).join()).toContain('the budget is spent');
    expect(poor.partial).toBeDefined();
    left = Infinity;
    const rich = await playToFile(request('budget.jsonl', { policy: new Stingy() }));
    expect(rich).toMatchObject({ episodes: 24, failed: 0, missing: 0, written: 24 });
    expect(rich.partial).toBeUndefined();
  });
});

it('sampled rows and their summary say which format they were asked for in', async () => {
  await playToFile(request('adapt.jsonl', { format: createFormat('adapt-last'), samples: 1 }));
  const rows = readFileSync(join(folder, 'adapt.jsonl'), 'utf8').trim().split('\n');
  expect(rows.map((row) => (JSON.parse(row) as { format: string }).format)).toEqual(Array(12).fill('adapt-last'));
  expect(JSON.parse(readFileSync(join(folder, 'adapt_summary.json'), 'utf8'))).toMatchObject({
    config: { format: 'adapt-last' },
  });
});

describe('the journal', () => {
  const facts = (task: number) => ({ task, sample: 0, reward: 1, success: true, finished: true });
  const row = (text: string): ConversationRow => ({ kind: 'conversation', messages: [{ role: 'user', content: text }] });
  const texts = async (journal: PlayJournal, tasks: readonly number[]) =>
    Promise.all(tasks.map(async (task) => (await journal.row(task, 0))?.messages[0]?.content));

  it('cut at any byte, gives back every row that was whole and takes new ones where the torn one stood', async () => {
    const output = join(folder, 'cut.jsonl');
    const path = PlayJournal.pathFor(output);
    {
      await using journal = await PlayJournal.open(output, 'request', false);
      for (const task of [0, 1, 2]) await journal.add(facts(task), row(`säule ${task}`));
    }
    const whole = readFileSync(path);
    const ends = [...whole.keys()].filter((at) => whole[at] === 10).map((at) => at + 1);
    for (let cut = 0; cut <= whole.length; cut += 5) {
      writeFileSync(path, whole.subarray(0, cut));
      const left = Math.max(0, ends.filter((end) => end <= cut).length - 1);
      await using journal = await PlayJournal.open(output, 'request', false);
      expect(journal.size).toBe(left);
      await journal.add(facts(7), row('new'));
      expect(await texts(journal, [...Array(left).keys(), 7])).toEqual(
        [...Array(left).keys()].map((task) => `säule ${task}`).concat('new'),
      );
      // What stands in the file is what a later start reads.
      await using again = await PlayJournal.open(output, 'request', false);
      expect(again.size).toBe(left + 1);
      expect(await texts(again, [7])).toEqual(['new']);
    }
  });

  it('leaves no file behind where nothing was played', async () => {
    const output = join(folder, 'nothing.jsonl');
    {
      await using journal = await PlayJournal.open(output, 'request', false);
      expect(journal.size).toBe(0);
    }
    expect(existsSync(PlayJournal.pathFor(output))).toBe(false);
  });

  it('of another request is refused as it stands, and dropped by force', async () => {
    const output = join(folder, 'other.jsonl');
    {
      await using journal = await PlayJournal.open(output, 'one', false);
      await journal.add(facts(0), row('kept'));
    }
    const before = readFileSync(PlayJournal.pathFor(output), 'utf8');
    await expect(PlayJournal.open(output, 'two', false)).rejects.toMatchObject({ code: 'DATA_OTHER_PARTIAL' });
    expect(readFileSync(PlayJournal.pathFor(output), 'utf8')).toBe(before);
    await using journal = await PlayJournal.open(output, 'two', true);
    expect(journal.size).toBe(0);
    expect(readFileSync(PlayJournal.pathFor(output), 'utf8')).not.toContain('kept');
  });
});
