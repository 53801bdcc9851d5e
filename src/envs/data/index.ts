/** Data sets as an environment, for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const dataEntry: EnvironmentEntry = {
  name: 'data',
  summary: 'rows of a data set as single-turn tasks: verl RL parquet, JSONL, CSV, or generated problems',
  settings: {
    file: 'files of rows, separated by commas; the split of each is read from its name (test.parquet: test, dev.jsonl: validation, else train)',
    train: 'files of training rows',
    validation: 'files of validation rows',
    test: 'files of test rows',
    score: 'how answers are scored: a name (gsm8k, math, qa_em, …) or verl (default): as the row’s data_source asks for',
    prompt: 'column of the question where rows are not verl’s (default: prompt, question, problem or instruction)',
    answer: 'column of the answer where rows are not verl’s (default: ground_truth, answer, solution or output)',
    sandbox:
      'for programs: address of a Sandbox Fusion server (…/run_code); default: Python in a process of our own, which needs the package pyodide',
    source: 'data_source of rows that do not say it',
    kind: 'without files: arithmetic (default), countdown, or strings (small Python programs with tests)',
    level: 'of arithmetic: 0 is a bare sum, 1 to 4 the most steps of a word problem (default 2)',
    seed: 'seed of generated problems (default 0)',
  },
  load: async (settings) => (await import('./data.ts')).dataEnvironment(settings),
};
