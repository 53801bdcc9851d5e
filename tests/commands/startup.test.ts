/** What the answers that a person waits for at every turn load: no schema library, no environment, no command but the one that is asked for. */
import { describe, expect, it } from 'vitest';
import { loadedFiles } from '../../bench/startup/loaded-files.ts';

const packages = (files: readonly string[]): string[] => [
  ...new Set(files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])),
];
const commands = (files: readonly string[]): string[] => files.filter((file) => file.startsWith('dist/cli/commands/'));

describe('the start of the program', () => {
  it.each([
    { args: ['--version'], loaded: [] },
    { args: ['--help'], loaded: [] },
    { args: ['completion', 'bash'], loaded: ['completion'] },
    { args: ['__complete', '--', 'tr'], loaded: ['complete'] },
    { args: ['__complete', '--', 'play', 'te'], loaded: ['complete', 'play'] },
    { args: ['__complete', '--', 'train', 'te'], loaded: ['chaos', 'complete', 'training/train', 'training/training-run'] },
  ])('$args loads commander and its own commands alone', ({ args, loaded }) => {
    const files = loadedFiles(args);
    expect(files).toContain('dist/cli/main.js');
    expect(packages(files)).toEqual(['@commander-js/extra-typings', 'commander']);
    expect(commands(files)).toEqual(loaded.map((name) => `dist/cli/commands/${name}.js`));
  });
});
