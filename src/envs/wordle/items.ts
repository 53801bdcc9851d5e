/** Seeds of AgentGym's training set (955 of 0 to 1450): bit n of this number, counted from its end, stands for seed n. */
const bits = BigInt(
  '0x' +
    '56fbf652b65daef78834256fffa3b03dd76fe9cf577ddf7d4bf37f6bfb2d9cb7f95d6e96a21bdeee60bb7eebbe5ce736478e3d7f8fda55' +
    '7c27efc669dfbeab5ee613abb937efcfae54ff7f65b6dff2f6e6b40fd319fc17fcb91ff5f76693c8dbfed9f37813ffd4dfd3b8ff33dbff' +
    'de1f7577efeffad3fa12ebdffaaff4fb6ff7d96a5d9fd91d39b7df75fdf417c44efb8fd7748fa1fd43cbfe5fd7ed0ff899813ad2c2bbdd' +
    'fb77f7dd032dfaab7eb6fef7fffbcdfff',
);

export const trainSeeds: readonly number[] = Array.from({ length: 1451 }, (_, seed) => seed).filter(
  (seed) => ((bits >> BigInt(seed)) & 1n) === 1n,
);
