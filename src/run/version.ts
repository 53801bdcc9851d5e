/**
 * The version that run folders, checkpoints and evaluations carry as `v`. Folders without one are older and are read as they are
 * (config/upgrade.ts brings their recipes to today's words); newer ones are refused with the remedy, since nobody here knows them.
 */
import { AgogeError } from '../core/error.ts';

export const folderVersion = 1;

/** Throws RUN_NEWER where something was written by a version that this one does not know. */
export function refuseNewer(written: unknown, where: string): void {
  const v: unknown = typeof written === 'object' && written !== null && 'v' in written ? written.v : undefined;
  if (typeof v !== 'number' || v <= folderVersion) return;
  throw new AgogeError(
    'RUN_NEWER',
    `${where} was written by a newer agoge (version ${v}; this one reads up to ${folderVersion}): update with npm install agoge@latest`,
  );
}
