import { expect, it } from 'vitest';
import { parseServers } from './servers.ts';

it('reads the limits of servers from the command line', () => {
  expect(parseServers([])).toMatchObject({ timeout: 300_000, patience: 30_000, maxTasks: 250_000 });
  expect(parseServers(['timeout=1.5', 'max_answer=1000', 'wait=0'])).toMatchObject({
    timeout: 1500,
    maxAnswer: 1000,
    patience: 0,
  });
  for (const bad of ['timeout', 'timeout=', 'timeout=soon', 'timeout=-1', 'speed=3', '=3', 'max_answer=1.5'])
    expect(() => parseServers([bad])).toThrow(/cannot be used/);
});
