/** Which of the 812 tasks AgentGym trains on (372) and evaluates on (50), kept as bit sets. */
const TASKS = 812;

export function agentGymTrain(): readonly number[] {
  return unpack(TRAIN);
}

export function agentGymTest(): readonly number[] {
  return unpack(TEST);
}

/** Bit i, counted from the lowest bit of each byte, says whether task i belongs to the set. */
function unpack(base64: string): readonly number[] {
  const bytes = atob(base64);
  return Array.from({ length: TASKS }, (_, task) => task).filter((task) => (bytes.charCodeAt(task >> 3) >> (task & 7)) & 1);
}

const TRAIN =
  'r/4/xu///+31+/9//6/38/7//7/f/v////c/v+8/f3f//r/+/+//v//+//v/3//bEwAAAABfAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
  'AA8AAAAAAAAAA+AOD3AAAfAAAA';

const TEST =
  'UADAORAAABAKBACAAFAIDAEAAEAgAQAAAAjAQBDAgIgAAUABABAAQAABAAAAIAAkDAAAAAAAAAAAAAAAAAAAAABAgAIAAAAAAABAAAAAAAAAAA' +
  'AAAAEAAAAAAAAAAAAIAAAAAAAA';
