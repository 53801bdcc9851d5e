/**
 * The experts play in Chromium and in the fast backend: every observation on the way must be the same text, and both must succeed.
 * Chromium is right. `AGOGE_LANES=all` plays a task of every template (some minutes), `AGOGE_LANES=price,note` those of these names;
 * otherwise it is one per site and one over two sites.
 */
import { afterAll, describe, expect, test } from 'vitest';
import type { TaskRef } from '../../core/task.ts';
import { findChromium } from './browser/find.ts';
import { templates, webTask, siteTasks } from './sites/tasks/index.ts';
import { webArena, type WebArena } from './webarena.ts';

const chromium = await findChromium(undefined).catch(() => undefined);
if (!chromium) console.warn('no Chromium was found: the fast backend is not compared with it');

const asked = process.env['AGOGE_LANES'];
const names =
  asked === undefined || asked === ''
    ? ['buy-express', 'set-state', 'comment', 'invite', 'travel-time', 'maker-born', 'tell-price']
    : asked.split(',');

describe.skipIf(!chromium)('the fast backend reads as Chromium does', () => {
  let opened: { readonly fast: WebArena; readonly browser: WebArena } | undefined;
  const backends = async () => (opened ??= { fast: await webArena(), browser: await webArena({ lane: 'browser' }) });

  afterAll(async () => {
    await opened?.browser.close();
    await opened?.fast.close();
  });

  const chosen = templates.filter(({ name }) => asked === 'all' || names.includes(name));
  for (const template of chosen) {
    const one = siteTasks().find((task) => task.template === template);
    if (!one) continue;
    const { intent } = webTask(one);
    test(`${template.sites.join(' and ')}: ${intent}`, { timeout: 120_000 }, async () => {
      const { fast, browser } = await backends();
      const ref: TaskRef = fast.taskOfItem(one.id);
      const expert = fast.expert(ref);
      await using ours = await fast.open(ref);
      await using theirs = await browser.open(browser.taskOfItem(one.id));
      expect(ours.observation).toBe(theirs.observation);
      let { observation } = theirs;
      for (let turn = 0; turn < 30; turn++) {
        const action = expert.next(observation);
        if (action === null) break;
        const [mine, real] = [await ours.step(action), await theirs.step(action)];
        expect(mine.observation, action).toBe(real.observation);
        expect(mine.reward, action).toBe(real.reward);
        ({ observation } = real);
        if (!real.done) continue;
        expect(real.reward).toBe(1);
        return;
      }
      expect.unreachable(`the expert did not end:\n${observation}`);
    });
  }
});
