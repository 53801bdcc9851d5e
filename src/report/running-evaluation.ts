/** Scores of an evaluation that has not ended: what its finished episodes give so far, with Wilson's interval for success. */
import { mean } from '../learn/rows.ts';
import { wilson } from '../learn/statistics.ts';
import type { IndexedEpisode } from '../run/episode-index.ts';
import type { Evaluation, EvaluationRow } from './model.ts';

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
  const solved = scored.filter(({ outcome }) => outcome === 'success').length;
  const { low, high } = wilson(solved, scored.length);
  return {
    environment,
    policy,
    category: 'all',
    n: scored.length,
    success: solved / scored.length,
    successLow: low,
    successHigh: high,
    reward: mean(scored.map(({ reward }) => reward ?? 0)),
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
