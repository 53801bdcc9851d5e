import { describe, expect, it } from 'vitest';
import { interpolate } from './interpolate.ts';

describe('interpolation', () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ['a whole value keeps its type', { a: '${b.c}', b: { c: 0.5 } }, 0.5],
    ['a list', { a: '${b}', b: [1, 2] }, [1, 2]],
    ['false and 0 are values', { a: '${b}', b: false }, false],
    ['null is a value', { a: '${b}', b: null }, null],
    ['inside a text', { a: 'checkpoints/${p}/${e}', p: 'x', e: 1 }, 'checkpoints/x/1'],
    ['a reference to a reference', { a: '${b}', b: '${c}', c: 3 }, 3],
    ['a reference to a text with references', { a: '${b}!', b: '${c}-${c}', c: 'x' }, 'x-x!'],
    ['an entry of a list', { a: '${b.1}', b: [5, 6] }, 6],
    ['a mapping, its own references followed', { a: '${b}', b: { c: '${d}', e: '${.c}' }, d: 1 }, { c: 1, e: 1 }],
    ['a default that is a reference itself', { a: '${oc.select:none,${b}}', b: 4 }, 4],
    ['a name put together', { a: '${${kind}.lr}', kind: 'fast', fast: { lr: 3 } }, 3],
    ['$ without braces is a text', { a: '$HOME/x' }, '$HOME/x'],
  ])('%s', (_, tree, want) => expect(interpolate(tree)['a']).toEqual(want));

  it('dots count from where the text stands', () => {
    const tree = { top: { x: 1, in: { y: 2, a: '${.y}', b: '${..x}', c: '${...z}' } }, z: 3 };
    expect(interpolate(tree)['top']).toEqual({ x: 1, in: { y: 2, a: 2, b: 1, c: 3 } });
  });

  it('dots of a text that is referred to count from that text, not from who refers to it', () => {
    const critic = { micro: 4, per_gpu: '${.micro}', forward: '${.per_gpu}' };
    expect(interpolate({ critic, other: { micro: 9, copy: '${critic.forward}' } })['other']).toEqual({ micro: 9, copy: 4 });
  });

  it.each<[string, unknown]>([
    ['${oc.select:actor.epochs,1}', 7],
    ['${oc.select:actor.none,1}', 1],
    ['${oc.select:actor.none, 1}', 1],
    ['${oc.select:actor.none,null}', null],
    ['${oc.select:actor.none}', null],
    ['${oc.select:actor.unset,5}', 5],
    ['${oc.select:actor.none,false}', false],
    ['${oc.select:actor.none,token-mean}', 'token-mean'],
    ['${oc.select:actor.none,"~/models/deepseek-llm-7b-chat"}', '~/models/deepseek-llm-7b-chat'],
    ['${oc.select:.sibling,0}', 8],
    ['${oc.env:HOME,/home/x}', '/home/x'],
    ['${oc.env:N,3}', 3],
  ])("verl's %s", (text, want) => {
    const tree = { actor: { epochs: 7, unset: null }, critic: { value: text, sibling: 8 } };
    expect(interpolate(tree)['critic']).toEqual({ value: want, sibling: 8 });
  });

  it.each([
    '${none}',
    '${none.deep}',
    'x/${none}',
    '${oc.env:HOME}',
    '${oc.decode:1}',
    '${b}/x',
    '${',
    '${}',
    '${toString}',
    '${oc.select:none,[1}',
  ])('%s leads nowhere and stays', (text) => expect(interpolate({ a: text, b: { c: 1 } })['a']).toBe(text));

  it('circles stay as they are', () => {
    expect(interpolate({ a: '${a}' })).toEqual({ a: '${a}' });
    const { a, b } = interpolate({ a: '${b}', b: '${a}' });
    expect([a, b]).toEqual(['${b}', '${a}']);
  });

  it('a few hostile lines end in bounded time', () => {
    const laugh = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i}`, `\${k${i + 1}}`.repeat(12)]));
    expect(interpolate({ ...laugh, k12: 'ha' })).toBeDefined();
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, '${b}']));
    expect(interpolate({ b: wide })).toBeDefined();
  });
});
