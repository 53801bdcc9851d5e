/**
 * The two wordings of ALFWorld. Edition 0.3 is what AgentGym and the published games use; 0.4 says `move` for `put`, names the
 * receptacle on arrival and answers `help`.
 */
export type Edition = '0.3' | '0.4';

export interface Wording {
  /** How putting something down is said. */
  put(object: string, receptacle: string): string;
  putDone(object: string, receptacle: string): string;
  arrived(place: string, receptacle: string): string;
  /** The answer to `help`, where it is a command. */
  readonly help?: string;
  /** Types of receptacles that clean. */
  readonly cleaning: readonly string[];
}

export const wordings: Readonly<Record<Edition, Wording>> = {
  '0.3': {
    put: (object, receptacle) => `put ${object} in/on ${receptacle}`,
    putDone: (object, receptacle) => `You put the ${object} in/on the ${receptacle}.`,
    arrived: (place) => `You arrive at ${place}. `,
    cleaning: ['sinktype', 'sinkbasintype'],
  },
  '0.4': {
    put: (object, receptacle) => `move ${object} to ${receptacle}`,
    putDone: (object, receptacle) => `You move the ${object} to the ${receptacle}.`,
    arrived: (_, receptacle) => `You arrive at ${receptacle}. `,
    help: [
      'Available commands:',
      '  look:                             look around your current location',
      '  inventory:                        check your current inventory',
      '  go to (receptacle):               move to a receptacle',
      '  open (receptacle):                open a receptacle',
      '  close (receptacle):               close a receptacle',
      '  take (object) from (receptacle):  take an object from a receptacle',
      '  move (object) to (receptacle):  place an object in or on a receptacle',
      '  examine (something):              examine a receptacle or an object',
      '  use (object):                     use an object',
      '  heat (object) with (receptacle):  heat an object using a receptacle',
      '  clean (object) with (receptacle): clean an object using a receptacle',
      '  cool (object) with (receptacle):  cool an object using a receptacle',
      '  slice (object) with (object):     slice an object using a sharp object',
      '',
    ].join('\n'),
    cleaning: ['sinkbasintype'],
  },
};

/** `nothing`, `a mug 1`, or `a mug 2, and a mug 1`. */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  if (names.length === 1) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1) ?? ''}`;
}
