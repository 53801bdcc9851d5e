import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parquetWriteFile } from 'hyparquet-writer';
import { afterAll, describe, expect, it } from 'vitest';
import type { TaskRef } from '../../core/task.ts';
import { checkLaws, explain } from '../../lint/laws.ts';
import { agentEvalItems } from './agent-eval.ts';
import { dataSetOf } from './questions.ts';
import type { Passage } from '../../retrieval/retriever.ts';
import { bm25Retriever, informationText } from './information.ts';
import { exactMatch, lastAnswer, normalizeAnswer, readMove, scoreReply } from './scoring.ts';
import { searchQA } from './opened.fixture.ts';

const environment = await searchQA();
const task = (split: string, index: number): TaskRef => ({ env: 'searchqa', split, index });
const folder = mkdtempSync(join(tmpdir(), 'agoge-searchqa-'));
const shared = resolve('../shared/data/searchqa');
afterAll(() => rmSync(folder, { recursive: true }));

describe("SearchQA's scoring", () => {
  it('normalises as SQuAD does, with the words of Python', () => {
    expect(normalizeAnswer(' The  Answer, an "A-Team"! ')).toBe('answer ateam');
    expect(normalizeAnswer('théâtre a été the_end')).toBe('théâtre été theend');
    expect(normalizeAnswer('\u2003x\u00a0y\ufeff\x1fz')).toBe('x y\ufeff z');
    expect(exactMatch('14 December 1972', ['Dec 1972', '14 december, 1972.'])).toBe(true);
    expect(exactMatch('', ['a'])).toBe(true);
  });

  it('reads the first move and the last answer', () => {
    expect(readMove('<think>x</think><search> who\nis it </search><answer>y</answer>')).toEqual({
      kind: 'search',
      query: 'who\nis it',
    });
    expect(readMove('<search>x</answer>')).toEqual({ kind: 'neither' });
    expect(lastAnswer('<answer>a</answer> no, <answer> b </answer>')).toBe('b');
    expect(scoreReply('<answer>The Moon</answer>', ['moon'])).toBe(1);
    expect(scoreReply('the moon', ['moon'])).toBe(0);
  });
});

