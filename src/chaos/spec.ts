/** `--chaos SEED[:profile]`: a seed and the kinds of faults that a profile, or a list of kinds by name, stands for. */
import { AgogeError } from '../core/error.ts';
import { nearest } from '../core/nearest.ts';
import { faultKinds, profiles, type FaultName } from './kinds.ts';

export interface ChaosSpec {
  readonly seed: number;
  readonly kinds: readonly FaultName[];
}

/** Throws CLI_USAGE_CHAOS. */
export function parseChaos(text: string): ChaosSpec {
  const [, digits, names = 'all'] = /^(\d{1,15})(?::(.+))?$/.exec(text) ?? [];
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
  return { seed: Number(digits), kinds: [...new Set(kinds)] };
}
