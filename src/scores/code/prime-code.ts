/**
 * PRIME's score of programs with tests, as verl has it for APPS, TACO, Codeforces and CodeContests: 1 when all tests pass, else the share of
 * the first ten that do. A program that breaks a limit fails that test; after three such tests the rest count as failed.
 */
import { AgogeError } from '../../core/error.ts';
import type { Scored } from '../score.ts';
import { sameOutput, sameValue } from './compare-output.ts';
import type { CodeRunner, ProgramRun } from './code-runner.ts';
import type { Language } from './runner.ts';

interface Tests {
  readonly inputs: readonly string[];
  /** Texts, or values where a function is called. */
  readonly outputs: readonly unknown[];
  readonly functionName: string | undefined;
}

const counted = 10;
const mostBroken = 3;

export async function primeCode(solution: string, groundTruth: unknown, runner: CodeRunner): Promise<Scored> {
  const tests = testsOf(groundTruth);
  const code = codeIn(solution, languageOf(groundTruth));
  const whole = await tried(runner, code, tests.inputs, tests.functionName);
  if (whole) {
    const passed = whole.map((run, i) => passes(run, tests, i));
    if (passed.every(Boolean)) return { score: 1, correct: true, parts: { tests_passed: 1 } };
    return part(passed.slice(0, counted));
  }
  const passed: boolean[] = [];
  let broken = 0;
  for (const [i, input] of tests.inputs.slice(0, counted).entries()) {
    const run = broken >= mostBroken ? undefined : await tried(runner, code, [input], tests.functionName);
    if (!run) broken++;
    passed.push(run?.[0] !== undefined && passes(run[0], tests, i));
  }
  return part(passed);
}

/** The last block of the language; without one the whole answer. */
function codeIn(solution: string, language: Language): string {
  const opening = language === 'python' ? /```python/ : /```(?:javascript|js)\b/;
  return (solution.split(opening).at(-1) ?? '').split('```')[0] ?? '';
}

/** `language: javascript` beside the tests asks for JavaScript; what verl's rows hold is Python. */
export function languageOf(groundTruth: unknown): Language {
  const given: unknown = typeof groundTruth === 'string' ? parse(groundTruth) : groundTruth;
  const { language } = (given ?? {}) as { language?: unknown };
  return language === 'javascript' || language === 'js' ? 'javascript' : 'python';
}

function part(passed: readonly boolean[]): Scored {
  const score = passed.filter(Boolean).length / Math.max(1, passed.length);
  return { score, correct: false, parts: { tests_passed: score } };
}

/** Undefined where a limit ended the program; what is wrong with the sandbox itself is thrown. */
async function tried(
  runner: CodeRunner,
  code: string,
  inputs: readonly string[],
  name?: string,
): Promise<readonly ProgramRun[] | undefined> {
  try {
    return await runner.run(code, inputs, name);
  } catch (thrown) {
    const limits = ['SANDBOX_TIME', 'SANDBOX_MEMORY', 'SANDBOX_OUTPUT', 'SANDBOX_CRASHED'];
    if (thrown instanceof AgogeError && limits.includes(thrown.code)) return undefined;
    throw thrown;
  }
}

function passes(run: ProgramRun, { outputs, functionName }: Tests, i: number): boolean {
  const expected = outputs[i];
  if ('error' in run) return false;
  if ('printed' in run) return typeof expected === 'string' && functionName === undefined && sameOutput(run.printed, expected);
  return functionName !== undefined && sameValue(run.returned, expected);
}

function testsOf(groundTruth: unknown): Tests {
  const parsed: unknown = typeof groundTruth === 'string' ? parse(groundTruth) : groundTruth;
  const { inputs, outputs, fn_name: name } = (parsed ?? {}) as { inputs?: unknown; outputs?: unknown; fn_name?: unknown };
  const texts = (list: unknown): list is string[] => Array.isArray(list) && list.every((one) => typeof one === 'string');
  if (texts(inputs) && texts(outputs) && inputs.length > 0 && inputs.length === outputs.length) {
    if (typeof name !== 'string') return { inputs, outputs, functionName: undefined };
    return { inputs, outputs: outputs.map(valueOf), functionName: name };
  }
  throw new AgogeError(
    'REWARD_GROUND_TRUTH',
    'programs are scored against { inputs, outputs, fn_name? }, two lists of texts of the same length: correct reward_model.ground_truth',
  );
}

function valueOf(text: string): unknown {
  const value = parse(text);
  if (value !== undefined) return value;
  throw new AgogeError(
    'REWARD_GROUND_TRUTH',
    `what a function returns is compared with JSON, and ${JSON.stringify(text.slice(0, 60))} is none: correct reward_model.ground_truth`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
