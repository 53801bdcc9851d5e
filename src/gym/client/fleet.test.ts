import { afterEach, describe, expect, it } from 'vitest';
import { AgogeError } from '../../core/error.ts';
import type { Environment, Episode } from '../../envs/environment.ts';
import { ToyEnvironment } from '../../../tests/fixtures/toy-environment.ts';
import { Fleet } from './fleet.ts';

const task = { env: 'toy', split: 'test', index: 0 };
let fleet: Fleet | undefined;
afterEach(() => fleet?.close());

/** Three servers that are there; those in `gone` stop answering, for sessions and for questions. */
async function three(gone: Set<string> = new Set(), refuse?: AgogeError): Promise<{ fleet: Fleet; asked: string[] }> {
  const asked: string[] = [];
  const answers = (url: string): void => {
    asked.push(url);
    if (gone.has(url)) throw new AgogeError('GYM_REFUSED', `${url} refuses: start it`);
    if (refuse) throw refuse;
  };
  const connect = (url: string): Promise<Environment> => {
    if (gone.has(url)) return Promise.reject(new AgogeError('GYM_REFUSED', `${url} refuses: start it`));
    const toy = new ToyEnvironment();
    const open = (): Episode => {
      answers(url);
      return new ToyEnvironment().open(task) as Episode;
    };
    return Promise.resolve(Object.assign(toy, { open }));
  };
  fleet = new Fleet(['a', 'b', 'c'], connect, { wait: 0 });
  await fleet.start();
  return { fleet, asked };
}
const urls = (of: Fleet): string[] => of.byLoad().map(({ url }) => url);

describe('servers of one environment', () => {
  it('take turns where they are equally busy', async () => {
    const { fleet } = await three();
    expect([0, 1, 2, 3].map(() => urls(fleet)[0])).toEqual(['a', 'b', 'c', 'a']);
  });

  it('the least busy come first', async () => {
    const { fleet } = await three();
    const { member } = await fleet.open(task, {});
    expect(member.sessions).toBe(1);
    expect([0, 1, 2].map(() => urls(fleet)[2])).toEqual([member.url, member.url, member.url]);
  });

  it('get no session once they are gone: it goes elsewhere, and they are not asked for one again', async () => {
    const gone = new Set<string>();
    const { fleet, asked } = await three(gone);
    gone.add('a');
    expect((await fleet.open(task, {})).member.url).toBe('b');
    expect(asked).toEqual(['a', 'b']);
    for (const _ of [1, 2, 3]) await fleet.open(task, {});
    expect(asked.slice(2)).not.toContain('a');
    expect(new Set(urls(fleet))).toEqual(new Set(['b', 'c']));
  });

  it('hold no place for a session that was refused', async () => {
    const { fleet } = await three(new Set(), new AgogeError('ENV_UNKNOWN_TASK', 'there is no such task: choose another'));
    for (const _ of [1, 2]) await expect(fleet.open(task, {})).rejects.toMatchObject({ code: 'ENV_UNKNOWN_TASK' });
    expect(fleet.byLoad().map(({ sessions }) => sessions)).toEqual([0, 0, 0]);
  });
});
