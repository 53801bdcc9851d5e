/** The names of the formats that `agoge data` reads and writes, for its options and its help. */
import type { FormatName } from '../../../data/formats/format.ts';

export const formats = [
  'agenttraj',
  'ids',
  'sampling',
  'chat',
  'verl-sft',
  'verl-rl',
  'episodes',
] as const satisfies readonly FormatName[];
export const FORMATS = formats.join(', ');
