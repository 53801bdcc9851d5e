import { describe, expect, it } from 'vitest';
import type { Evaluation } from './evaluate.ts';
import { evaluationRows, runRows, summaryCsv, summaryMarkdown, summaryText } from './summary.ts';

const score = (policy: string, success: readonly number[]) => ({
  env: 'textcraft',
  split: 'test',
  panel: 'abc',
  policy,
  episodes: 40,
  scored: 38,
  success: { mean: 0.5, low: 0.34, high: 0.66 },
  reward: { mean: 0.6, low: 0.5, high: 0.7 },
  turns: 7.25,
  seeds: { success, deviation: 0.1 },
  tasks: 20,
  // Two episodes of the second seed have no result.
  perTask: Array.from({ length: 20 }, (_, index) => ({ index, samples: index < 2 ? [0] : [0, 1] })),
});
const evaluation = {
  repeats: { samples: 1, seeds: 2, seed: 42 },
  scores: [score('run:out/a,b@epoch_15', [0.4, 0.6]), score('expert', [1, 1])],
} as unknown as Evaluation;

describe('a summary', () => {
  const rows = evaluationRows(evaluation);
  it('has a row for each model and checkpoint, and one for each seed', () => {
    expect(rows.map(({ model, checkpoint, seed, success }) => [model, checkpoint, seed, success])).toEqual([
      ['run:out/a,b', 'epoch_15', 'all', 0.5],
      ['run:out/a,b', 'epoch_15', '42', 0.4],
      ['run:out/a,b', 'epoch_15', '43', 0.6],
      ['expert', '', 'all', 0.5],
      ['expert', '', '42', 1],
      ['expert', '', '43', 1],
    ]);
    expect(rows[0]).toMatchObject({ episodes: 38, missing: 2, reward: 0.6 });
    expect(rows.slice(1, 3)).toMatchObject([
      { episodes: 20, missing: 0 },
      { episodes: 18, missing: 2 },
    ]);
  });
  it('is CSV that spreadsheets read, Markdown, and text', () => {
    const [head, first] = summaryCsv(rows).split('\n');
    expect(head).toBe('env,split,model,checkpoint,seed,episodes,missing,success,success_low,success_high,reward,turns,panel');
    expect(first).toBe('textcraft,test,"run:out/a,b",epoch_15,all,38,2,0.500,0.340,0.660,0.600,7.3,abc');
    expect(summaryMarkdown(rows).split('\n')[2]).toContain('| epoch_15 | all | 38 | 2 | 0.500 [0.340, 0.660] | 0.600 | 7.3 |');
    expect(summaryText(rows).split('\n')).toHaveLength(8);
  });
  it('takes the evaluations of a training run too, the newest of each step', () => {
    const line = {
      time: '',
      panel: 'textcraft/validation',
      n: 40,
      low: 0,
      high: 1,
      reward: 0.2,
      turns: 9,
      failures: { deadline: 1 },
    };
    const lines = [0.1, 0.3].map((success) => ({ ...line, step: 40, success, categories: {} }));
    expect(runRows('outputs/x', 7, lines)).toMatchObject([
      { model: 'run:outputs/x', checkpoint: 'step_40', seed: '7', split: 'validation', success: 0.3, missing: 1 },
    ]);
  });
});
