/**
 * Launch scripts of verl, read by us and run by bash: every word that reaches Python is the same, and every launch becomes a recipe or an
 * evaluation. In bash, Python and all else that a script calls are stubs. `AGOGE_VERL` names a checkout of verl (its folder `examples`).
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rlRecipe, sftRecipe } from '../../../src/config/recipe/recipe.ts';
import { readShell } from '../../../src/config/shell/run.ts';
import { fromScript } from '../../../src/config/verl/script.ts';

const checkout = process.env['AGOGE_VERL'] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'agoge-scripts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ready = checkout !== '' && existsSync(join(checkout, 'examples'));
if (!ready) console.log('skipped: AGOGE_VERL names no checkout of verl with its examples');

const scripts = ready
  ? readdirSync(join(checkout, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.sh'))
      .map((name) => join(checkout, 'examples', name))
  : [];
const launches = scripts.filter((file) => /^[^#\n]*(main_ppo|sft_trainer|main_generation)/m.test(readFileSync(file, 'utf8')));
const starts = /^(python3?|torchrun)$/;

/** Commands that only compute are real; Python is a stub that writes its words; nothing else is found. */
function stubs(): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['python', 'python3', 'torchrun']) {
    writeFileSync(join(bin, name), `#!/bin/bash\nprintf '%s\\0' ${name} "$@" $'\\n' >> "$WORDS"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  for (const name of ['date', 'dirname', 'basename', 'cat', 'tee', 'seq', 'mkdir', 'env', 'awk'])
    for (const where of ['/usr/bin', '/bin'])
      if (existsSync(join(where, name)) && !existsSync(join(bin, name))) symlinkSync(join(where, name), join(bin, name));
  return bin;
}

describe.skipIf(!ready)("verl's example scripts", () => {
  it('reach Python with the words that bash gives it', () => {
    const bin = stubs();
    const home = join(folder, 'home');
    mkdirSync(home, { recursive: true });
    let same = 0;
    for (const file of launches) {
      const words = join(folder, 'words');
      rmSync(words, { force: true });
      const env = { PATH: bin, HOME: home, WORDS: words };
      // Some want two arguments before they start (GPUs and a folder).
      spawnSync('/bin/bash', [file, '8', '/tmp/saved'], { cwd: home, env, encoding: 'utf8', timeout: 60_000 });
      const bash = existsSync(words)
        ? readFileSync(words, 'utf8')
            .split('\0\n\0')
            .filter(Boolean)
            .map((line) => line.split('\0'))
        : [];
      const before = process.cwd();
      process.chdir(home);
      const { commands: ours } = readShell(readFileSync(file, 'utf8'), { file, env: { HOME: home }, args: ['8', '/tmp/saved'] });
      process.chdir(before);
      const plain = (list: readonly (readonly string[])[]): string[] =>
        list
          .filter(([name = '', ...rest]) => starts.test(name) && rest.some((word) => /main_|sft_trainer/.test(word)))
          .map((each) => each.join(' ').replace(/\d{8}[-_]?\d{0,6}/g, '<time>'));
      expect(plain(ours.map((each) => each.words)), file).toEqual(plain(bash));
      if (plain(bash).length > 0) same++;
    }
    console.log(`${same} of ${launches.length} scripts reach Python in bash, with the same words here`);
    expect(same).toBeGreaterThan(0.9 * launches.length);
  }, 600_000);

  it('become recipes and evaluations, every one', async () => {
    const kinds: Record<string, number> = {};
    for (const file of launches) {
      const made = await fromScript(file);
      const kind = made.kind === 'training' ? made.converted.kind : 'evaluation';
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      if (made.kind !== 'training') continue;
      // What is written can be trained.
      if (made.converted.kind === 'rl') rlRecipe(made.converted.recipe, file);
      else sftRecipe(made.converted.recipe, file);
    }
    console.log(`${launches.length} scripts in ${dirname(checkout)}: ${JSON.stringify(kinds)}`);
    expect(Object.values(kinds).reduce((a, b) => a + b, 0)).toBe(launches.length);
    expect(kinds['rl']).toBeGreaterThan(50);
  });
});
