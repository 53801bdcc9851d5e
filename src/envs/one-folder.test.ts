/** To ship an environment touches its folder (here tests/fixtures/lamps) and one line: everything else asks the registry. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lampsEntry } from '../../tests/fixtures/lamps/index.ts';
import { createFormat } from '../agent/formats/index.ts';
import { taskOfItem } from '../agent/items.ts';
import { Random } from '../core/random/random.ts';
import { interactionKwargs, itemIdOf, parseItemId } from '../data/tasks/items.ts';
import { rowPrompt } from '../data/tasks/prompts.ts';
import { openEnvironment } from '../gym/client/connect.ts';
import { startGym, type GymServer } from '../gym/server/server.ts';
import { checkLaws } from '../lint/laws.ts';
import { Demonstrations } from '../train/sft/demonstrations.ts';
import { sftRecipe } from '../config/recipe/recipe.ts';
import { agentGymReader, factsOf } from './lookup.ts';
import { loadEnvironment, registerEnvironment } from './registry.ts';

registerEnvironment(lampsEntry); // the one line

const task = (index: number) => ({ env: 'lamps', split: 'all', index });

describe('an environment in one folder and one line', () => {
  let server: GymServer;
  beforeAll(async () => {
    server = await startGym({ environments: [await loadEnvironment('lamps')] });
  });
  afterAll(() => server.close());

  it('keeps the laws', async () => {
    const broken: string[] = [];
    for await (const { law, violation } of checkLaws(await loadEnvironment('lamps'), {
      cases: 5,
      expertTasks: 20,
      memorySteps: 1000,
    }))
      if (violation && law !== 'floor') broken.push(`${law}: ${violation.detail}`);
    expect(broken).toEqual([]);
  });

  it("speaks AgentGym's routes, and our client of its servers understands them", async () => {
    const call = async (path: string, body: unknown): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    };
    expect(await (await fetch(server.url)).json()).toBe('This is environment Lamps.');
    expect(await call('/create', {})).toEqual({ id: 0 });
    expect(await call('/reset', { id: 0, row: 'x' })).toMatchObject({ detail: [{ loc: ['body', 'row'] }] });
    const { observation } = (await call('/reset', { id: 0, row: 3 })) as { observation: string };
    expect(observation).toMatch(/^[.*]{3}$/);
    await using away = await openEnvironment(`lamps@agentgym+${server.url}`).then((found) => ({
      found,
      [Symbol.asyncDispose]: async () => found.close?.(),
    }));
    await using episode = await away.found.open(task(3));
    expect(episode.observation).toBe(observation);
    expect((await agentGymReader('lamps', '2025'))('Thought: x Action: press 1')).toEqual({ action: 'press 1' });
  });

  it('has ids, rows, limits and a prompt', async () => {
    const lamps = await loadEnvironment('lamps');
    expect([parseItemId('lamp_7'), parseItemId('bulb_7')]).toEqual([
      { env: 'lamps', number: 7 },
      { env: 'lamps', number: 7 },
    ]);
    expect(itemIdOf('lamps', 7)).toBe('lamp_7');
    expect(taskOfItem(lamps, 'lamp_7')).toEqual(task(7));
    expect(interactionKwargs('lamps', 7)).toEqual({ name: 'lamps', session_id: 7, row: 7 });
    expect(rowPrompt('lamps', lamps).at(-1)).toEqual({ role: 'user', content: 'Please light the lamps.' });
    // What the open environment says of itself beside the entry does not hide the entry.
    expect(factsOf(lamps).limits).toEqual({ turns: 12, tokens: 16 });
  });

  it('has settings, typed and checked', async () => {
    const observed = async (settings: Record<string, string | number | boolean>): Promise<string> =>
      (await (await loadEnvironment('lamps', settings)).open(task(0))).observation;
    expect(await observed({ count: 5 })).toMatch(/^\.[.*]{4}$/);
    expect(await observed({ count: '5', hints: 'true' })).toMatch(/^\.[.*]{4} \(0 is dark\)$/);
    await expect(loadEnvironment('lamps', { count: 0 })).rejects.toThrow(
      'lamps.count is "0": set it to a whole number from 1 to 9',
    );
    await expect(loadEnvironment('lamps', { cuont: 3 })).rejects.toThrow(/no setting "cuont": did you mean "count"/);
  });

  it('has a difficulty, which curricula ask for', async () => {
    const environment = await loadEnvironment('lamps', { count: 6 });
    const { data } = sftRecipe({ run: 'x', data: { source: 'experts', experts: [{ env: 'lamps', generated: true }] }, steps: 1 });
    const decks = data.experts.map((entry) => ({ entry, environment }));
    const demonstrations = new Demonstrations({ decks, format: createFormat('direct'), seed: 1, maxTurns: 12 });
    expect((await demonstrations.draw(0, 0)).turns).toBe(1);
    expect((await demonstrations.draw(0, 1)).turns).toBe(6);
  });

  it('has a picture and a drawing', async () => {
    const practice = await (await loadEnvironment('lamps')).practice?.(Random.of(1), 0);
    expect(practice?.episode.state).toMatchObject({ lit: [false, true, true] });
    expect(JSON.stringify(practice?.episode.state)).toContain('black');
    expect((await lampsEntry.drawing?.())?.(practice?.episode.state, { colour: false })).toBe('.**');
  });
});
