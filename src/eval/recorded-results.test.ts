/** Results as AgentGym's evaluation scripts and their users' write them, as rows of a summary. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import '../envs/builtin.ts';
import { summaryRows } from './summary-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-recorded-'));
const episode = (item: string, success: boolean, turns = 5) =>
  JSON.stringify({ item_id: item, session_id: 0, reward: Number(success), success, num_turns: turns, conversations: [] });

function written(path: string, lines: readonly string[], summary?: [name: string, text: string]): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
  if (summary) writeFileSync(join(folder, path, '..', summary[0]), summary[1]);
}

it('reads every result file below a folder, with model and checkpoint', async () => {
  written(
    'a/SFT-global_step_80/eval_20251217_110922_results.jsonl',
    [episode('textcraft_0', true), episode('textcraft_1', false, 7), episode('textcraft_1', true)],
    ['eval_20251217_110922_summary.txt', 'TextCraft Evaluation Summary\nModel: /models/sft\nTotal samples: 3\n'],
  );
  written(
    'a/epoch_15/eval_results_20251215_223727.jsonl',
    [episode('lmrlgym_maze_3', false)],
    ['eval_results_20251215_223727_summary.txt', '模型: /outputs/checkpoints/epoch_15\n总样本数: 1\n'],
  );
  written('a/epoch_15/eval_results_20251215_223727_summary.jsonl', ['{}']);
  const rows = await summaryRows(join(folder, 'a'));
  expect(rows).toEqual([
    expect.objectContaining({
      env: 'textcraft',
      model: '/models/sft',
      checkpoint: 'global_step_80',
      episodes: 3,
      success: 2 / 3,
    }),
    expect.objectContaining({
      env: 'maze',
      model: '/outputs/checkpoints/epoch_15',
      checkpoint: 'epoch_15',
      success: 0,
      turns: 5,
    }),
  ]);
});

it.each([
  ['{"item_id": "textcraft_0", "rew', /line 1 is not whole JSON/],
  ['{"item_id": "textcraft_0", "reward": 1}', /line 1 is no episode \(success: /],
  ['', /holds no episodes/],
])('%j is refused with its place', async (text, said) => {
  written('b/eval_results_1.jsonl', [text]);
  await expect(summaryRows(join(folder, 'b'))).rejects.toThrow(said);
});

it('what is none of these says what could be given', async () => {
  mkdirSync(join(folder, 'empty'));
  await expect(summaryRows(join(folder, 'empty'))).rejects.toThrow(/or one with eval_results_….jsonl/);
});
