/** Settings of data sets as an environment. */
import * as z from 'zod';
import { oneOf, whole, type SettingsOf } from '../settings.ts';

export const settings = {
  file: z
    .string()
    .optional()
    .describe(
      'files of rows, separated by commas; the split of each is read from its name (test.parquet: test, dev.jsonl: validation, else train)',
    ),
  train: z.string().optional().describe('files of training rows'),
  validation: z.string().optional().describe('files of validation rows'),
  test: z.string().optional().describe('files of test rows'),
  score: z
    .string()
    .default('verl')
    .describe('how answers are scored: a name (gsm8k, math, qa_em, …) or verl (default): as the row’s data_source asks for'),
  prompt: z
    .string()
    .optional()
    .describe('column of the question where rows are not verl’s (default: prompt, question, problem or instruction)'),
  answer: z
    .string()
    .optional()
    .describe('column of the answer where rows are not verl’s (default: ground_truth, answer, solution or output)'),
  sandbox: z
    .string()
    .optional()
    .describe(
      'for programs: address of a Sandbox Fusion server (…/run_code); default: Python in a process of our own, which needs the package pyodide',
    ),
  source: z.string().optional().describe('data_source of rows that do not say it'),
  tools: z
    .string()
    .optional()
    .describe(
      'functions that replies may call before they answer: some of calculator, python, javascript, search, or a YAML file of tools as verl has it',
    ),
  parallel: whole(1).default(1).describe('calls of one reply that are run (default 1, as in verl)'),
  response: whole(1)
    .default(256)
    .describe('characters of a tool’s answer (default 256, as in verl); the middle of longer ones is left out'),
  corpus: z.string().optional().describe('for search: passages as in wiki-18.jsonl (default: SearchQA’s own encyclopaedia)'),
  retriever: z.string().optional().describe('for search: bm25 (default), or the address of a Search-R1 retrieval server'),
  index: z.string().optional().describe('for search: folder in which the index of the corpus is kept'),
  passages: whole(1).default(3).describe('for search: passages for a query (default 3)'),
  kind: oneOf(['arithmetic', 'countdown', 'strings', 'products', 'questions'])
    .optional()
    .describe(
      'without files: arithmetic (default), countdown, strings (small Python programs with tests), products, or questions (to search for)',
    ),
  level: whole(0, 4).optional().describe('of arithmetic: 0 is a bare sum, 1 to 4 the most steps of a word problem (default 2)'),
  seed: whole(0).optional().describe('seed of generated problems (default 0)'),
};

export type DataSettings = SettingsOf<typeof settings>;
