/**
 * Questions from FlashRAG's JSON lines, AgentGym's parquet files or plain JSON lists. Test questions are numbered from 0 and training
 * questions from 51,713, as AgentGym concatenates them; where rows carry ids such as `test_17` and the data set is named, by those.
 */
import { readFile } from 'node:fs/promises';
import { AgogeError } from '../../core/error.ts';
import { parquetRecords } from '../../core/parquet/records.ts';
import { agentEvalItems } from './agent-eval.ts';
import { asked, dataSetOf, testItems, trainItems, type Question, type Questions } from './questions.ts';

export interface QuestionFiles {
  readonly test?: string | undefined;
  readonly train?: string | undefined;
  readonly dataset?: string | undefined;
}

const FIRST_TRAIN = 51_713;

export async function readQuestions({ test, train, dataset }: QuestionFiles): Promise<Questions> {
  const items = new Map<number, Question>();
  const part = async (path: string | undefined, first: number, ranges: typeof testItems): Promise<number[]> => {
    if (path === undefined) return [];
    const start = dataset === undefined ? first : ranges[dataset]?.[0];
    if (start === undefined) {
      const known = Object.keys(ranges).join(', ');
      throw new AgogeError(
        'ENV_BAD_SETTING',
        `searchqa.dataset is "${dataset ?? ''}", which ${path} cannot be of: choose one of ${known}`,
      );
    }
    const numbers: number[] = [];
    for (const [position, row] of (await rowsOf(path)).entries()) {
      const own = dataset === undefined ? undefined : /^(?:test|dev|train)_(\d+)$/.exec(String(row['id']))?.[1];
      const item = start + (own === undefined ? position : Number(own));
      items.set(item, question(row, item, `row ${position + 1} of ${path}`));
      numbers.push(item);
    }
    return numbers;
  };
  const tests = await part(test, 0, testItems);
  const trains = await part(train, FIRST_TRAIN, trainItems);
  if (items.size === 0)
    throw new AgogeError('ENV_NO_TASKS', `${test ?? train ?? 'the file'} holds no questions: give a file with some`);
  const evaluated = new Set(agentEvalItems());
  const chosen = tests.filter((item) => evaluated.has(item));
  return {
    source: `files${items.size}`,
    splits: new Map([
      ['train', trains],
      // AgentGym evaluates on 400 of them; a file with none of those is taken whole.
      ['test', chosen.length > 0 ? chosen : tests],
      ['test_all', tests],
      ['all', [...tests, ...trains]],
    ]),
    question(item) {
      const found = items.get(item);
      if (found) return found;
      throw new AgogeError('ENV_UNKNOWN_TASK', `the files have no question ${item}: choose one of split "all"`);
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(path: string): Promise<readonly Row[]> {
  try {
    if (path.endsWith('.parquet')) {
      const rows: Row[] = [];
      for await (const { records } of parquetRecords(path)) rows.push(...records);
      return rows;
    }
    const text = await readFile(path, 'utf8');
    if (text.trimStart().startsWith('[')) return JSON.parse(text) as Row[];
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Row]));
  } catch (cause) {
    if (cause instanceof AgogeError) throw cause;
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new AgogeError('ENV_BAD_QUESTIONS', `${path} cannot be read (${words}): give JSON, JSONL or parquet`, { cause });
  }
}

function question(row: Row, item: number, where: string): Question {
  const text = row['question'];
  const answers = answersOf(row);
  if (typeof text !== 'string' || answers.length === 0) {
    throw new AgogeError(
      'ENV_BAD_QUESTIONS',
      `${where} has no question or no golden_answers: give FlashRAG's or AgentGym's rows`,
    );
  }
  return { item, text: asked(text), answers, category: dataSetOf(item) };
}

/** FlashRAG: golden_answers. AgentGym and Search-R1: reward_model.ground_truth.target. Plain lists: answer. */
function answersOf(row: Row): string[] {
  const model = row['reward_model'] as { readonly ground_truth?: { readonly target?: unknown } } | undefined;
  const given = row['golden_answers'] ?? model?.ground_truth?.target ?? row['answer'];
  const list: readonly unknown[] = Array.isArray(given) ? given : typeof given === 'string' ? [given] : [];
  return list.filter((one) => typeof one === 'string');
}
