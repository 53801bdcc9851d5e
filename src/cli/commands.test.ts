import { describe, expect, it } from 'vitest';
import { openProgram } from './commands.ts';

describe('the program', () => {
  it('gives options to the commands that are named, wherever they stand, and names all', async () => {
    const program = await openProgram(['--verbose', 'help', 'eval']);
    const optionsOf = (name: string): number | undefined =>
      program.commands.find((command) => command.name() === name)?.options.length;
    expect(optionsOf('eval')).toBeGreaterThan(5);
    expect(optionsOf('train')).toBe(0);
  });

  it('has every command with a description, options or sub-commands', async () => {
    const program = await openProgram();
    expect(program.commands.length).toBeGreaterThan(20);
    for (const command of program.commands) {
      expect(command.description(), command.name()).not.toBe('');
      expect(command.options.length + command.commands.length + command.registeredArguments.length).toBeGreaterThan(0);
    }
  });
});
