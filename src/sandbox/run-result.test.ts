import { describe, expect, it } from 'vitest';
import { failure, readRun } from './run-result.ts';

const spoiled = { error: 'the program spoiled its result', compiles: true };
const nested = (depth: number): string => `{"returned":${'['.repeat(depth)}${']'.repeat(depth)}}`;

describe('readRun', () => {
  it.each([
    ['printed text', '{"printed":"3\\n"}', { printed: '3\n' }],
    ['nothing printed', '{"printed":""}', { printed: '' }],
    ['a returned value', '{"returned":[1,{"a":null}]}', { returned: [1, { a: null }] }],
    ['a returned null is an answer', '{"returned":null}', { returned: null }],
    ['an error while it ran', '{"error":"ValueError: x"}', { error: 'ValueError: x', compiles: true }],
    ['no program at all', '{"error":"SyntaxError","compiles":false}', { error: 'SyntaxError', compiles: false }],
    ['only false says that it does not compile', '{"error":"x","compiles":0}', { error: 'x', compiles: true }],
    ['printed before returned', '{"printed":"a","returned":1}', { printed: 'a' }],
    ['an error hides what was returned', '{"error":"late","returned":1}', { error: 'late', compiles: true }],
    ['what it added by itself is dropped', '{"returned":1,"correct":true}', { returned: 1 }],
    ['printed must be text', '{"printed":5}', spoiled],
    ['no shape at all', '{}', spoiled],
    ['a bare value', '5', spoiled],
    ['null', 'null', spoiled],
    ['a list', '[{"printed":"a"}]', spoiled],
    ['a name that every object inherits', '{"toString":1}', spoiled],
    ['no JSON', '{"printed":', { error: 'what it returned is no JSON', compiles: true }],
    ['no JSON: NaN', '{"returned":NaN}', { error: 'what it returned is no JSON', compiles: true }],
    ['empty', '', { error: 'what it returned is no JSON', compiles: true }],
    ['two answers', '{"printed":"a"}{"printed":"b"}', { error: 'what it returned is no JSON', compiles: true }],
  ])('%s', (_, text, expected) => expect(readRun(text)).toEqual(expected));

  it('takes 200 lists in each other and not one more, however deep', () => {
    const tooDeep = { error: 'what it returned is nested too deeply', compiles: true };
    expect(readRun(nested(200))).toHaveProperty('returned');
    expect(readRun(nested(201))).toEqual(tooDeep);
    expect(readRun(nested(5000))).toEqual(tooDeep);
    expect(readRun(`{"returned":${'{"a":'.repeat(201)}1${'}'.repeat(201)}}`)).toEqual(tooDeep);
  });

  it('keeps 200 characters of an error', () => {
    expect(failure('x'.repeat(1000))).toEqual({ error: 'x'.repeat(200), compiles: true });
    expect(readRun(JSON.stringify({ error: 'y'.repeat(201) }))).toEqual({ error: 'y'.repeat(200), compiles: true });
  });
});
