import { describe, expect, it } from 'vitest';
import { AgogeError } from '../../core/error.ts';
import { withRemedy } from './remedy.ts';

describe('errors of the system', () => {
  const failure = (code: string): Error => Object.assign(new Error(`${code}: open 'x'`), { code });
  it.each(['EACCES', 'ENOSPC', 'ENOENT', 'EADDRINUSE', 'ECONNREFUSED', 'EMFILE'])('%s says what to do', (code) => {
    const error = withRemedy(failure(code));
    expect(error).toMatchObject({ code: 'CLI_SYSTEM' });
    expect(error.message).toMatch(/open 'x'; .+: .+/);
  });
  it('our own stay as they are, others are unexpected and keep their words', () => {
    const own = new AgogeError('CONFIG_INVALID', 'no');
    expect(withRemedy(own)).toBe(own);
    expect(withRemedy(failure('EWHAT'))).toMatchObject({ code: 'CLI_UNEXPECTED' });
    for (const thrown of ['text', null, undefined, 5, { message: 'm' }, { a: 1 }])
      expect(withRemedy(thrown)).toMatchObject({ code: 'CLI_UNEXPECTED' });
    expect(withRemedy({ message: 'm' }).message).toMatch(/: m$/);
  });
});

it('no memory left: says how to get some', () => {
  const words = 'WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance';
  const error = withRemedy(new RangeError(words));
  expect(error).toMatchObject({ code: 'CLI_SYSTEM', message: expect.stringMatching(/raise the limit \(ulimit -v/) as string });
});
