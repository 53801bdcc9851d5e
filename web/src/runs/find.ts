/** Which runs of a folder are shown: by kind, folder and words. */
import type { RunSummary } from '../../../src/dashboard/model.ts';
import { nameOf } from '../components/run-name.tsx';

export const kinds = ['all', 'training', 'evaluation', 'archived'] as const;

export interface Wanted {
  readonly search: string;
  readonly kind: (typeof kinds)[number];
  readonly folder: string;
}

export function folderOf(id: string): string {
  return id.split('/').slice(0, -1).join('/');
}

export function fits(run: RunSummary, { search, kind, folder }: Wanted): boolean {
  const archived = run.annotation?.archived === true;
  const rightKind =
    kind === 'archived' ? archived : !archived && (kind === 'all' || (kind === 'evaluation') === (run.kind === 'eval'));
  const rightFolder = folder === '' || `${folderOf(run.id)}/`.startsWith(folder);
  if (!rightKind || !rightFolder) return false;
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return true;
  const { note = '', tags = [] } = run.annotation ?? {};
  const text = [nameOf(run), run.id, run.recipe, run.status, run.reason ?? '', note, ...tags].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
