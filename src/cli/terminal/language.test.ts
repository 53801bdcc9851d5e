import { afterEach, expect, it } from 'vitest';
import { languageOf, say, useErrors, useLanguage } from './language.ts';

afterEach(() => useLanguage('en'));

it.each([
  [{}, 'en'],
  [{ LANG: 'C.UTF-8' }, 'en'],
  [{ LANG: 'en_US.UTF-8' }, 'en'],
  [{ LANG: 'zh_CN.UTF-8' }, 'zh'],
  [{ LC_MESSAGES: 'zh_TW.UTF-8', LANG: 'en_US.UTF-8' }, 'zh'],
  [{ LC_ALL: 'C', LC_MESSAGES: 'zh_CN.UTF-8', LANG: 'zh_CN.UTF-8' }, 'en'],
  [{ LC_ALL: '', LANG: 'zh_CN' }, 'zh'],
  [{ AGOGE_LANG: 'zh' }, 'zh'],
  [{ AGOGE_LANG: 'zh-CN', LANG: 'en_US.UTF-8' }, 'zh'],
  [{ AGOGE_LANG: 'en', LC_ALL: 'zh_CN.UTF-8' }, 'en'],
  [{ LANG: 'zha_CN.UTF-8' }, 'en'],
] as const)('%j: %s', (environment, language) => expect(languageOf(environment)).toBe(language));

it('says English until it is told otherwise', async () => {
  expect(say('play a task yourself')).toBe('play a task yourself');
  await useLanguage('zh');
  expect(say('play a task yourself')).toBe('自己玩一个任务');
  await useLanguage('en');
  expect(say('play a task yourself')).toBe('play a task yourself');
});

it('reads what errors say when one is to be told, not before', async () => {
  const error = 'agoge: the batch is empty: give at least one datum [ENGINE_EMPTY_BATCH]';
  await useErrors();
  expect(say(error)).toBe(error);
  await useLanguage('zh');
  await useErrors();
  expect(say(error)).toBe('agoge: 批次是空的：请至少给一条数据 [ENGINE_EMPTY_BATCH]');
});
