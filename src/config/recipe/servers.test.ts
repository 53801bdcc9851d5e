import { describe, expect, it } from 'vitest';
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

describe('limits on servers', () => {
  it('are seconds, and milliseconds inside', () => {
    expect(parseServers(['timeout=20', 'wait=0', 'max_tasks=5'])).toMatchObject({ timeout: 20_000, patience: 0, maxTasks: 5 });
    expect(parseServers([])).toMatchObject({ timeout: 300_000, patience: 30_000, connections: 256 });
  });
  it.each([
    'timeout',
    'timeout=',
    'timeout=x',
    'timeout=0',
    'timeout=-1',
    'max_tasks=1.5',
    'connections=0',
    'speed=1',
    '=1',
    '__proto__=1',
  ])('%s cannot be used', (text) => {
    expect(() => parseServers([text])).toThrow(/cannot be used: write key=number/);
  });
});
