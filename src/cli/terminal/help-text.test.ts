import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openProgram } from '../commands.ts';
import { widthOf } from '../../core/width.ts';
import { helpLines, wrapHelp } from './help-text.ts';
import { useLanguage } from './language.ts';

describe('help in lines', () => {
  it('breaks prose between words, and a command so that it can be pasted', () => {
    const text =
      'Examples:\n  agoge eval textcraft --policy base --policy expert   two policies on one panel\n\nThe same again goes on.';
    for (const width of [30, 40])
      expect(
        Math.max(
          ...helpLines(text, width)
            .split('\n')
            .map(({ length }) => length),
        ),
      ).toBeLessThanOrEqual(width);
    expect(helpLines(text, 40).split('\n')).toEqual([
      'Examples:',
      '  agoge eval textcraft --policy \\',
      '      base --policy expert',
      '      two policies on one panel',
      '',
      'The same again goes on.',
    ]);
    expect(helpLines(text, 200)).toBe(text);
  });
});

describe('the help of every command', () => {
  afterEach(async () => {
    vi.unstubAllEnvs();
    await useLanguage('en');
  });

  it.each([
    ['agoge', {}],
    ['npx agoge', { npm_command: 'exec', npm_lifecycle_script: 'agoge' }],
  ])('has whole words in 80 columns, called as %s', async (name, environment) => {
    for (const [key, value] of Object.entries(environment)) vi.stubEnv(key, value);
    const program = await openProgram();
    wrapHelp(program);
    const told = everyHelp(program, 80);
    const inWide = new Map(everyHelp(program, 1000));
    expect(told.length).toBeGreaterThan(40);
    for (const [command, text] of told) {
      const longest = Math.max(...text.split('\n').map((line) => [...line].length));
      expect(longest, `${command}\n${text}`).toBeLessThanOrEqual(80);
      expect(words(text), command).toEqual(words(inWide.get(command) ?? ''));
      expect(text.includes('npx agoge npx')).toBe(false);
    }
    expect(told.find(([command]) => command === 'agoge data sample')?.[1].replace(/\s+/g, ' ')).toContain(
      `SGLang, ${name} serve) get and give`,
    );
  });

  it('fits 80 columns in Chinese, breaks no word, and begins no line with a closing mark', async () => {
    await useLanguage('zh');
    const program = await openProgram();
    wrapHelp(program);
    const inWide = new Map(everyHelp(program, 1000));
    for (const [command, text] of everyHelp(program, 80)) {
      const lines = text.split('\n');
      expect(Math.max(...lines.map(widthOf)), `${command}\n${text}`).toBeLessThanOrEqual(80);
      expect(lines.filter((line) => /^\s*[，。、：；！？）》”]|[（《“]$/.test(line))).toEqual([]);
      expect(text.replace(/[\s\\]+/g, ''), command).toBe((inWide.get(command) ?? '').replace(/[\s\\]+/g, ''));
      expect(latinWords(text), command).toEqual(latinWords(inWide.get(command) ?? ''));
    }
  });
});

/** Words that must not be broken, wherever Chinese stands around them. */
function latinWords(text: string): string[] {
  return text.match(/[\w-]{2,}/g) ?? [];
}

function words(text: string): string[] {
  return text.split(/[\s\\]+/).filter((word) => word !== '');
}

/** What each command prints, by its name. */
function everyHelp(command: CommandUnknownOpts, columns: number, above = ''): [string, string][] {
  const name = `${above}${command.name()}`;
  let text = '';
  const { isTTY, columns: before } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns });
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((part) => ((text += String(part)), true));
  command.outputHelp();
  write.mockRestore();
  Object.assign(process.stdout, { isTTY, columns: before });
  return [[name, text], ...command.commands.flatMap((inner) => everyHelp(inner, columns, `${name} `))];
}
