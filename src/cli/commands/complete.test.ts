import { Argument, Command } from '@commander-js/extra-typings';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { candidates } from './complete.ts';

const program = new Command('agoge');
for (const name of ['train', 'sft', 'play']) program.command(name).argument('[what]');
program.command('eval').option('--policy <name>');
program.command('data').command('convert');
program
  .command('new')
  .addArgument(new Argument('<kind>').choices(['env', 'reward', 'loss']))
  .argument('<name>');
program.command('__complete', { hidden: true });

describe('completion', () => {
  it('offers commands, their options, recipes of the right kind and environments', async () => {
    expect(await candidates(program, ['tr'])).toEqual(['train']);
    expect(await candidates(program, ['data', 'conv'])).toEqual(['convert']);
    expect(await candidates(program, ['eval', '--pol'])).toEqual(['--policy']);
    expect(await candidates(program, ['train', 'textcraft-g'])).toContain('textcraft-grpo');
    expect(await candidates(program, ['train', 'textcraft-sf'])).toEqual([]);
    expect(await candidates(program, ['sft', 'textcraft-sf'])).toEqual(['textcraft-sft']);
    expect(await candidates(program, ['play', 'webs'])).toEqual(['webshop']);
    expect(await candidates(program, [''])).not.toContain('__complete');
  });

  it('offers kinds after new, keys and values of a recipe after its name, one level at a time', async () => {
    expect(await candidates(program, ['new', ''])).toEqual(['env', 'loss', 'reward']);
    expect(await candidates(program, ['train', 'textcraft-grpo', 'rollou'])).toEqual(['rollout.']);
    expect(await candidates(program, ['train', 'textcraft-grpo', 'rollout.gr'])).toEqual(['rollout.groups=']);
    expect(await candidates(program, ['train', 'textcraft-grpo', 'algorithm.name=gr'])).toEqual(['algorithm.name=grpo']);
    expect(await candidates(program, ['train', 'textcraft-grpo', 'evaluate.at_start='])).toEqual([
      'evaluate.at_start=false',
      'evaluate.at_start=true',
    ]);
    expect(await candidates(program, ['sft', 'textcraft-sft', 'data.so'])).toEqual(['data.source=']);
  });

  it('offers runs after run:, wherever it stands', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agoge-complete-'));
    await mkdir(join(folder, 'outputs', 'mine'), { recursive: true });
    await writeFile(join(folder, 'outputs', 'notes.txt'), '');
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(await candidates(program, ['eval', 'textcraft', '--policy', 'run:'])).toEqual(['run:outputs/mine']);
      expect(await candidates(program, ['eval', 'textcraft', '--policy', ''])).toContain('base');
      expect(await candidates(program, ['train', 'textcraft-grpo', 'policy=run:ou'])).toEqual(['policy=run:outputs/mine']);
    } finally {
      process.chdir(before);
      await rm(folder, { recursive: true });
    }
  });
});
