/** The tools that ship: a calculator, Python and JavaScript in their sandboxes, and search over passages. What needs a process or a disk is opened when it is first used. */
import { AgogeError } from '../../../core/error.ts';
import { arithmetic } from '../../../scores/arithmetic.ts';
import type { CodeRunner } from '../../../scores/code/code-runner.ts';
import { codeRunner } from '../../../scores/code/runner.ts';
import type { Passage, Retriever } from '../../../retrieval/retriever.ts';
import { makeEncyclopaedia } from '../../searchqa/encyclopaedia/encyclopaedia.ts';
import { bm25Retriever } from '../../searchqa/information.ts';
import type { DataSettings } from '../settings.ts';
import { functionSchema, type FunctionSchema, type Tool } from './tool.ts';

export const toolNames = ['calculator', 'python', 'javascript', 'search'] as const;
export type ToolName = (typeof toolNames)[number];

const schemas: Readonly<Record<ToolName, FunctionSchema>> = {
  calculator: functionSchema('calculator', 'Computes the value of an arithmetic expression.', {
    expression: { type: 'string', description: 'Numbers, + - * / and parentheses: (3 + 4) * 12' },
  }),
  python: functionSchema('python', 'Runs a Python program and gives what it printed.', {
    code: { type: 'string', description: 'The program. Only what it prints is seen.' },
  }),
  javascript: functionSchema('javascript', 'Runs a JavaScript program and gives what it printed.', {
    code: { type: 'string', description: 'The program. Only what console.log prints is seen.' },
  }),
  search: functionSchema('search', 'Searches passages for what the queries ask.', {
    query_list: {
      type: 'array',
      items: { type: 'string' },
      description: 'Fully formed queries; passages are found for each of them.',
    },
  }),
};

/** What they run on. */
export type ServedBy = Pick<DataSettings, 'sandbox' | 'corpus' | 'retriever' | 'index' | 'seed' | 'passages'>;

/** One of them, under its own name or under the schema that a file gives it. */
export function builtinTool(name: ToolName, settings: ServedBy, schema = schemas[name]): Tool {
  switch (name) {
    case 'calculator':
      return { schema, run: ({ expression }) => calculate(expression) };
    case 'python':
      return { schema, run: ({ code }) => runCode(text(code), codeRunner(settings.sandbox)) };
    case 'javascript':
      return { schema, run: ({ code }) => runCode(text(code), codeRunner('', 'javascript')) };
    case 'search': {
      const retriever = opened(settings);
      const most = settings.passages;
      return { schema, run: async (given) => JSON.stringify({ result: await search(await retriever(), given, most) }) };
    }
  }
}

function calculate(expression: unknown): string {
  const value = arithmetic(text(expression));
  if (value === undefined) throw new Error(`${JSON.stringify(expression)} is no arithmetic expression`);
  return String(Math.round(value * 1e10) / 1e10);
}

/** What it printed, or why it failed: both are answers to the model. */
async function runCode(code: string, runner: Promise<CodeRunner>): Promise<string> {
  const [run] = await (await runner).run(code, ['']);
  if (!run) return '';
  if ('error' in run) return run.error;
  return 'printed' in run ? run.printed : '';
}

async function search(retriever: Retriever, given: Readonly<Record<string, unknown>>, most: number): Promise<string> {
  const asked = given['query_list'] ?? given['query'];
  const queries = typeof asked === 'string' ? [asked] : asked;
  if (!Array.isArray(queries) || queries.length === 0)
    return "Error: 'query_list' is missing, empty, or not a list in parameters.";
  const found: string[] = [];
  for (const query of queries.slice(0, 16)) found.push(passagesText(await retriever.search(text(query), most)));
  return found.join('\n---\n');
}

/** As verl shows them. */
function passagesText(passages: readonly Passage[]): string {
  return passages
    .map(({ contents }, i) => {
      const [title = '', ...lines] = contents.split('\n');
      return `Doc ${i + 1} (Title: ${title})\n${lines.join('\n')}\n\n`;
    })
    .join('')
    .trim();
}

/** Opened once, by the first search. */
function opened({ corpus, retriever, index, seed = 0 }: ServedBy): () => Promise<Retriever> {
  let found: Promise<Retriever> | undefined;
  return () => (found ??= open());
  async function open(): Promise<Retriever> {
    if (corpus === undefined && retriever === undefined) return bm25Retriever('encyclopaedia', makeEncyclopaedia(seed).passages);
    const module = `../../../retrieval/open${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`;
    const { openRetriever } = (await import(/* @vite-ignore */ module)) as typeof import('../../../retrieval/open.ts');
    return openRetriever({ retriever: retriever ?? 'bm25', corpus, index });
  }
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) throw new AgogeError('ENV_BAD_CALL', 'an argument is missing: give it');
  return JSON.stringify(value);
}
