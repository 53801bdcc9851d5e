import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from './shell-word.ts';

it('is read back by a shell as it was', () => {
  const words = ['plan.yaml', '--only', 'a b', "it's", '$HOME', '~/x', '*', '', 'lr=[1e-4,3e-4]', 'a"b', '迷宫', '{a,b}', 'x;y'];
  const typed = `printf '%s\\n' ${words.map(shellWord).join(' ')}`;
  expect(spawnSync('bash', ['-c', typed], { encoding: 'utf8' }).stdout).toBe(`${words.join('\n')}\n`);
});

it('stays plain where it can', () => {
  expect(['plan.yaml', '--jobs', '2', 'outputs/again', 'optimizer.lr=1e-4'].map(shellWord).join(' ')).toBe(
    'plan.yaml --jobs 2 outputs/again optimizer.lr=1e-4',
  );
});
