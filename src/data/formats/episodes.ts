/** Our own record of an episode, as runs and evaluations keep it. */
import { episodeRecordSchema, type EpisodeRecord } from '../../run/episode-record.ts';
import { cannotWrite, parse, type Format } from './format.ts';
import { conversation } from './record-fields.ts';
import type { DataMessage } from '../rows.ts';

export const episodes: Format = {
  name: 'episodes',
  title: 'Agoge episodes (of a run or an evaluation)',
  kind: 'conversation',
  extension: '.jsonl.gz',
  recognises: ({ v, segments, turns }) => v === 1 && Array.isArray(segments) && Array.isArray(turns),
  read(json) {
    const record = parse(episodeRecordSchema, json);
    const { outcome } = record;
    const messages = record.segments.map(({ role, text }): DataMessage => ({ role, content: text }));
    // The environment's last words are in the turns, not in the conversation.
    const last = record.turns.at(-1);
    if (last && messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', content: last.observation });
    const known = {
      itemId: record.item_id ?? record.task,
      sample: record.sample,
      env: record.task.split('/')[0] ?? '',
      model: record.policy,
      ...(outcome.kind === 'failed' ? {} : { reward: outcome.reward, success: outcome.kind === 'finished' && outcome.success }),
    };
    return conversation(messages, known, { episode: record });
  },
  write(row) {
    const record = row.kind === 'conversation' ? row.extra?.['episode'] : undefined;
    if (record === undefined) throw cannotWrite('episodes', 'tokens were not recorded: play it again with "agoge data sample"');
    return record as EpisodeRecord;
  },
};
