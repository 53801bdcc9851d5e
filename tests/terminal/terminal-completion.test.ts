/** What a shell completes when Tab is pressed: for `agoge` on the path, and for `npx agoge` in a clone, in bash, zsh and fish themselves. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandInTerminal, noTerminal, type Press } from './pseudo-terminal.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-completion-'));
/** Nothing but its node_modules leads to a program here. */
const clone = join(folder, 'clone');
const home = join(folder, 'home');
const system = { HOME: home, TERM: 'xterm', LANG: 'C.UTF-8' };
const onPath = { ...system, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
/** Node and the tools of a shell, and no agoge. */
const inClone = { ...system, PATH: `${join(folder, 'node')}:/usr/bin:/bin` };

beforeAll(async () => {
  for (const made of [
    'bin',
    'node',
    'home',
    'outputs/a-run',
    'clone/node_modules/.bin',
    'clone/outputs/a-run',
    'clone/deep/outputs/a-run',
  ])
    await mkdir(join(folder, made), { recursive: true });
  const program = `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`;
  await writeFile(join(folder, 'bin', 'agoge'), program, { mode: 0o755 });
  await writeFile(join(clone, 'node_modules/.bin/agoge'), program, { mode: 0o755 });
  await symlink(process.execPath, join(folder, 'node', 'node'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
if (noTerminal !== undefined) console.log(`skipped: ${noTerminal}`);

function missing(shell: string): boolean {
  const none = spawnSync(shell, ['-c', 'exit 0']).status !== 0;
  if (none) console.log(`skipped: there is no ${shell} here`);
  return none;
}

function install(shell: string): string {
  const env = { ...onPath, SHELL: `/bin/${shell}` };
  const { status, stdout, stderr } = spawnSync('agoge', ['completion', '--install'], { cwd: folder, env, encoding: 'utf8' });
  expect(`${String(status)} ${stderr}`).toBe('0 ');
  return stdout;
}

const exit = '\u0015exit\n';

describe.skipIf(noTerminal !== undefined).each([
  ['bash', ['bash', '-i'], '.bashrc'],
  ['zsh', ['zsh', '-i'], '.zshrc'],
])('%s', (shell, command, file) => {
  const typed = async (cwd: string, env: NodeJS.ProcessEnv, keys: readonly Press[]): Promise<void> => {
    await writeFile(join(home, file), "PS1='ready> '\nPROMPT_EOL_MARK=\nalias old=true");
    expect(install(shell)).toContain('new shells complete agoge');
    const { code, output } = await commandInTerminal(command, { cwd, env, columns: 200 }, keys);
    expect(code, output).toBe(0);
  };

  it('completes a command, an option, a run, once it is installed', async () => {
    if (missing(shell)) return;
    await typed(folder, onPath, [
      [/ready> /, 'agoge recip\t'],
      [/recipes/, '\u0015agoge eval --basel\t'],
      [/--baseline/, '\u0015agoge eval textcraft --policy run:outputs/a-\t'],
      [/run:outputs\/a-run/, exit],
    ]);
    expect(install(shell)).toContain('reads it already');
    expect(await readFile(join(home, file), 'utf8')).toMatch(/^PS1=.*\n.*\nalias old=true\n\[ -f '.*' \] && source '.*'\n$/);
  });

  it.each(['', 'deep'])(
    'completes npx agoge in a clone (folder "%s"): commands, kinds, keys of a recipe, values, runs',
    async (below) => {
      if (missing(shell)) return;
      await typed(join(clone, below), inClone, [
        [/ready> /, 'npx ago\t'],
        [/npx ago.?ge/, 'recip\t'],
        [/recipes/, '\u0015npx agoge new \t\t'],
        [/env[^]*estimator[^]*reward/, '\u0015npx agoge train textcraft-grpo rollou\t'],
        [/rollout\./, 'gro\t'],
        [/groups=/, '\u0015npx agoge train textcraft-grpo algorithm.name=grp\t'],
        [/=grpo/, '\u0015npx agoge eval textcraft --policy run:outputs/a-\t'],
        [/run:outputs\/a-run/, '\u0015npx agoge train textcraft-grpo policy=run:outputs/a-\t'],
        [/policy=run:outputs\/a-run/, exit],
      ]);
    },
  );
});

describe('fish', () => {
  const offered = (cwd: string, env: NodeJS.ProcessEnv, lines: readonly string[]): string[][] =>
    lines.map((line) => {
      const { stdout } = spawnSync('fish', ['-c', `complete -C '${line}'`], { cwd, env, encoding: 'utf8' });
      return stdout.split('\n').flatMap((one) => one.split('\t')[0] ?? []);
    });

  it('completes a command, an option, a run, once it is installed', () => {
    if (missing('fish')) return;
    expect(install('fish')).toContain('fish/conf.d/agoge.fish');
    const [commands, options, runs] = offered(folder, onPath, ['agoge recip', 'agoge eval --basel', 'agoge view outputs/a-']);
    expect(commands).toContain('recipes');
    expect(options).toContain('--baseline');
    expect(runs).toContain('outputs/a-run');
  });

  it('completes npx agoge in a clone: commands, kinds, keys of a recipe, values, runs', () => {
    if (missing('fish')) return;
    install('fish');
    const lines = [
      'new ',
      'train textcraft-grpo rollout.gro',
      'train textcraft-grpo algorithm.name=grp',
      'eval textcraft --policy run:',
    ];
    const [commands, kinds, keys, values, runs] = offered(
      clone,
      inClone,
      ['recip', ...lines].map((line) => `npx agoge ${line}`),
    );
    expect(commands).toContain('recipes');
    expect(kinds).toEqual(expect.arrayContaining(['env', 'reward', 'estimator']));
    expect(keys).toContain('rollout.groups=');
    expect(values).toContain('algorithm.name=grpo');
    expect(runs).toContain('run:outputs/a-run');
  });
});
