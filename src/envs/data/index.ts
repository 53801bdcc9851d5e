/** Data sets as an environment, for the registry: light until it is asked for. */
import type { EnvironmentEntry } from '../registry.ts';

export const dataEntry: EnvironmentEntry = {
  name: 'data',
  summary: 'rows of a data set as tasks, single-turn or with tools: verl RL parquet, JSONL, CSV, or generated problems',
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
    tools:
      'functions that replies may call before they answer: some of calculator, python, javascript, search, or a YAML file of tools as verl has it',
    parallel: 'calls of one reply that are run (default 1, as in verl)',
    response: 'characters of a tool’s answer (default 256, as in verl); the middle of longer ones is left out',
    corpus: 'for search: passages as in wiki-18.jsonl (default: SearchQA’s own encyclopaedia)',
    retriever: 'for search: bm25 (default), or the address of a Search-R1 retrieval server',
    index: 'for search: folder in which the index of the corpus is kept',
    passages: 'for search: passages for a query (default 3)',
    kind: 'without files: arithmetic (default), countdown, strings (small Python programs with tests), products, or questions (to search for)',
    level: 'of arithmetic: 0 is a bare sum, 1 to 4 the most steps of a word problem (default 2)',
    seed: 'seed of generated problems (default 0)',
  },
  limits: { turns: 1 },
  load: async (settings) => (await import('./data.ts')).dataEnvironment(settings),
};
