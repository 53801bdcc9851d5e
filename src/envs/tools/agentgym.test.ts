import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sheet } from './sheet/sheet.ts';
import { todo } from './todo/todo.ts';
import { startGym, type GymServer } from '../../gym/server/server.ts';

describe('tool environments over AgentGym’s wire', () => {
  let server: GymServer;
  beforeAll(async () => {
    server = await startGym({ environments: [todo({ generated: true }), sheet({ generated: true })] });
  });
  afterAll(() => server.close());

  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(server.url + path, body === undefined ? {} : post);
    return answer.ok ? answer.json() : answer.status;
  };

  it('creates with a task, plays it by its expert, and keeps the opening as observation', async () => {
    expect(await call('/todo/create', {})).toBe(422);
    expect(await call('/todo/create', { id: 3 })).toBe(0);
    expect(await call('/todo/create', { id: 155 })).toBe(500);
    expect(await call('/todo/list_envs')).toEqual([0]);
    const opening = await call('/todo/observation?env_idx=0');
    expect(await call('/todo/reset', { env_idx: 0 })).toBe(opening);
    const expert = todo().expert(todo().taskOfItem(3));
    let last: unknown;
    for (let action = expert.next(''); action !== null; action = expert.next(''))
      last = await call('/todo/step', { env_idx: 0, action: `Thought: next.\n\nAction: ${action}` });
    expect(last).toMatchObject({ reward: 1, done: true });
    expect(await call('/todo/observation?env_idx=0')).toBe(opening);
    expect(await call('/todo/step', { env_idx: 0, action: 'get_projects' })).toMatchObject({ done: false, reward: 1 });
  });
  it('scores a sheet by equal cells once it is open', async () => {
    expect(await call('/sheet/create', { id: 0 })).toBe(0);
    const name = /"(Sheet\d+)"/.exec(String(await call('/sheet/observation?env_idx=0')))?.[1] ?? '';
    const say = (action: string): Promise<unknown> => call('/sheet/step', { env_idx: 0, action });
    expect(await say('Action: get_all_values with Action Input: {}')).toMatchObject({ reward: 0, done: false });
    const { reward } = (await say(`Action: open_sheet with Action Input: {'name': '${name}'}`)) as { reward: number };
    expect(reward).toBeGreaterThan(0);
    expect(reward).toBeLessThan(1);
    expect(JSON.stringify(await say('Action: dance with Action Input: {}'))).toContain(
      'Please choose another valid action from [',
    );
  });
});
