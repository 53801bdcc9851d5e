/** `--chaos SEED[:profile[:starts]]`: a seed, the kinds of faults that a profile or a list of names stands for, and how many starts may be ended. */
import { AgogeError } from '../core/error.ts';
import { nearest } from '../core/nearest.ts';
import { faultKinds, profiles, type FaultName } from './kinds.ts';

export interface ChaosSpec {
  readonly seed: number;
  readonly kinds: readonly FaultName[];
  /** Starts that may be ended by a kill or a failing disk; those after them are left alone, so that the work ends. */
  readonly starts: number;
}

/** Throws CLI_USAGE_CHAOS. */
export function parseChaos(text: string): ChaosSpec {
  const [, digits, names = 'all', starts = '4'] = /^(\d{1,15})(?::([^:]+)(?::(\d{1,4}))?)?$/.exec(text) ?? [];
  if (digits === undefined)
    throw new AgogeError(
      'CLI_USAGE_CHAOS',
      `"${text}" is no seed: write --chaos 7, --chaos 7:disk or --chaos 7:step-fails,kill-write`,
    );
  const kinds = names.split(',').flatMap((name) => {
    const places = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    if (places) return faultKinds.filter(({ place }) => places.includes(place)).map((kind) => kind.name);
    const kind = faultKinds.find((each) => each.name === name);
    if (kind) return [kind.name];
    const known = [...Object.keys(profiles), ...faultKinds.map((each) => each.name)];
    const near = nearest(name, known);
    throw new AgogeError(
      'CLI_USAGE_CHAOS',
      `there is no profile or fault "${name}"${near === undefined ? '' : ` (did you mean ${near}?)`}: see agoge chaos list`,
    );
  });
  return { seed: Number(digits), kinds: [...new Set(kinds)], starts: Number(starts) };
}
