/** Which of the 812 tasks AgentGym trains on (372) and evaluates on (50). */
const TASKS = 812;

export function agentGymTrain(): readonly number[] {
  return unpack(TRAIN);
}

/** In the order of its file. */
export function agentGymTest(): readonly number[] {
  return TEST;
}

/** Bit i, counted from the lowest bit of each byte, says whether task i belongs to the set. */
function unpack(base64: string): readonly number[] {
  const bytes = atob(base64);
  return Array.from({ length: TASKS }, (_, task) => task).filter((task) => (bytes.charCodeAt(task >> 3) >> (task & 7)) & 1);
}

const TRAIN =
  'r/4/xu///+31+/9//6/38/7//7/f/v////c/v+8/f3f//r/+/+//v//+//v/3//bEwAAAABfAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AA8AAAAAAAAAA+AOD3AAAfAAAA';

const TEST: readonly number[] = [
  24, 238, 228, 158, 278, 280, 22, 165, 300, 328, 239, 386, 387, 264, 23, 65, 215, 4, 95, 115, 6, 680, 203, 214, 108, 110, 247,
  122, 123, 128, 318, 526, 537, 535, 168, 598, 27, 28, 67, 29, 36, 60, 74, 222, 251, 255, 381, 378, 365, 763,
];
