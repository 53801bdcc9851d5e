import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webArena, type WebArena } from './webarena.ts';
import { type GymServer, startGym } from '../../gym/server/server.ts';

describe("AgentGym's WebArena", () => {
  let server: GymServer;
  let environment: WebArena;
  beforeAll(async () => {
    environment = await webArena();
    server = await startGym({ environments: [environment] });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const call = async (path: string, body?: object): Promise<unknown> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/webarena${path}`, body ? post : {});
    return response.json();
  };
  const first = { env: 'webarena', split: 'train', index: 0 };

  it('plays a task from reset to stop', async () => {
    expect(await (await fetch(`${server.url}/webarena/`)).text()).toBe('ok');
    const { env_idx } = (await call('/create', {})) as { env_idx: number };
    const task = environment.task(first);
    const reset = (await call('/reset', { env_idx, seed: 0, idx: task.task_id })) as { observation: string };
    expect(reset).toMatchObject({ sites: task.sites, object: task.intent });
    expect(reset.observation).toMatch(/^Tab 0 \(current\): .*\n\n\[1\] RootWebArea/);
    const observation = (await call(`/observation?env_idx=${env_idx}`)) as string;
    expect(observation).toBe(
      `OBSERVATION:\n${reset.observation}\nURL: ${/URL: (.*)/.exec(observation)?.[1] ?? ''}\nOBJECTIVE: ${task.intent}\nPREVIOUS ACTION: None`,
    );
    const nothing = { reward: 0, terminated: false, truncated: false, info: null };
    expect(await call('/step', { env_idx, action: 'click [1]' })).toEqual({
      observation: 'Cannot parse action from response click [1]',
      ...nothing,
    });
    expect(await call('/step', { env_idx, action: '```click one```' })).toEqual({
      observation: 'Invalid click action click one',
      ...nothing,
    });
    expect(await call('/step', { env_idx, action: '```click [99999]```' })).toMatchObject({ reward: 0, terminated: false });
    const expert = environment.expert(first);
    let seen = (await call(`/observation?env_idx=${env_idx}`)) as string;
    for (let turn = 0; turn < 20; turn++) {
      const action = expert.next(seen);
      const step = (await call('/step', { env_idx, action: `I think so. \`\`\`${action ?? ''}\`\`\`` })) as {
        observation: string;
        reward: number;
        terminated: boolean;
      };
      expect(step.reward).toBe(1);
      seen = step.observation;
      if (step.terminated) break;
    }
    expect(seen).toMatch(/PREVIOUS ACTION: stop \[/);
    expect(await call('/close', { env_idx })).toEqual({ closed: 'closed' });
    expect(await call('/close', { env_idx })).toEqual({ closed: 'closed' });
  });

  it('answers a task that is not there as the original does', async () => {
    const { env_idx } = (await call('/create', {})) as { env_idx: number };
    const failed = {
      observation: expect.stringMatching(/^TimeoutError: webarena has no task/) as string,
      sites: 'Error',
      object: 'Error',
    };
    expect(await call('/reset', { env_idx, seed: 0, idx: 123_456_789 })).toEqual(failed);
  });
});
