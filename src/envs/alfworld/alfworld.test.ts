import { describe, expect, it } from 'vitest';
import { Random } from '../../core/random/random.ts';
import { checkLaws, explain } from '../../lint/laws.ts';
import { solve } from '../../lint/play.ts';
import { alfWorld } from './opened.fixture.ts';
import { AlfWorld } from './alfworld.ts';
import type { GameText } from './games.ts';
import { goals, kitchen } from './home.fixture.ts';
import { roomsOf } from './homes/rooms.ts';
import { drawState } from './draw.ts';
import { readSettings, type Settings } from '../settings.ts';
import { optionsOf } from './options.ts';
import { renderSvg } from './render.ts';
import { settings as shape } from './settings.ts';
import { isAlfWorldState } from './state.ts';

const readOptions = (given: Settings) => optionsOf(readSettings('alfworld', shape, given));

const kitchens: readonly GameText[] = Object.entries(goals).map(([kind, goal]) => ({
  split: 'valid_seen',
  task: `${kind}-Knife-None-Drawer-1`,
  trial: 'trial_1',
  sentence: `${kind}.`,
  problem: kitchen(goal),
  solvable: true,
}));

const generated = (index: number, split = 'generated') => ({ env: 'alfworld', split, index });

describe('ALFWorld', () => {
  it.each([
    ['generated homes', {}, []],
    ['given games, told everything', { expert: 'informed', edition: '0.4', listActions: 'always' }, kitchens],
  ] as const)('keeps the laws of environments: %s', async (_, settings, games) => {
    const environment = new AlfWorld(readOptions(settings), games);
    for await (const report of checkLaws(environment, { cases: 10, expertTasks: 12, memorySteps: 2000 })) {
      expect(report.violation && explain(report.violation), report.law).toBeUndefined();
    }
  });

  it('opens homes of six kinds without end, the same for the same number', async () => {
    const [one, other] = [await alfWorld(), await alfWorld()];
    const kinds = Array.from({ length: 6 }, (_, index) => one.tasks('generated').info(index).category);
    expect(kinds).toEqual(['Pick', 'Look', 'Clean', 'Heat', 'Cool', 'Pick2']);
    for (const task of [generated(0), generated(123_456_789), generated(7, 'generated-test')]) {
      expect(one.open(task).observation).toBe(other.open(task).observation);
    }
    expect(one.open(generated(0)).observation).not.toBe((await alfWorld({ seed: '1' })).open(generated(0)).observation);
  });

  it('keeps rooms for tests that training never enters', () => {
    for (const kind of ['kitchen', 'living', 'bedroom', 'bathroom'] as const) {
      const [train, test] = [roomsOf(kind, 'train'), roomsOf(kind, 'test')];
      expect([train.length, test.length]).toEqual([27, 3]);
      expect(train.some(({ plan }) => test.some((other) => other.plan === plan))).toBe(false);
    }
  });

  it('grows with its difficulty', async () => {
    const mean = async (difficulty: string): Promise<number> => {
      const environment = await alfWorld({ difficulty, listActions: 'never' });
      const sizes = Array.from({ length: 60 }, (_, index) => environment.open(generated(index)).state.furniture.length);
      return sizes.reduce((a, b) => a + b, 0) / sizes.length;
    };
    const [easy, medium, hard] = [await mean('0'), await mean('0.2-0.6'), await mean('1')];
    expect(easy).toBeLessThanOrEqual(6);
    expect(medium).toBeGreaterThan(1.5 * easy);
    expect(hard).toBeGreaterThan(1.3 * medium);
  });

  it('has an expert that acts on what it has seen, and one that knows everything', async () => {
    const [blind, informed] = [await alfWorld({ listActions: 'never' }), await alfWorld({ expert: 'informed', edition: '0.4' })];
    let [seen, known] = [0, 0];
    for (let index = 0; index < 60; index++) {
      const [one, other] = [await solve(blind, generated(index)), await solve(informed, generated(index))];
      expect([one.success, other.success]).toEqual([true, true]);
      seen += one.actions.length;
      known += other.actions.length;
      // What a blind expert takes was shown to it before.
      const took = one.actions.findIndex((action) => action.startsWith('take '));
      const [, object] = /^take (.*) from/.exec(one.actions[took] ?? '') ?? [];
      expect(one.steps.slice(0, took).some(({ observation }) => observation.includes(`a ${object ?? '?'}`))).toBe(true);
    }
    expect(known).toBeLessThan(seen);
  });

  it('goes on where going is not possible because one is there already', async () => {
    const environment = new AlfWorld(readOptions({}), kitchens);
    const { actions, success } = await solve(environment, { env: 'alfworld', split: 'games', index: 0 });
    expect(success).toBe(true);
    expect(actions).toEqual([
      'go to diningtable 1',
      'take knife 1 from diningtable 1',
      'go to drawer 1',
      'examine drawer 1',
      'open drawer 1',
      'put knife 1 in/on drawer 1',
    ]);
  });

  it('lists the commands where it is asked to, and ends at a limit', async () => {
    const first = (await alfWorld()).open(generated(0));
    expect(first.observation.split('\nAVAILABLE ACTIONS: ')[1]).toBe(first.actions.join(','));
    expect(first.step('look').observation).not.toContain('AVAILABLE ACTIONS');
    const always = (await alfWorld({ listActions: 'always', limit: '2' })).open(generated(0));
    expect(always.step('look')).toMatchObject({
      done: false,
      observation: expect.stringContaining('AVAILABLE ACTIONS') as string,
    });
    expect(always.step(' look\n')).toMatchObject({ done: true, success: false, reward: 0 });
    expect((await alfWorld({ listActions: 'never' })).open(generated(0)).observation).toMatch(/\.$/);
  });

  it('says the same in fewer words where that is asked for', async () => {
    const [full, short] = [await alfWorld({ listActions: 'never' }), await alfWorld({ listActions: 'never', text: 'short' })];
    for (let index = 0; index < 24; index++) {
      // The blind expert learns the same from both.
      const [one, other] = [await solve(full, generated(index)), await solve(short, generated(index))];
      expect(other.actions).toEqual(one.actions);
      const letters = ({ steps }: typeof one): number => steps.reduce((sum, { observation }) => sum + observation.length, 0);
      expect(letters(other)).toBeLessThan(0.75 * letters(one));
    }
    const environment = new AlfWorld(readOptions({ text: 'short', listActions: 'never' }), kitchens);
    const episode = environment.open({ env: 'alfworld', split: 'games', index: 2 });
    expect(episode.observation).toBe(
      'Room: countertop 1, diningtable 1, drawer 2, fridge 1, microwave 1, sinkbasin 1\nTask: heat mug, countertop',
    );
    const told = ['go to fridge 1', 'go to fridge 1', 'open fridge 1', 'take mug 1 from fridge 1', 'look', 'close fridge 1'];
    expect(told.map((action) => episode.step(action).observation)).toEqual([
      'fridge 1: closed',
      'nothing happens',
      'fridge 1: mug 1',
      'took mug 1',
      'You are facing the fridge 1. Next to it, you see nothing.',
      'fridge 1: closed',
    ]);
    const more = [
      'go to microwave 1',
      'heat mug 1 with microwave 1',
      'go to countertop 1',
      'use desklamp 1',
      'put mug 1 in/on countertop 1',
    ];
    expect(more.map((action) => episode.step(action).observation)).toEqual([
      'microwave 1: closed',
      'heat mug 1',
      'countertop 1: apple 2, desklamp 1',
      'on desklamp 1',
      'put mug 1',
    ]);
  });

  it('draws homes for a curriculum, easier and harder', async () => {
    const environment = await alfWorld({ text: 'short', listActions: 'never' });
    for (const difficulty of [0, 1]) {
      const { episode, expert } = environment.practice(Random.of(1, difficulty), difficulty);
      let { observation } = episode;
      for (let step = 0; step < 60 && !episode.won; step++) ({ observation } = episode.step(expert.next(observation) ?? ''));
      expect(episode.won).toBe(true);
    }
  });

  it('shows a viewer what the player has seen and no more', async () => {
    const environment = new AlfWorld(readOptions({}), kitchens);
    const episode = environment.open({ env: 'alfworld', split: 'games', index: 0 });
    const { furniture } = episode.state;
    expect(furniture.slice(0, 4)).toEqual(['countertop 1', 'diningtable 1', 'drawer 1', 'drawer 2']);
    expect(episode.state).toEqual({ task: 'pick.', holding: null, here: [], furniture, known: {} });
    episode.step('go to fridge 1');
    expect(episode.state).toMatchObject({ here: ['fridge 1'], known: { 'fridge 1': { open: false } } });
    episode.step('open fridge 1');
    expect(episode.state.known).toEqual({ 'fridge 1': { open: true, contents: ['mug 1'] } });
    episode.step('take mug 1 from fridge 1');
    episode.step('go to diningtable 1');
    expect(episode.state).toMatchObject({ holding: 'mug 1', here: ['diningtable 1'] });
    expect(episode.state.known).toEqual({
      'fridge 1': { open: true, contents: [] },
      'diningtable 1': { contents: ['apple 1', 'knife 1'] },
    });
    expect(isAlfWorldState(JSON.parse(JSON.stringify(episode.state)))).toBe(true);
    for (const other of [null, 3, {}, { task: 'x', here: [], furniture: [], known: { a: null } }]) {
      expect([isAlfWorldState(other), drawState(other)]).toEqual([false, '']);
    }
    expect(drawState(episode.state)).toBe(
      [
        '▶ diningtable 1  apple 1, knife 1',
        '  fridge 1       (open) empty',
        '  5 more pieces of furniture not visited',
        'pick.; in hand: mug 1',
      ].join('\n'),
    );
    const picture = renderSvg({ ...episode.state, task: 'a <b> & "c"' });
    expect(picture).toContain('a &lt;b> &amp; &quot;c&quot;');
    expect(picture).toContain('holding mug 1');
  });

  it('refuses what it does not know, with what it does', async () => {
    const environment = await alfWorld();
    expect(() => environment.tasks('valid_unseen')).toThrow(
      'alfworld has no split "valid_unseen": choose one of train, test, generated, generated-test, or set alfworld.games to the official games',
    );
    expect(() => environment.open(generated(2420, 'train'))).toThrow('alfworld/train has tasks 0 to 2419, not 2420');
    expect(() => environment.taskOfItem(2620)).toThrow('alfworld has items 0 to 2619, not 2620');
    expect(environment.taskOfItem(2420)).toEqual(generated(0, 'test'));
    for (const [setting, value] of [
      ['edition', '1'],
      ['limit', '0'],
      ['difficulty', '0.5-0.2'],
      ['difficulty', '2'],
      ['seed', 'x'],
      ['expert', 'wise'],
      ['listActions', 'true'],
    ] as const) {
      await expect(alfWorld({ [setting]: value })).rejects.toThrow(`alfworld.${setting} is "${value}": set it to`);
    }
  });
});
