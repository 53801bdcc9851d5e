/** What `agoge eval` wrote, as tables. */
import type { ReadEvaluations } from './evaluations.ts';

export async function readEvalFile(_path: string): Promise<ReadEvaluations> {
  return { evaluations: [], problems: [] };
}
