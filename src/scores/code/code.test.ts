import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgogeError } from '../../core/error.ts';
import { dataEnvironment } from '../../envs/data/opened.fixture.ts';
import { sameOutput, sameValue } from './compare-output.ts';
import { scoreAnswer } from '../score-answer.ts';
import { primeCode } from './prime-code.ts';
import type { CodeRunner, ProgramRun } from './code-runner.ts';
import { SandboxFusion } from './sandbox-fusion.ts';

/** A sandbox server: it "runs" programs that say what they print for which input. */
let server: Server;
let url = '';
const asked: Record<string, unknown>[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const { code, stdin } = JSON.parse(body) as { code: string; stdin: string };
      asked.push(JSON.parse(body) as Record<string, unknown>);
      const failed = code.includes('boom') && stdin === '2';
      const stdout = code.includes('_json.dumps') ? JSON.stringify(`${JSON.parse(stdin) as string}!`) : `${Number(stdin) * 2}\n`;
      const run_result = failed ? { status: 'TimeLimitExceeded' } : { status: 'Finished', stdout, return_code: 0 };
      response.end(JSON.stringify({ status: failed ? 'Failed' : 'Success', run_result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/run_code`;
});
afterAll(() => server.close());

const tests = { inputs: ['1', '2', '3', '4'], outputs: ['2', '4', '6', '8'] };

describe("a program's score", () => {
  it('is 1 when all tests pass, else the share of the first ten', async () => {
    const fusion = new SandboxFusion(url);
    expect(await primeCode('```python\nprint(2 * int(input()))\n```', tests, fusion)).toMatchObject({ score: 1, correct: true });
    expect(asked[0]).toMatchObject({ language: 'python', code: '\nprint(2 * int(input()))\n', stdin: '1' });
    expect(await primeCode('boom', JSON.stringify(tests), fusion)).toMatchObject({ score: 0.75, correct: false });
  });
  it('of a function compares what it returns', async () => {
    const truth = { fn_name: 'shout', inputs: ['"a"', '"b"'], outputs: ['"a!"', '["b!"]'] };
    expect(await primeCode('def shout(s): return s + "!"', truth, new SandboxFusion(url))).toMatchObject({ score: 1 });
  });
  it('counts tests that a limit ended as failed, and gives up after three', async () => {
    let calls = 0;
    const runner: CodeRunner = {
      run: () => {
        calls++;
        return Promise.reject<readonly ProgramRun[]>(new AgogeError('SANDBOX_TIME', 'too long'));
      },
    };
    expect(await primeCode('while True: pass', tests, runner)).toMatchObject({ score: 0, correct: false });
    expect(calls).toBe(4);
  });
  it('is no zero where the sandbox itself is missing or tests are none', async () => {
    const away = new SandboxFusion('http://127.0.0.1:9/run_code', { retries: 0 });
    await expect(primeCode('x', tests, away)).rejects.toThrow(/does not answer/);
    await expect(primeCode('x', { inputs: [] }, away)).rejects.toThrow(/inputs, outputs/);
  });
  it('reaches the tasks of a data set through a server', async () => {
    const environment = await dataEnvironment({ kind: 'strings', sandbox: url });
    const task = { env: 'data', split: 'test', index: 0 };
    expect(environment.expert(task).next('')).toMatch(/^```python\ndef transform/);
    const episode = environment.open(task);
    expect(await episode.step('```python\ndef transform(s): return 1\n```')).toMatchObject({ done: true, success: false });
  });
});

it('compares outputs as APPS does', () => {
  expect(sameOutput('1\n2 \n', '1\n2')).toBe(true);
  expect(sameOutput('0.3333333\n', '0.33333334')).toBe(true);
  expect(sameOutput('1 2', '1\n2')).toBe(false);
  expect(sameValue([1, [2]], [1, [2]])).toBe(true);
  expect(sameValue(3, [3])).toBe(true);
  expect(sameValue({ a: 1 }, { a: 1, b: 2 })).toBe(false);
});

describe('the words of a program', () => {
  const truth = { language: 'javascript', inputs: ['1', '2', '3', '4'], outputs: ['1', '2', '3', '4'] };
  const program = (last: string): string => `const n = readline(); if (n === '4') { ${last} } else print(n);`;

  it.each([
    "throw new Error('boom')",
    "throw new Error('unreachable')",
    "throw new Error('stack empty')",
    "throw new InternalError('interrupted')",
    "throw new InternalError('out of memory')",
    "throw { name: 'RuntimeError', message: 'memory access out of bounds' }",
    'stack.pop()',
    "print('4\\0 and more')",
  ])('%s spoils the test in which it stands and no other', async (last) => {
    expect(await scoreAnswer('prime_code', program(last), truth)).toMatchObject({ score: 0.75, correct: false });
  });
  it.each([
    ['10n', 'null'],
    ['NaN', 'null'],
    ['[1, -Infinity]', '[1, null]'],
    ['({ a: 0 / 0 })', '{"a": null}'],
    ["'a\\0b'", '"a"'],
    ['JSON.parse("[".repeat(5000) + "]".repeat(5000))', '[]'],
  ])('what returns %s has no point where %s is expected, and the harness is well', async (value, expected) => {
    const tests = { language: 'javascript', fn_name: 'f', inputs: ['1', '2'], outputs: [expected, '2'] };
    const code = `const f = (n) => (n === 2 ? 2 : ${value});`;
    expect(await scoreAnswer('prime_code', code, tests)).toMatchObject({ score: 0.5, correct: false });
  });
  it('an expected value that is no JSON is a mistake of the row', async () => {
    const tests = { language: 'javascript', fn_name: 'f', inputs: ['1'], outputs: ['oops'] };
    await expect(scoreAnswer('prime_code', 'const f = () => 1', tests)).rejects.toMatchObject({ code: 'REWARD_GROUND_TRUTH' });
  });
});

it('runs JavaScript where the row says so', async () => {
  const truth = { language: 'javascript', inputs: ['1 2', '3 4'], outputs: ['3', '7'] };
  const code = "```js\nconst [a, b] = readline().split(' ').map(Number);\nconsole.log(a + b);\n```";
  expect(await scoreAnswer('prime_code', code, truth)).toEqual({ score: 1, correct: true, parts: { tests_passed: 1 } });
  const wrong = await scoreAnswer('prime_code', '```js\nconsole.log(3)\n```', JSON.stringify(truth));
  expect(wrong).toMatchObject({ score: 0.5, correct: false });
});
