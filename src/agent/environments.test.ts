import { afterAll, describe, expect, it } from 'vitest';
import '../envs/builtin.ts';
import type { Environment } from '../envs/environment.ts';
import { loadEnvironment } from '../envs/registry.ts';
import { startGym, type GymServer } from '../gym/server/server.ts';
import { counting } from '../gym/server/slow.fixture.ts';
import { Environments } from './environments.ts';
import { parseInteractions } from './interaction-config.ts';
import { taskOfItem } from './items.ts';

const shop = await loadEnvironment('webshop', { size: '60', generated: true });
const gym = (environment: Environment): Promise<GymServer> =>
  startGym({ environments: [environment], host: '127.0.0.1', port: 0 });
const [first, second, slow] = [await gym(shop), await gym(shop), await gym(counting())];
afterAll(async () => {
  for (const server of [first, second, slow]) await server.close();
});

const file = `
- name: webshop
  _target_: verl.interactions.webshop_interaction.WebshopInteraction
  config: { env_server_base: "${first.url}", timeout: 600, max_retries: 3 }
- name: webshop_2
  _target_: verl.interactions.webshop_interaction.WebshopInteraction
  config: { env_server_base: "${second.url}/", timeout: 7, max_retries: 0, max_rounds: 15 }
- name: counting_2
  config: { env_server_base: "${slow.url}", timeout: 0.2, max_retries: 1 }
`;

describe("the servers of verl's interaction files", () => {
  it('play what is asked for under their names, with their time-outs and turns', async () => {
    await using environments = new Environments({ interactions: parseInteractions(file) });
    const one = await environments.open({ env: 'webshop' });
    const two = await environments.open({ env: 'webshop_2' });
    expect([one.name, two.name]).toEqual(['webshop', 'webshop']);
    for (const environment of [one, two]) {
      await using episode = await environment.open(taskOfItem(environment, 17));
      expect(episode.observation).toContain('Instruction');
    }
    expect([first.counts.opened, second.counts.opened]).toEqual([1, 1]);
    expect(environments.limits('webshop')).toEqual({ stepDeadline: 600_000 });
    expect(environments.limits('webshop_2')).toEqual({ stepDeadline: 7_000, turns: 15 });
    expect(environments.limits('textcraft')).toEqual({});
    expect(await environments.open({ env: 'webshop_2' })).toBe(two);
  });

  it('are hung up on when their time-out is over, at the socket', async () => {
    await using environments = new Environments({ interactions: parseInteractions(file) });
    const environment = await environments.open({ env: 'counting_2' });
    await using episode = await environment.open({ env: 'counting', split: 'all', index: 0 });
    await expect(episode.step('wait 5000')).rejects.toMatchObject({ code: 'GYM_TIMED_OUT' });
  });

  it('that are not up are waited for as long as was said', async () => {
    await using environments = new Environments({ wait: 150 });
    await expect(environments.open({ env: 'textcraft', url: 'http://127.0.0.1:9' })).rejects.toMatchObject({
      code: 'GYM_REFUSED',
    });
  });
});
