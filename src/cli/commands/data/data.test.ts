import { Command } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { register } from './data.ts';

/** What commander says to a line of `agoge data`; nothing is read or written before its options are. */
async function said(line: string): Promise<string> {
  const program = new Command().exitOverride();
  register(program.command('data'));
  let text = '';
  for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])])
    command.exitOverride().configureOutput({ writeErr: (part) => (text += part) });
  await expect(program.parseAsync(line.split(' '), { from: 'user' })).rejects.toMatchObject({
    code: 'commander.invalidArgument',
  });
  return text;
}

describe('a choice that there is not is refused before anything is read', () => {
  it.each([
    ['data dedupe in.jsonl out.jsonl --by wrods', 'Choose one of words, item, best.'],
    [
      'data convert in.json out.json --from agentraj',
      'Choose one of agenttraj, ids, sampling, chat, verl-sft, verl-rl, episodes.',
    ],
    ['data convert in.json out.json --to parquet', 'Choose one of agenttraj, ids, sampling, chat, verl-sft, verl-rl, episodes.'],
    ['data convert in.json out.json --opening sytem', 'Choose one of auto, keep, system, agentgym.'],
    ['data convert in.json out.json --prompt user', 'Choose one of auto, system, system+user.'],
    ['data convert in.json out.json --keys idx', 'Choose one of both, session_id, own.'],
    [
      'data validate in.json --reader 2026',
      'Choose one of auto, 2024, 2025, adapt, adapt-last, direct, anywhere, interaction, first-action.',
    ],
    ['data sample textcraft --policy random --out x.jsonl --keep good', 'Choose one of success, best, all.'],
    ['data sample textcraft --policy random --out x.jsonl --to jsonl', 'Choose one of agenttraj, ids'],
    ['data sample textcraft --policy random --out x.jsonl --samples 0', 'Give a whole number from 1.'],
    ['data sample textcraft --policy random --out x.jsonl --temperature -1', 'Give a number from 0.'],
    ['data sample textcraft --policy random --out x.jsonl --top-p 2', 'Give a number from 0 to 1.'],
    ['data demonstrate textcraft --out x.jsonl --to jsonl', 'Choose one of agenttraj, ids'],
    ['data demonstrate textcraft --out x.jsonl --turns 0', 'Give a whole number from 1.'],
    ['data split in.json a.json b.json --share 1.5', 'Give a number from 0 to 1.'],
  ])('%s', async (line, sentence) => expect(await said(line)).toContain(sentence));
});
