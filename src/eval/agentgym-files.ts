/**
 * The result files that AgentGym's evaluation scripts write, with their names and keys, for tools that read those:
 * eval_results_TS.jsonl, eval_summary_TS.txt, eval_task_stats_TS.json. Episodes without a reward are not among the results.
 */
import type { EpisodeRecord } from '../run/episode-record.ts';
import { mean } from '../learn/rows.ts';
import { succeeded, type Score } from './score.ts';

export interface AgentGymFiles {
  /** Line by line: all of them may be more than a string can hold. */
  readonly results: Iterable<string>;
  readonly summary: string;
  readonly taskStats: string;
}

export function agentGymFiles(records: readonly EpisodeRecord[], score: Score, maxRounds: number): AgentGymFiles {
  const rewarded = records.filter(({ outcome }) => outcome.kind !== 'failed');
  return {
    results: resultLines(rewarded),
    summary: summaryText(score, maxRounds),
    taskStats: `${JSON.stringify(taskStats(score), null, 2)}\n`,
  };
}

function* resultLines(records: readonly EpisodeRecord[]): Generator<string> {
  for (const record of records) yield `${JSON.stringify(resultLine(record))}\n`;
}

function resultLine(record: EpisodeRecord): object {
  const itemId = record.item_id ?? record.task;
  const number = /_(\d+)$/.exec(itemId)?.[1];
  return {
    item_id: itemId,
    session_id: number === undefined ? null : Number(number),
    sample_idx: record.sample,
    reward: record.outcome.kind === 'failed' ? null : record.outcome.reward,
    success: succeeded(record),
    num_turns: record.turns.length,
    conversations: conversation(record),
  };
}

/** The messages as they were, with what the environment said last. */
function conversation(record: EpisodeRecord): { role: string; content: string }[] {
  const messages = record.segments.map(({ role, text }) => ({ role, content: text }));
  const last = record.turns.at(-1);
  return last ? [...messages, { role: 'user', content: last.observation }] : messages;
}

function summaryText(score: Score, maxRounds: number): string {
  const title = score.env === 'textcraft' ? 'TextCraft' : score.env;
  const solved = score.perTask.reduce((total, task) => total + task.success.reduce((sum, value) => sum + value, 0), 0);
  const lines = [
    '='.repeat(80),
    `${title} Evaluation Summary`,
    '='.repeat(80),
    `Model: ${score.policy}`,
    `Data: ${score.env}/${score.split} (panel ${score.panel})`,
    ...(score.standIn ? ['Tasks: STAND-IN, generated ones in place of the official'] : []),
    `Total samples: ${score.scored}`,
    `Max rounds: ${maxRounds}`,
    '',
    'Results:',
    `  Average Reward: ${score.reward.mean.toFixed(4)}`,
    `  Success Rate: ${score.success.mean.toFixed(4)} (${solved}/${score.scored})`,
    `  Avg turns: ${score.turns.toFixed(2)}`,
  ];
  const failed = score.episodes - score.scored;
  if (failed > 0)
    lines.push(
      `  Without a result: ${failed} (${Object.entries(score.failures)
        .map(([what, n]) => `${what}: ${n}`)
        .join(', ')})`,
    );
  return `${lines.join('\n')}\n`;
}

function taskStats(score: Score): Record<string, object> {
  return Object.fromEntries(
    score.perTask.map((task) => [
      task.item || String(task.index),
      {
        n: task.reward.length,
        'avg@n': task.reward.length > 0 ? mean(task.reward) : null,
        'pass@n': task.success.length > 0 ? Number(task.success.some((value) => value === 1)) : null,
        rewards: task.reward,
      },
    ]),
  );
}
