import { describe, expect, it } from 'vitest';
import { settingsByEnvironment } from './settings.ts';

describe('--set', () => {
  it('collects by environment; a later one wins; values may hold anything', () => {
    const given = ['textcraft.edition=2024', 'data.file=a=b.parquet', 'textcraft.edition=2025', 'data.prompt=', 'data.a.b=c'];
    expect([...settingsByEnvironment(given, ['textcraft', 'data'])]).toEqual([
      ['textcraft', { edition: '2025' }],
      ['data', { file: 'a=b.parquet', prompt: '', 'a.b': 'c' }],
    ]);
  });
  it.each(['edition=2024', 'textcraft.edition', 'textcraft.=1', '.edition=1', 'text craft.x=1', ''])(
    '%j is no setting',
    (text) => {
      expect(() => settingsByEnvironment([text], ['textcraft'])).toThrow(/is not a setting: write --set environment\.key=value/);
    },
  );
  it('of an environment that is not played is refused', () => {
    expect(() => settingsByEnvironment(['webshop.x=1'], ['textcraft'])).toThrow(/"webshop", which is not among textcraft/);
  });
  it('keys of the prototype are keys', () => {
    const settings = settingsByEnvironment(['textcraft.__proto__=1', 'textcraft.constructor=2'], ['textcraft']).get('textcraft');
    expect(Object.keys(settings ?? {})).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });
});
