/** The nineteen mistakes of the reference's interaction layer, each shown not to be here. Wire-level ones play over real HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ToyEnvironment } from '../../tests/fixtures/toy-environment.ts';
import '../envs/builtin.ts';
import type { Environment } from '../envs/environment.ts';
import { loadEnvironment } from '../envs/registry.ts';
import { openEnvironment } from '../gym/client/connect.ts';
import { startGym, type GymServer } from '../gym/server/server.ts';
import type { Message } from '../policy/conversation.ts';
import { createFormat } from './formats/index.ts';
import { EnvironmentInteraction, type Response } from './interaction.ts';
import { openInteractions, parseInteractions } from './interaction-config.ts';

const yaml = `
- name: textcraft
  _target_: verl.interactions.textcraft_interaction.TextCraftInteraction
  config:
    env_server_base: "http://127.0.0.1:36001"
    timeout: 600
    max_retries: 3
`;
const said = (text: string): Message[] => [
  { role: 'system', text: 'Play.' },
  { role: 'assistant', text },
];
const open = (environment: Environment, format = 'react', extra = {}): EnvironmentInteraction =>
  new EnvironmentInteraction({ name: environment.name, environment, format: createFormat(format), ...extra });

describe('interaction', () => {
  let server: GymServer;
  let remote: Environment;

  beforeAll(async () => {
    server = await startGym({ environments: [await loadEnvironment('textcraft')], host: '127.0.0.1', port: 0 });
    remote = await openEnvironment(`textcraft@agentgym+${server.url}`);
  });
  afterAll(async () => {
    await remote.close?.();
    await server.close();
  });

  it('I1: the first instance of a fresh server, whose id is 0, starts', async () => {
    const interaction = open(remote);
    const { instance, observation } = await interaction.start({ sessionId: 0 });
    expect(observation).toContain('Goal: craft');
    await interaction.finish(instance);
  });

  it('I2, I15: the task of the row is played, the same for every sample', async () => {
    const interaction = open(remote);
    const local = await loadEnvironment('textcraft');
    const expected = await local.open({ env: 'textcraft', split: 'all', index: 300 });
    const samples = await Promise.all(Array.from({ length: 4 }, () => interaction.start({ sessionId: 300 })));
    for (const sample of samples) {
      expect(goal(sample.observation)).toBe(goal(expected.observation));
      await interaction.finish(sample.instance);
    }
    const other = await interaction.start({ itemId: 'textcraft_301' });
    expect(goal(other.observation)).not.toBe(goal(expected.observation));
    await interaction.finish(other.instance);
    await expect(interaction.start({ itemId: 'textcraft_9999' })).rejects.toThrow(/no item/);
  });

  it('I3: the final score is the reward, not a missing page', async () => {
    const interaction = open(remote, 'direct');
    const expert = (await loadEnvironment('textcraft')).expert?.({ env: 'textcraft', split: 'all', index: 0 });
    const { instance } = await interaction.start({ sessionId: 0 });
    let response: Response | undefined;
    while (response?.done !== true) response = await interaction.respond(instance, said(expert?.next('') ?? ''));
    expect(await interaction.score(instance)).toBe(1);
    await interaction.finish(instance);
  });

  it('I4, I18: sessions are closed, without noise, also twice', async () => {
    const before = server.counts.opened;
    const interaction = open(remote);
    const { instance } = await interaction.start({ sessionId: 3 });
    expect(interaction.open).toBe(1);
    await interaction.finish(instance);
    await interaction.finish(instance);
    expect(interaction.open).toBe(0);
    expect(server.counts.opened).toBe(before + 1);
    expect(server.counts.open).toBe(0);
  });

  it('I5, I6, I7: WebShop starts and answers (a bare integer from /create, env_idx, state)', async () => {
    const shop = await loadEnvironment('webshop', { size: '60', generated: true });
    await using webshop = await startGym({ environments: [shop], host: '127.0.0.1', port: 0 });
    await using interaction = open(await openEnvironment(`webshop@agentgym+${webshop.url}`, { size: '60' }));
    const { observation, instance } = await interaction.start({ sessionId: 0 });
    expect(observation).toContain('[SEP] Search');
    const { text } = await interaction.respond(instance, said('Thought: look.\nAction: search[shirt]'));
    expect(text).toContain('Back to Search');
    await interaction.finish(instance);
  });

  it('I8: an error of the environment is an error, not an empty observation', async () => {
    const broken = open(new ToyEnvironment({ trouble: () => 'throw' }));
    const { instance } = await broken.start({ sessionId: 1 });
    await expect(broken.respond(instance, said('Action: look'))).rejects.toThrow(/try again/);
  });

  it('I9: replies without an action use up turns', async () => {
    const interaction = open(new ToyEnvironment(), 'react', { maxTurns: 3 });
    const { instance } = await interaction.start({ sessionId: 1 });
    const answers: boolean[] = [];
    for (let turn = 0; turn < 4; turn++) answers.push((await interaction.respond(instance, said('hm'))).done);
    expect(answers).toEqual([false, false, true, true]);
  });

  it('I10: the name stays, start returns the instance, the YAML of the seeds is read as it is', async () => {
    expect(parseInteractions(yaml)).toEqual([
      {
        name: 'textcraft',
        env: 'textcraft',
        serverBase: 'http://127.0.0.1:36001',
        timeout: 600_000,
        maxRetries: 3,
        maxTurns: undefined,
        format: 'adapt',
      },
    ]);
    const interactions = await openInteractions(parseInteractions(yaml), () => Promise.resolve(new ToyEnvironment()));
    const interaction = interactions.get('textcraft');
    expect(interaction?.name).toBe('textcraft');
    expect((await interaction?.start({ sessionId: 1 }, 'mine'))?.instance).toBe('mine');
    await expect(interaction?.start({ sessionId: 1 }, 'mine')).rejects.toThrow(/already started/);
  });

  it("I10: verl's own form of the file too; duplicates and unknown keys are refused", () => {
    const verl = 'interaction:\n  - class_name: verl.interactions.webshop_interaction.WebshopInteraction\n    config: {}\n';
    expect(parseInteractions(verl)[0]).toMatchObject({ name: 'webshop', serverBase: 'http://127.0.0.1:8000', timeout: 600_000 });
    expect(() => parseInteractions(yaml + yaml)).toThrow(/twice/);
    expect(() => parseInteractions(yaml.replace('timeout', 'timeuot'))).toThrow(/timeuot/);
  });

  it('I11: a slow environment stalls nobody else, a hanging one ends at its timeout, opening is tried again', async () => {
    const slow = open(new ToyEnvironment({ latency: (task) => (task.index === 0 ? 200 : 1) }));
    const [a, b] = [await slow.start({ sessionId: 0 }), await slow.start({ sessionId: 1 })];
    const order: string[] = [];
    await Promise.all([
      slow.respond(a.instance, said('Action: look')).then(() => order.push('slow')),
      slow.respond(b.instance, said('Action: look')).then(() => order.push('fast')),
    ]);
    expect(order).toEqual(['fast', 'slow']);
    const hanging = open(new ToyEnvironment({ trouble: () => 'hang' }), 'react', { timeout: 20 });
    const { instance } = await hanging.start({ sessionId: 0 });
    await expect(hanging.respond(instance, said('Action: look'))).rejects.toThrow(/deadline/);
    const flaky = new ToyEnvironment();
    const whole = flaky.open.bind(flaky);
    let tries = 0;
    flaky.open = (task) => {
      if (++tries < 3) throw new Error('not yet');
      return whole(task);
    };
    expect((await open(flaky).start({ sessionId: 0 })).observation).toContain('Goal');
  });

  it("I12, I13: what the agent is told are the environment's own actions", async () => {
    const interaction = open(new ToyEnvironment());
    const { instance } = await interaction.start({ sessionId: 1 });
    const { text } = await interaction.respond(instance, said('hm'));
    expect(text).toContain('- add <count>: adds a number');
    expect(parseInteractions('- name: searchqa')[0]?.format).toBe('direct');
  });

  it('I14: the score is the sum of the rewards, as the environment gives them', async () => {
    const environment = new ToyEnvironment();
    const interaction = open(environment);
    const { instance } = await interaction.start({ sessionId: 6 });
    const scores: number[] = [];
    for (let turn = 0; turn < 3; turn++) scores.push((await interaction.respond(instance, said('Action: add 3'))).score);
    expect(scores).toEqual([0, 0, 1]);
    expect(await interaction.score(instance)).toBe(1);
    expect(await interaction.respond(instance, said('Action: add 3'))).toMatchObject({ done: true, score: 0 });
  });

  it('I16: "Action: [[ get 1 oak log ]]" and "Action: get …" are read, in ADaPT too', async () => {
    for (const format of ['adapt', 'react']) {
      const interaction = open(await loadEnvironment('textcraft'), format);
      const { instance } = await interaction.start({ sessionId: 0 });
      for (const reply of ['Think: …\nAction: [[ inventory ]]', 'Action: inventory']) {
        expect((await interaction.respond(instance, said(reply))).text).toContain('Inventory:');
      }
    }
  });

  it('I17: the first reply is played; the action that was meant wins', async () => {
    const interaction = open(new ToyEnvironment());
    const { instance } = await interaction.start({ sessionId: 6 });
    expect((await interaction.respond(instance, said('Action: add 3'))).text).toBe('Goal: 7. You have 3.');
    const shop = createFormat('react');
    expect(shop.read('Thought: after search[x] I click.\nAction: click[Buy Now]', new ToyEnvironment().instructions).action).toBe(
      'click[Buy Now]',
    );
  });

  it('I19: the first observation is there before the first generation, whatever the prompt looks like', async () => {
    const interaction = open(new ToyEnvironment());
    const { instance, observation } = await interaction.start({ sessionId: 6 });
    for (const messages of [
      [],
      [{ role: 'system' as const, text: 's' }],
      [
        { role: 'system' as const, text: 's' },
        { role: 'user' as const, text: 'go' },
      ],
    ]) {
      expect(await interaction.respond(instance, messages)).toMatchObject({ done: false, text: observation, score: 0 });
    }
  });

  it('closes what is left when its owner leaves', async () => {
    const environment = new ToyEnvironment();
    {
      await using interaction = open(environment);
      await interaction.start({ sessionId: 1 });
      await interaction.start({ sessionId: 2 });
    }
    expect(environment.closed).toBe(2);
  });
});

function goal(observation: string): string | undefined {
  return /Goal: (.*)/.exec(observation)?.[1];
}
