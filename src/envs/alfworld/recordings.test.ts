/** Every shared recording of ALFWorld, replayed in process and over HTTP: same start, same answer to each action. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEnvironment } from '../../gym/client/connect.ts';
import { startGym, type GymServer } from '../../gym/server/server.ts';
import type { Environment } from '../environment.ts';
import { solve } from '../../lint/play.ts';
import { alfWorld } from './opened.fixture.ts';
import { type AlfWorld } from './alfworld.ts';

const shared = fileURLToPath(new URL('../../../../shared/data/alfworld/', import.meta.url));
const missing = !existsSync(shared);
if (missing) console.log(`skipped: recordings are not at ${shared}`);

interface Recording {
  readonly game: string;
  readonly problem: string;
  readonly trace: string;
}

/** Actions and what was told; thoughts were answered by the agent itself, the recorder wrote its own words of arrival. */
function turnsOf(trace: string): [action: string, told: string][] {
  const lines = trace.split('\n');
  const turns: [string, string][] = [];
  for (let at = 0; at + 1 < lines.length; at++) {
    const told = lines[at + 1] ?? '';
    const [, action] = /^>? ?([a-z].*)$/.exec(lines[at] ?? '') ?? [];
    if (action === undefined || action.startsWith('think:') || told === '' || told.startsWith('>')) continue;
    turns.push([action, told.replace(/^You arrive at the location\. /, '')]);
    at++;
  }
  return turns;
}

describe.skipIf(missing)('recordings of ALFWorld', () => {
  const recordings = missing ? [] : (JSON.parse(readFileSync(`${shared}adapt_recorded_traces.json`, 'utf8')) as Recording[]);
  let world: AlfWorld;
  let server: GymServer;
  let remote: Environment;
  beforeAll(async () => {
    world = await alfWorld({ games: `${shared}games_valid.jsonl.gz`, listActions: 'never' });
    server = await startGym({ environments: [world] });
    remote = await openEnvironment(`alfworld@${server.url}`, {});
  });
  afterAll(async () => {
    await remote.close?.();
    await server.close();
  });

  const replay = async (environment: Environment): Promise<number> => {
    const tasks = environment.tasks('valid_unseen');
    const numbers = new Map(Array.from({ length: tasks.size }, (_, index) => [tasks.info(index).title, index]));
    let steps = 0;
    for (const { game, problem, trace } of recordings) {
      await using episode = await environment.open({ env: 'alfworld', split: 'valid_unseen', index: numbers.get(game) ?? -1 });
      expect(episode.observation).toBe(problem);
      for (const [action, told] of turnsOf(trace)) {
        expect([game, action, (await episode.step(action)).observation]).toEqual([game, action, told]);
        steps++;
      }
    }
    return steps;
  };

  it('are reproduced in process', async () => {
    expect(recordings.length).toBeGreaterThan(0);
    expect(await replay(world)).toBeGreaterThan(10 * recordings.length);
  });

  it('are reproduced over HTTP', async () => {
    await replay(remote);
    expect(server.counts.open).toBe(0);
  });

  it('have the sizes that papers report', () => {
    expect(world.splits).toEqual(['test', 'valid_train', 'valid_seen', 'valid_unseen', 'games', 'generated', 'generated-test']);
    expect(['test', 'valid_seen', 'valid_unseen'].map((split) => world.tasks(split).size)).toEqual([200, 140, 134]);
    const { category, itemId, title } = world.tasks('valid_train').info(0);
    expect([category, itemId, title]).toEqual([
      'Cool',
      'alfworld_2420',
      'pick_cool_then_place_in_recep-Mug-None-CoffeeMachine-23/trial_T20190908_143209_571893',
    ]);
  });

  it('are solved by both experts within 50 steps', async () => {
    const informed = await alfWorld({ games: `${shared}games_valid.jsonl.gz`, listActions: 'never', expert: 'informed' });
    for (const [environment, most] of [[informed, 12] as const, [world, 50] as const]) {
      for (const split of ['test', 'valid_seen', 'valid_unseen']) {
        for (let index = 0; index < environment.tasks(split).size; index++) {
          const { actions, success } = await solve(environment, { env: 'alfworld', split, index });
          expect([split, index, success]).toEqual([split, index, true]);
          expect(actions.length).toBeLessThanOrEqual(most);
        }
      }
    }
  });
});
