import { Command } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { candidates } from './complete.ts';

const program = new Command('agoge');
for (const name of ['train', 'sft', 'play']) program.command(name).argument('[what]');
program.command('eval').option('--policy <name>');
program.command('data').command('convert');
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
});