describe('SearchQA on its own encyclopaedia', () => {
  it('has enough to read, and tests what training never asked about', () => {
    expect(environment.splits).toEqual(['train', 'test', 'easy', 'easy_test', 'all']);
    const about = (split: string) => {
      const { size } = environment.tasks(split);
      return new Set(Array.from({ length: size }, (_, i) => environment.question(task(split, i)).searches?.[0]));
    };
    const trained = about('train');
    for (const name of about('test')) expect(trained.has(name)).toBe(false);
    expect(trained.size).toBeGreaterThan(3500);
  });

  it('plays as the original: wrong answers may be corrected', async () => {
    const index = 3;
    const { text, answers, searches = [] } = environment.question(task('easy', index));
    const episode = environment.open(task('easy', index));
    expect(episode.observation).toMatch(/^You must reason inside <think>[^]*Follow this process every time\.\n\n Question: /);
    expect(episode.observation.endsWith(` Question: ${text}`)).toBe(true);
    expect(await episode.step('hm')).toMatchObject({
      observation: expect.stringMatching(/^Your previous action is invalid\./) as string,
    });
    const found = await episode.step(`<search>${searches[0] ?? ''}</search>`);
    expect(found.observation).toMatch(
      /^<information>Doc 1\(Title: "[^\n]*\nDoc 2\(Title: [^\n]*\nDoc 3\(Title: [^\n]*<\/information>$/,
    );
    expect(found.observation).toContain(answers[0]);
    expect(await episode.step('<answer>Atlantis</answer>')).toEqual({
      observation: 'Sorry, your answer is incorrect. Please try again.',
      reward: 0,
      done: false,
    });
    expect(await episode.step(`<answer>the ${answers[0] ?? ''}!</answer>`)).toEqual({
      observation: 'Congratulations! You have answered the question correctly.',
      reward: 1,
      done: true,
      success: true,
    });
    expect(episode.state).toMatchObject({ question: text, solved: true });
  });

  it('opens with the question alone where texts are short', async () => {
    const short = await searchQA({ text: 'short' });
    const first = task('easy', 3);
    expect(short.open(first).observation).toBe(environment.question(first).text);
    expect(short.version).not.toBe(environment.version);
    await expect(searchQA({ text: 'brief' })).rejects.toThrow('searchqa.text is "brief": set it to full or short');
  });

  it('leads its expert to a passage with the answer, hop by hop', async () => {
    for (let index = 0; index < environment.tasks('test').size; index += 5) {
      const { answers, searches = [] } = environment.question(task('test', index));
      const episode = environment.open(task('test', index));
      let last = '';
      for (const query of searches) last = (await episode.step(`<search>${query}</search>`)).observation;
      expect(normalizeAnswer(last)).toContain(normalizeAnswer(answers[0] ?? '?'));
    }
  });

  it('keeps the laws', async () => {
    for await (const { violation } of checkLaws(environment, { cases: 10, expertTasks: 60, memorySteps: 2000 })) {
      expect(violation && explain(violation)).toBeUndefined();
    }
  });
});

describe('SearchQA on files', () => {
  const passages: Passage[] = [
    { id: '0', contents: '"Moon"\nThe Moon is the only natural satellite of Earth.' },
    { id: '1', contents: '"Mars"\nMars has two moons, Phobos and Deimos.' },
  ];
  const rows = [
    { id: 'test_5', question: 'which satellite does earth have', golden_answers: ['the Moon'] },
    { id: 'test_2', question: 'How many moons has Mars?', golden_answers: ['two', '2'] },
  ];
  const path = (name: string): string => join(folder, name);
  writeFileSync(path('corpus.jsonl'), passages.map((one) => `${JSON.stringify(one)}\n`).join(''));
  writeFileSync(path('corpus.jsonl.gz'), gzipSync(readFileSync(path('corpus.jsonl'))));
  writeFileSync(path('nq.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  parquetWriteFile({
    filename: path('train.parquet'),
    columnData: [
      { name: 'question', data: ['Who?'] },
      { name: 'reward_model', data: [{ style: 'rule', ground_truth: { target: ['me'] } }] },
    ],
  });

  it.each(['corpus.jsonl', 'corpus.jsonl.gz'])('numbers FlashRAG and AgentGym rows as AgentGym does, over %s', async (corpus) => {
    const own = await searchQA({ test: path('nq.jsonl'), dataset: 'nq', corpus: path(corpus) });
    expect(own.tasks('all').info(0)).toEqual({ category: 'nq', itemId: 'nq_5', title: 'which satellite does earth have?' });
    expect(own.taskOfItem(2)).toEqual(task('all', 1));
    const episode = own.openItem(2);
    expect((await episode.step('<search>mars</search>')).observation).toBe(informationText([passages[1]!]));
    expect(await episode.step('<answer>2</answer>')).toMatchObject({ reward: 1, done: true });
    await own.close();
    const mixed = await searchQA({ test: path('nq.jsonl'), train: path('train.parquet'), corpus: path(corpus) });
    expect(mixed.tasks('train').info(0).itemId).toBe('nq_51713');
    expect(await mixed.openItem(51_713).step('<answer>Me</answer>')).toMatchObject({ reward: 1 });
    expect(mixed.tasks('all').info(1).itemId).toBe('nq_1');
    await mixed.close();
  });

  it('says what is wrong with a file', async () => {
    const corpus = path('corpus.jsonl');
    writeFileSync(path('bad.jsonl'), '{"id": 1}\n');
    await expect(searchQA({ test: path('nq.jsonl') })).rejects.toMatchObject({ code: 'ENV_BAD_SETTING' });
    await expect(searchQA({ corpus })).rejects.toMatchObject({ code: 'ENV_BAD_SETTING' });
    await expect(searchQA({ test: path('none.jsonl'), corpus })).rejects.toMatchObject({ code: 'ENV_BAD_QUESTIONS' });
    await expect(searchQA({ test: path('bad.jsonl'), corpus })).rejects.toMatchObject({ message: /^row 1 of/ });
    await expect(searchQA({ test: path('nq.jsonl'), corpus: path('bad.jsonl') })).rejects.toMatchObject({
      message: /^line 1 of bad/,
    });
    await expect(searchQA({ test: path('nq.jsonl'), corpus: path('none.jsonl') })).rejects.toMatchObject({
      code: 'ENV_BAD_CORPUS',
    });
    await expect(searchQA({ test: path('nq.jsonl'), dataset: 'squad', corpus })).rejects.toMatchObject({
      message: /nq, triviaqa/,
    });
  });

  it("knows AgentGym's numbers", () => {
    const items = agentEvalItems();
    expect([items.length, new Set(items).size, items.at(-1)! < 51_713]).toEqual([400, 400, true]);
    expect([0, 3609, 3610, 51_712, 51_713, 221_327, 221_328].map(dataSetOf)).toEqual([
      'nq',
      'nq',
      'triviaqa',
      'bamboogle',
      'nq',
      'hotpotqa',
      'questions',
    ]);
  });
});

const missing = existsSync(join(shared, 'recorded_searches.json')) ? undefined : `recorded searches are not at ${shared}`;
if (missing !== undefined) console.log(`skipped: ${missing}`);

describe.skipIf(missing !== undefined)('SearchQA beside recorded searches', () => {
  it('finds with BM25 what the dense index of the full corpus found, as often as was measured before', async () => {
    const lines = gunzipSync(readFileSync(join(shared, 'wiki18_subset.jsonl.gz')))
      .toString('utf8')
      .trim()
      .split('\n');
    const retriever = bm25Retriever(
      'wiki',
      lines.map((line) => JSON.parse(line) as Passage),
    );
    const recorded = JSON.parse(readFileSync(join(shared, 'recorded_searches.json'), 'utf8')) as {
      query: string;
      top3: number[];
    }[];
    let overlap = 0;
    let first = 0;
    for (const { query, top3 } of recorded) {
      const found = (await retriever.search(query, 3)).map(({ id }) => Number(id));
      overlap += top3.filter((id) => found.includes(id)).length / top3.length;
      first += Number(found[0] === top3[0]);
    }
    console.log(
      `BM25 on ${recorded.length} recorded searches: overlap@3 ${(overlap / recorded.length).toFixed(3)}, top-1 ${(first / recorded.length).toFixed(3)}`,
    );
    expect(overlap / recorded.length).toBeGreaterThanOrEqual(0.705);
  });
});
