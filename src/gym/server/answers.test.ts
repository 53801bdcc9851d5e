/** Real answers fit the schemas that the OpenAPI document shows, and every route of these environments has one. */
import { afterAll, describe, expect, it } from 'vitest';
import '../../envs/builtin.ts';
import { loadEnvironment } from '../../envs/registry.ts';
import { agentGymOf } from '../../envs/lookup.ts';
import { startGym } from './server.ts';

const environments = await Promise.all([
  loadEnvironment('textcraft'),
  loadEnvironment('babyai'),
  loadEnvironment('webshop', { size: '300', generated: true }),
]);
const server = await startGym({ environments });
afterAll(() => server.close(100));

describe.each(['textcraft', 'babyai', 'webshop'])('%s', (env) => {
  const post = async (path: string, body?: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/${env}${path}`, { method: 'POST', headers, body: JSON.stringify(body ?? {}) });
    return response.json();
  };

  it('answers every route as its schema says', async () => {
    const dialect = (await agentGymOf(env))?.dialect;
    const created = await post('/create');
    const key = env === 'webshop' ? 'env_idx' : 'id';
    const id = typeof created === 'number' ? created : (created as { id: number }).id;
    const answers: Record<string, unknown> = { '/create': created };
    answers['/reset'] = await post('/reset', { [key]: id, data_idx: 3, session_id: 3 });
    for (const { method, path } of dialect?.routes ?? []) {
      if (method === 'GET') answers[path] = await (await fetch(`${server.url}/${env}${path}?${key}=${id}`)).json();
      else if (path === '/render') answers[path] = await post(path, { [key]: id });
    }
    answers['/step'] = await post('/step', { [key]: id, action: 'inventory' });
    answers['/close'] = await post('/close', { [key]: id });
    const paths = (dialect?.routes ?? []).map(({ path }) => path);
    expect(Object.keys(answers).sort()).toEqual([...new Set(paths)].sort());
    for (const [path, answer] of Object.entries(answers)) {
      expect(dialect?.facts.answers?.[path]?.safeParse(answer), path).toMatchObject({ success: true });
    }
  });

  it('shows them in the OpenAPI document', async () => {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { responses: { 200: { content: { 'application/json': { schema: object } } } } }>>;
    };
    for (const [path, methods] of Object.entries(document.paths).filter(([path]) => path.startsWith(`/${env}/`))) {
      for (const { responses } of Object.values(methods)) {
        expect(Object.keys(responses[200].content['application/json'].schema), path).not.toEqual([]);
      }
    }
  });
});
