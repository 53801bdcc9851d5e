/**
 * Which tasks there are. AgentGym numbers them: `data_idx % 40` is the level, `data_idx / 40` rounded down the seed. Its
 * training and evaluation sets take 45 and 5 seeds of 18 levels each, listed here; `generated` goes on with seeds that no
 * recording uses, without end.
 */
import { AgogeError } from '../../core/error.ts';
import { levels, type NamedLevel } from './world/levels/index.ts';

export interface BabyAITask {
  readonly level: NamedLevel;
  readonly seed: number;
  /** AgentGym's data_idx. */
  readonly item: number;
}

/** The level and seed of a data_idx. */
export function taskOf(item: number): BabyAITask {
  const level = levels[((item % levels.length) + levels.length) % levels.length];
  if (!level || !Number.isSafeInteger(item) || item < 0) {
    throw new AgogeError(
      'ENV_UNKNOWN_TASK',
      `babyai has no task ${item}: a data_idx is a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
    );
  }
  return { level, seed: Math.floor(item / levels.length), item };
}

export function itemOf(level: NamedLevel, seed: number): number {
  return seed * levels.length + levels.indexOf(level);
}

/** The data_idx of AgentGym's sets, in their order. */
export function agentGymItems(split: 'train' | 'test'): number[] {
  return Object.entries(agentGymSeeds)
    .flatMap(([name, seeds]) => numbers(seeds[split]).map((seed) => itemOf(levelNamed(name), seed)))
    .sort((a, b) => a - b);
}

/** The levels that AgentGym trains and evaluates on. */
export function agentGymLevels(): NamedLevel[] {
  return Object.keys(agentGymSeeds).map(levelNamed);
}

/** Levels by name or family, separated by commas; `all` for all forty. Throws ENV_BAD_SETTING. */
export function levelsNamed(text: string): NamedLevel[] {
  const chosen = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .flatMap((part) => {
      const found = levels.filter(({ name, family }) => part === 'all' || part === name || part === family);
      return found.length > 0 ? found : [levelNamed(part)];
    });
  if (chosen.length === 0) throw noLevel(text);
  return [...new Set(chosen)];
}

/** Seeds of generated tasks lie above every seed that was ever recorded. */
export const firstGeneratedSeed = { generated: 1_000_000, 'generated-test': 3_000_000_000 } as const;

/** A panel as AgentGym's evaluation set, of seeds that nothing else uses: five of each of its 18 levels, seed by seed. */
export function freshItems(): number[] {
  const named = agentGymLevels();
  return Array.from({ length: 5 }, (_, k) => named.map((level) => itemOf(level, firstFreshSeed + k))).flat();
}

const firstFreshSeed = 4_000_000_000;

/** One level by its name; throws ENV_BAD_SETTING. */
export function levelNamed(name: string): NamedLevel {
  const level = levels.find((candidate) => candidate.name === name);
  if (!level) throw noLevel(name);
  return level;
}

function noLevel(name: string): AgogeError {
  const families = [...new Set(levels.map(({ family }) => family))].join(', ');
  const names = levels.map((level) => level.name).join(', ');
  return new AgogeError('ENV_BAD_SETTING', `babyai has no level "${name}": choose from all, ${families}, or ${names}`);
}

/** `0-3 7` is 0, 1, 2, 3, 7. */
function numbers(ranges: string): number[] {
  return ranges.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

const agentGymSeeds: Readonly<Record<string, { readonly train: string; readonly test: string }>> = {
  GoToRedBallGrey: {
    train: '0-23 25-45',
    test: '46-49 51',
  },
  GoToRedBall: {
    train: '0-7 9-12 14-20 22 25-28 31 34-39 41-43 45-47 49 51-57',
    test: '59-63',
  },
  GoToRedBallNoDists: {
    train: '0-14 16-40 42-46',
    test: '47-49 51 52',
  },
  GoToObjS6: {
    train: '0-11 13-18 20 22-28 30-42 44-48 51',
    test: '52 54-57',
  },
  GoToLocalS8N7: {
    train: '0-44',
    test: '45-49',
  },
  GoToObjMazeS7: {
    train:
      '2 4 6 8 10 13 14 16 32 37 40 46 48 51 52 54-56 60 62 63 65 68-71 73 74 76-78 81 83 86 87 90 92 94 98 99 104 105 107 109 112',
    test: '114 116 117 119 120',
  },
  GoToImpUnlock: {
    train:
      '2 3 7-10 12 13 15 20 21 36-40 42 43 45 48 51-53 59 60 64 67 72 79 93 94 103 108 111 113 121 127 129 130 136 155 158 161 181 184',
    test: '190 193 199 202 203',
  },
  GoToSeqS5R2: {
    train: '0 6 10 14-18 21 25 26 32 33 35-37 39 41 42 44 45 47 51-53 56 59 62 64-68 71 72 75 78-80 82 83 86 87 90 91',
    test: '93 96-99',
  },
  GoToRedBlueBall: {
    train: '0-23 25-42 44-46',
    test: '47 48 52 53 55',
  },
  GoToDoor: {
    train: '1 3 4 7-9 12 27 28 30 32 36 37 41-46 48 49 51-59 61 63-65 68 71 76-82 85 87',
    test: '89 93 95 96 99',
  },
  GoToObjDoor: {
    train: '0-25 28 29 31 33 35 37-39 43-45 48 49 52 54 55 57 61 65',
    test: '69 71 72 74 78',
  },
  PickupLoc: {
    train: '0-19 53-59 61-67 70 73 77 83-86 88 89 91 92',
    test: '96 97 99 101 102',
  },
  PickupDistDebug: {
    train: '0 3-5 26-29 33 34 37-40 42 44 45 47 49-51 53-61 64-66 68-70 74 75 77 78 80-84',
    test: '85-88 91',
  },
  PickupAbove: {
    train: '0-5 8-13 15-17 19-38 40-48 52',
    test: '53-56 59',
  },
  ActionObjDoor: {
    train:
      '1 3 4 6 11 13 17 18 21 22 25 30 32 34 35 39 42-44 48 49 51-53 65 66 69-71 76 77 79 80 85 88 89 92 94 95 99 101 104 107 108 111',
    test: '113 115 122 125 126',
  },
  FindObjS7: {
    train: '0 1 3 4 8 9 11-14 16-20 22-26 29 30 32 34-37 39 40 42-45 47 54 57 59 63 66 68 69 71 72 75 76',
    test: '78 82 88 93 94',
  },
  OneRoomS20: {
    train: '0 2-4 6-8 11 12 15 16 22-26 29 32-35 42-44 47 52 56-58 61 62 66 69 76-78 80 86 90 93 94 98 100 104 107',
    test: '109 111 115 118 152',
  },
  SynthLoc: {
    train:
      '1 9 15 17 24 29-31 33 36 37 45 50 52 57 61 75 76 82 89 98 99 117 121 123 131 141 156 179 184 187 191 194 197 207 215 224 227 229 239 240 246 255 266 278',
    test: '284 300 313 318 321',
  },
};
