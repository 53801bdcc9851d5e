/** Scores of an evaluation that has not ended: what its finished episodes give so far, with an interval over tasks for success. */
import { Random } from '../../core/random/random.ts';
import { mean } from '../../learn/rows.ts';
import { shareInterval } from '../../learn/statistics.ts';
import type { IndexedEpisode } from '../../run/episode-index.ts';
import type { Evaluation, EvaluationRow } from '../model.ts';

export async function scoresSoFar(episodes: AsyncIterable<IndexedEpisode>): Promise<Evaluation[]> {
  const panels = new Map<string, Map<string, IndexedEpisode[]>>();
  for await (const episode of episodes) {
    const [name = ''] = episode.task.split('#');
    const panel = entry(panels, name, () => new Map<string, IndexedEpisode[]>());
    entry(panel, episode.policy, () => []).push(episode);
  }
  return [...panels].map(([name, policies]) => ({
    name,
    running: true,
    rows: [...policies].map(([policy, rows]) => rowOf(name.split('/')[0] ?? name, policy, rows)),
    policies: [],
    comparisons: [],
  }));
}

function rowOf(environment: string, policy: string, episodes: readonly IndexedEpisode[]): EvaluationRow {
  const scored = episodes.filter(({ outcome }) => outcome !== 'failed');
  const solved = ({ outcome }: IndexedEpisode): number => Number(outcome === 'success');
  const tasks = new Map<string, number[]>();
  for (const episode of scored) entry(tasks, episode.task, () => []).push(solved(episode));
  const outcomes = [...tasks.values()];
  // Asked for again with every change of the page: fewer draws than the final score has.
  const { low, high } = shareInterval(outcomes, Random.of(0, environment, policy), { draws: 400 });
  return {
    environment,
    policy,
    category: 'all',
    n: scored.length,
    success: mean(outcomes.flat()),
    successLow: low,
    successHigh: high,
    reward: mean(scored.flatMap(({ reward }) => (reward === null ? [] : [reward]))),
    rewardLow: NaN,
    rewardHigh: NaN,
    turns: mean(scored.map(({ turns }) => turns)),
    failures: scored.length < episodes.length ? { failed: episodes.length - scored.length } : {},
  };
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const fresh = make();
  map.set(key, fresh);
  return fresh;
}
