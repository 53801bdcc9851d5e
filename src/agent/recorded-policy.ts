/** `replay:<file>`: the replies of recorded episodes, as a policy. */
import { readFile } from 'node:fs/promises';
import { AgogeError } from '../core/error.ts';
import type { Policy } from '../policy/policy.ts';
import { ReplayPolicy } from '../policy/replay.ts';
import { readEpisodes } from '../run/episode-files.ts';
import { parseEpisodeRecord } from '../run/episode-record.ts';

export async function openRecording(id: string, file: string): Promise<Policy> {
  let values: unknown[];
  try {
    values = file.endsWith('.gz')
      ? await readEpisodes(file)
      : (await readFile(file, 'utf8'))
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as unknown);
  } catch (thrown) {
    throw AgogeError.from(thrown, 'POLICY_REPLAY', `the recording ${file} cannot be read; name an episodes.jsonl.gz`);
  }
  const recordings = values.map((value) => {
    const { record } = parseEpisodeRecord(value);
    return { task: record.task, sample: record.sample, replies: record.turns.map(({ reply }) => reply) };
  });
  recordings.sort((a, b) => a.sample - b.sample);
  return new ReplayPolicy(id, recordings);
}
