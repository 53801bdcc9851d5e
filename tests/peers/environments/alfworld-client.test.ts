/** AgentGym's ALFWorld client in Python against our server: every text, list, reward and end is that of the same play in process. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { alfWorld } from '../../../src/envs/alfworld/opened.fixture.ts';
import { startGym } from '../../../src/gym/server/server.ts';
import { peersMissing, python } from '../python.ts';

const missing = peersMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);
const run = promisify(execFile);
const shared = fileURLToPath(new URL('../../../../shared/data/alfworld', import.meta.url));

interface Seen {
  readonly root: string;
  readonly reset: { readonly task_type: string; readonly observation: string; readonly available_actions: readonly string[] };
  readonly negative: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly actions: readonly string[];
  readonly outside: unknown;
  readonly type: unknown;
  readonly closed: boolean;
  readonly played: [
    game: number,
    first: string,
    steps: [string, string, number, boolean][],
    refused: unknown,
    id: number,
    closed: boolean,
  ][];
}

describe.skipIf(missing !== undefined)("AgentGym's ALFWorld client in Python", () => {
  it.each([
    ['homes of our own', undefined],
    ['the official games', shared],
  ])('plays %s', async (_, games) => {
    if (games !== undefined && !existsSync(games)) {
      console.log(`skipped: ${games} is not there`);
      return;
    }
    const environment = await alfWorld(games === undefined ? { generated: true } : { games });
    await using server = await startGym({ environments: [environment] });
    const script = fileURLToPath(new URL('alfworld_client.py', import.meta.url));
    const { stdout } = await run(python, [script, server.url], { maxBuffer: 2 ** 26 });
    const seen = JSON.parse(stdout) as Seen;
    const { name, episode } = environment.openItem(2420);
    expect(seen.root).toBe('This is environment AlfWorld.');
    expect(seen.reset).toMatchObject({ observation: episode.opening, available_actions: episode.actions, task_type: name });
    if (games !== undefined) {
      expect(name).toBe('pick_cool_then_place_in_recep-Mug-None-CoffeeMachine-23/trial_T20190908_143209_571893');
    }
    const last = environment.openItem(2619).episode;
    expect([seen.negative, seen.actions]).toEqual([last.opening, last.actions]);
    expect(seen.detail).toMatchObject({
      world_type: 'Text',
      game: -1,
      observation: last.opening,
      done: false,
      reward: 0,
      deleted: false,
    });
    expect(seen.outside).toEqual({ error: 'list index out of range: choose a game from 0 to 2619' });
    expect(seen.type).toEqual({ error: 'world_type must be one of "Text", "Embody" and "Hybrid"' });
    expect(seen.closed).toBe(true);
    for (const [game, first, steps, refused, id, closed] of seen.played) {
      const here = environment.openItem(game).episode;
      expect(first).toBe(`${here.opening}\nAVAILABLE ACTIONS: ${here.actions.join(',')}`);
      for (const [turn, [action, text, reward, done]] of steps.entries()) {
        const step = here.step(action);
        expect([text, reward, done]).toEqual([step.observation, step.reward, step.done || turn === 49]);
      }
      expect([refused, closed]).toEqual([{ error: `The task with environment ${id} has finished.` }, true]);
    }
    expect(server.counts.open).toBe(0);
  });
});
