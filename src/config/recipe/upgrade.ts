/** Recipes of older runs in today's words, so that the runs can go on. A run is asked for its version; recipes that a user writes are not touched. */

type Section = Record<string, unknown>;

/** The recipe of a run whose folder carries no version, and what was changed in it. */
export function upgradeRecipe(config: unknown): { readonly config: unknown; readonly notes: readonly string[] } {
  if (!isSection(config)) return { config, notes: [] };
  const notes: string[] = [];
  const data = isSection(config['data']) ? { ...config['data'] } : undefined;
  const evaluate = isSection(config['evaluate']) ? { ...config['evaluate'] } : undefined;
  let agent = isSection(config['agent']) ? config['agent'] : undefined;
  if (data && 'format' in data) {
    agent = { format: data['format'], ...agent };
    delete data['format'];
    notes.push('data.format is agent.format now');
  }
  if (evaluate && 'format' in evaluate) {
    delete evaluate['format'];
    notes.push('evaluate.format is gone: evaluations talk as agent.format says');
  }
  if (evaluate?.['split'] === 'test' && !('choose' in evaluate)) {
    evaluate['choose'] = false;
    notes.push('evaluations play test, so they no longer choose the best checkpoint: evaluate.choose=false');
  }
  const changed = { ...config, ...(data ? { data } : {}), ...(evaluate ? { evaluate } : {}), ...(agent ? { agent } : {}) };
  return { config: changed, notes };
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
