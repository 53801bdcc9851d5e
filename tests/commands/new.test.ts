/** What `agoge new` writes works as its own README says, and parts of one's own are taken from files and packages. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const base = fileURLToPath(new URL('../../models/base', import.meta.url));
const tsx = import.meta.resolve('tsx');
const folder = mkdtempSync(join(tmpdir(), 'agoge-new-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function agoge(where: string, ...args: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { cwd: where, encoding: 'utf8' });
  return { status, text: stdout + stderr };
}

describe('agoge new', () => {
  it('env: a folder that is linted, evaluated and trained on', () => {
    expect(agoge(folder, 'new', 'env', 'dice').status).toBe(0);
    const dice = join(folder, 'dice');
    const lint = agoge(dice, 'lint', './env.ts', '--cases', '5', '--tasks', '20', '--steps', '500');
    expect(lint.status, lint.text).toBe(0);
    const played = agoge(dice, 'eval', './env.ts', '--policy', 'expert', '--tasks', '0-9', '--no-view');
    expect(played.text).toMatch(/expert +1\.000/);
    const taught = agoge(dice, 'sft', 'sft.yaml', 'steps=2', 'evaluate.at_start=false', 'evaluate.at_end=false', '--no-view');
    expect(taught.status, taught.text).toBe(0);
    const again = agoge(folder, 'new', 'env', 'dice');
    expect(again.status).toBe(2);
    expect(again.text).toMatch(/dice is there already/);
    expect(agoge(folder, 'new', 'env', '../evil').status).toBe(2);
  });

  it('estimator, loss, reward and format: recipes train with them, and keep their names', () => {
    const dice = join(folder, 'dice');
    for (const kind of ['estimator', 'loss', 'reward', 'format', 'policy'])
      expect(agoge(dice, 'new', kind, `my-${kind}`).status).toBe(0);
    // The policy has never seen this format: that nothing can be read is no reason to stop here.
    const small = [
      'steps=1',
      'rollout.groups=2',
      'rollout.samples=2',
      'evaluate.at_start=false',
      'evaluate.every=0',
      'stop.unreadable=false',
    ];
    const own = [
      'algorithm.estimator=./my-estimator.ts',
      'algorithm.loss=./my-loss.ts',
      'reward=./my-reward.ts',
      'agent.format=./my-format.ts',
    ];
    const { status, text } = agoge(
      dice,
      'train',
      'train.yaml',
      'policy=hf:' + base,
      'evaluate.at_end=false',
      ...small,
      ...own,
      '--no-view',
    );
    expect(status, text).toBe(0);
    expect(readFileSync(join(dice, 'outputs/dice-grpo/config.yaml'), 'utf8')).toMatch(/estimator: \.\/my-estimator\.ts/);
    expect(readFileSync(join(dice, 'outputs/dice-grpo/config.yaml'), 'utf8')).toMatch(/format: \.\/my-format\.ts/);
    // The checkpoint says in which format it is asked; a policy of one's own plays beside the expert in it.
    const players = ['--policy', './my-policy.ts', '--policy', 'expert', '--policy', 'run:outputs/dice-grpo'];
    const played = agoge(
      dice,
      'eval',
      './env.ts',
      ...players,
      '--tasks',
      '0-3',
      '--max-turns',
      '3',
      '--max-tokens',
      '9',
      '--no-view',
    );
    expect(played.text).toMatch(/format \.\/my-format\.ts \(file [0-9a-f]{16}\)/);
    expect(played.text).toMatch(/expert +1\.000/);
    expect(played.text).toMatch(/\.\/my-policy\.ts +\d/);
    writeFileSync(join(dice, 'nothing.ts'), 'export default 1;\n');
    const wrong = agoge(dice, 'train', 'train.yaml', 'run=wrong', 'algorithm.loss=./nothing.ts');
    expect(wrong.status).toBe(2);
    const unformatted = agoge(dice, 'train', 'train.yaml', 'run=wrong', 'policy=hf:' + base, 'agent.format=./nothing.ts');
    expect(unformatted.text).toMatch(/nothing\.ts exports no prompt format: export one as default, made by defineFormat/);
    expect(wrong.text).toMatch(/nothing\.ts exports no policy loss: export one as default, made by defineLoss/);
  });

  it('agent: its own test passes, it is taught, and a policy is served to it', async () => {
    const made = agoge(folder, 'new', 'agent', 'librarian', '--sdk', 'plain');
    expect(made.text).toMatch(/cd librarian && npm install, then as its README says/);
    const place = join(folder, 'librarian');
    const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    expect(manifest.dependencies['agoge']).toMatch(/^file:/);
    mkdirSync(join(place, 'node_modules'));
    symlinkSync(fileURLToPath(new URL('../..', import.meta.url)), join(place, 'node_modules/agoge')); // as npm does it
    const tested = spawnSync(process.execPath, ['--import', tsx, '--test', 'env.test.ts'], { cwd: place, encoding: 'utf8' });
    expect(tested.stdout).toMatch(/# pass 2/);
    const taught = agoge(place, 'sft', 'sft.yaml', 'steps=1', 'evaluate.at_start=false', 'evaluate.at_end=false', '--no-view');
    expect(taught.status, taught.text).toBe(0);
    const few = readFileSync(join(place, 'tasks.ts'), 'utf8').replace('test: 100', 'test: 2');
    writeFileSync(join(place, 'tasks.ts'), few);
    const served = spawn(process.execPath, ['--import', tsx, 'serve.ts', 'base'], {
      cwd: place,
      env: { ...process.env, PORT: '0' },
    });
    try {
      let said = '';
      for await (const part of served.stdout) if ((said += String(part)).includes('Ctrl-C')) break;
      expect(said).toMatch(/base answers at http:\S+ as librarian\nsuccess on 2 test tasks: [01]\.\d{3}/);
    } finally {
      served.kill('SIGKILL');
    }
  });

  it('agent: packages that are missing are named with the command; --sdk is for agents alone', () => {
    expect(agoge(folder, 'new', 'agent', 'shipped', '--sdk', 'langchain').status).toBe(0);
    const { status, text } = agoge(join(folder, 'shipped'), 'eval', './env.ts', '--policy', 'expert', '--no-view');
    expect(status).toBe(1);
    expect(text).toMatch(/@langchain\/openai, langchain, zod are not installed: run npm install \[/);
    expect(agoge(folder, 'new', 'env', 'other-dice', '--sdk', 'openai').text).toMatch(/--sdk is for agents: leave it out/);
  });

  it('an environment may also be a package', () => {
    const home = join(folder, 'node_modules/pack-dice');
    mkdirSync(home, { recursive: true });
    writeFileSync(
      join(home, 'package.json'),
      '{ "name": "pack-dice", "type": "module", "exports": "./index.js", "keywords": ["agoge-environment"] }',
    );
    writeFileSync(
      join(home, 'index.js'),
      `import { defineEnvironment } from 'agoge';
export default defineEnvironment({ name: 'pack-dice', splits: { all: 3 }, instructions: 'Say yes.',
  start: () => ({ state: {}, observation: '?' }), step: (_, said) => ({ observation: '.', reward: said === 'yes' ? 1 : 0, done: true }), solve: () => 'yes' });`,
    );
    const { text } = agoge(folder, 'eval', 'pack-dice', '--split', 'all', '--policy', 'expert', '--no-view');
    expect(text).toMatch(/expert +1\.000/);
    // What `new env` wrote is a package as it stands, TypeScript and all; a copy lies where npm would put it.
    cpSync(join(folder, 'dice'), join(folder, 'node_modules/dice'), { recursive: true });
    const dice = agoge(folder, 'eval', 'dice', '--policy', 'expert', '--tasks', '0-9', '--no-view');
    expect(dice.text).toMatch(/expert +1\.000/);
    // A package that does not say what it is is not loaded: names also come from data files.
    const other = join(folder, 'node_modules/other');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'package.json'), '{ "name": "other", "type": "module", "exports": "./index.js" }');
    writeFileSync(join(other, 'index.js'), 'console.log("loaded");');
    const refused = agoge(folder, 'eval', 'other', '--policy', 'expert', '--no-view');
    expect(refused.status).toBe(2);
    expect(refused.text).toMatch(/there is no environment "other": .* add "agoge-environment" to the keywords/);
    expect(refused.text).not.toContain('loaded');
  });
});
