/** Which tasks were solved by whom: one row per task, one column per policy, or per step of a run that was evaluated on its way. Pure. */
import type { EpisodeSummary, TaskCell, TaskMatrix } from '../model.ts';

/** Rows at most; a panel of sixty thousand tasks is no picture. */
const mostRows = 1000;

type Played = Pick<EpisodeSummary, 'task' | 'category' | 'policy' | 'step' | 'outcome' | 'place'>;

/** Episodes that failed have no answer and are left out. */
export function taskMatrix(episodes: readonly Played[]): TaskMatrix {
  const bySteps = episodes.some(({ step }) => step > 0);
  const keyOf = ({ policy, step }: Played): string => (bySteps ? String(step) : policy);
  const keys = [...new Set(episodes.map(keyOf))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const tasks = new Map<string, { readonly category: string; readonly cells: Map<string, Played[]> }>();
  for (const episode of episodes) {
    if (episode.outcome === 'failed') continue;
    const row = tasks.get(episode.task) ?? { category: episode.category, cells: new Map<string, Played[]>() };
    row.cells.set(keyOf(episode), [...(row.cells.get(keyOf(episode)) ?? []), episode]);
    tasks.set(episode.task, row);
  }
  const rows = [...tasks].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  return {
    columns: keys.map((key) => (bySteps ? { step: Number(key) } : { policy: key })),
    rows: rows
      .slice(0, mostRows)
      .map(([task, { category, cells }]) => ({ task, category, cells: keys.map((key) => cellOf(cells.get(key) ?? [])) })),
    left: Math.max(0, rows.length - mostRows),
  };
}

function cellOf(episodes: readonly Played[]): TaskCell | null {
  const [first] = episodes;
  if (!first) return null;
  const solved = episodes.filter(({ outcome }) => outcome === 'success').length;
  return { success: solved / episodes.length, n: episodes.length, place: first.place };
}
