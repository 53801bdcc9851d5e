/** Questions about SearchQA's encyclopaedia as rows of Search-R1: what the `search` tool is for. */
import { at } from '../../../core/at.ts';
import { encyclopaediaQuestions, makeEncyclopaedia } from '../../searchqa/encyclopaedia/encyclopaedia.ts';
import type { DataRow, NamedRows } from '../row.ts';

export function questionRows(seed: number): ReadonlyMap<string, NamedRows> {
  const { splits, question } = bound(encyclopaediaQuestions(makeEncyclopaedia(seed), seed));
  const rows = (split: string, name: string): NamedRows => {
    const items = splits.get(split) ?? [];
    return { name, size: items.length, at: (index) => rowOf(question(at(items, index)), split, index) };
  };
  return new Map([
    ['train', rows('train', 'questions')],
    ['test', rows('test', 'questions-test')],
  ]);
}

function bound(questions: ReturnType<typeof encyclopaediaQuestions>) {
  return { splits: questions.splits, question: (item: number) => questions.question(item) };
}

function rowOf(
  { text, answers, category, searches = [] }: ReturnType<ReturnType<typeof bound>['question']>,
  split: string,
  index: number,
): DataRow {
  const solution = `<answer>${answers[0] ?? ''}</answer>`;
  return {
    dataSource: 'searchR1_nq',
    prompt: [{ role: 'user', text: `Answer the question, and give the answer inside <answer> and </answer>. Question: ${text}` }],
    groundTruth: { target: [...answers] },
    extraInfo: { split, index, question: text },
    solution,
    calls: searches.map((query) => ({ name: 'search', arguments: { query_list: [query] } })),
    category,
  };
}
