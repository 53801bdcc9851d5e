/**
 * Ctrl-C in a real terminal, at different moments of every long command: the exit code is 130, it comes soon, cursor and line wrap are
 * back, the hint is whole, and what was promised to be kept is there.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { inTerminal, noTerminal, restored, type Ended, type Press } from './pseudo-terminal.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-terminal-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
if (noTerminal !== undefined) console.log(`skipped: ${noTerminal}`);

const agoge = (line: string, when?: RegExp | readonly Press[]): Promise<Ended> =>
  inTerminal([cli, ...line.split(' ')], folder, when);

/** Ended by Ctrl-C as it should be. Seconds are generous: other tests run beside this one. */
function expectInterrupted({ code, output, seconds }: Ended, hint: string): void {
  expect(output).toContain(hint);
  expect(code, output).toBe(130);
  expect(seconds).toBeLessThan(30);
  expect(restored(output), JSON.stringify(output)).toBe(true);
}

const rl = `
policy: base
tasks: [{ env: textcraft, split: generated-short }]
agent: { max_turns: 4, tokens_per_turn: 16 }
rollout: { groups: 2, samples: 2 }
algorithm: { name: grpo }
optimizer: { lr: 1e-4 }
steps: 100000
stop: { no_signal: 1000000 }
evaluate: { at_end: false, every: 3, split: generated-short-test, choose: false, tasks: 64, max_turns: 8 }
`;
const sft = `
policy: { fresh: { preset: xxs, vocabulary: 400, context: 256, tokenizer_samples: 20 } }
data: { source: experts, experts: [{ env: textcraft, generated: true }], max_tokens: 256 }
batch_tokens: 256
steps: 100000
evaluate: { at_end: false }
log: { every: 1 }
`;
await writeFile(join(folder, 'rl.yaml'), rl);
await writeFile(join(folder, 'sft.yaml'), sft);

// The bar is drawn a few times a second: a fast machine never shows some steps.
describe.skipIf(noTerminal !== undefined)('Ctrl-C in a terminal', () => {
  it.each([
    ['loading', 'a', /Dashboard: /],
    ['the first rollout', 'b', /started: /],
    ['a later step', 'c', / ([2-9]|\d\d+)\/100000 /],
    ['the step after an evaluation', 'd', /evaluation after step 3/],
  ])('train, during %s', async (_, name, when) => {
    const ended = await agoge(`train rl.yaml run=${name}`, when);
    expectInterrupted(ended, `go on with: agoge train --resume outputs/${name} [CLI_INTERRUPTED]`);
    const info = JSON.parse(await readFile(join(folder, 'outputs', name, 'run.json'), 'utf8')) as {
      status: string;
      step: number;
    };
    expect(info.status).toBe('interrupted');
    const checkpoints = await readdir(join(folder, 'outputs', name, 'checkpoints')).catch(() => []);
    if (info.step > 0) expect(checkpoints).toContain(`step_${String(info.step).padStart(6, '0')}`);
  });

  it('train that stops for a reason of its own ends as well', async () => {
    const { code, output } = await agoge('train rl.yaml run=short stop.minutes=0.02 evaluate.every=0');
    expect(output).toMatch(/stopped after step \d+ \(its 1\.2 seconds are over\)/);
    expect(output).toContain('see it with: agoge view outputs/short');
    expect([code, restored(output)]).toEqual([0, true]);
    const info = JSON.parse(await readFile(join(folder, 'outputs', 'short', 'run.json'), 'utf8')) as { bits: unknown };
    expect(info.bits).toEqual({ dependOn: [] });
  });

  it('sft', async () => {
    const ended = await agoge('sft sft.yaml run=imitation', / ([3-9]|\d\d+)\/100000 /);
    expectInterrupted(ended, 'go on with: agoge sft --resume outputs/imitation [CLI_INTERRUPTED]');
  });

  it('eval, with a policy that answers at once and 60,000 tasks', async () => {
    const line = 'eval textcraft --policy random --split generated --tasks 0-59999 --max-turns 5 -o outputs/chance';
    const ended = await agoge(line, /[1-9]\d{2,}\/60000/);
    expectInterrupted(ended, 'finished episodes are kept in outputs/chance: run the same command again to go on');
    // Short episodes end first: the share says that it is not of all.
    expect(ended.output).toMatch(/\/60000 success \d\.\d{3} so far/);
    const seen = Number([...ended.output.matchAll(/(\d+)\/60000/g)].at(-1)?.[1]);
    const kept = (await readFile(join(folder, 'outputs/chance/episodes.jsonl'), 'utf8')).split('\n').length - 1;
    expect(kept).toBeGreaterThanOrEqual(seen);
    expect(JSON.parse(await readFile(join(folder, 'outputs/chance/status.json'), 'utf8'))).toMatchObject({
      status: 'interrupted',
    });
  });

  it('eval, with a model', async () => {
    const ended = await agoge('eval textcraft --policy base -o outputs/model', / [1-9]\d*\/\d+ success/);
    expectInterrupted(ended, 'finished episodes are kept in outputs/model');
  });

  it('a step that never ends: the second Ctrl-C ends it, and the run goes on from what was saved', async () => {
    const endless = `import { existsSync } from 'node:fs';
      import { defineEnvironment } from 'agoge';
      export default defineEnvironment({
        name: 'endless', splits: { test: 4 }, instructions: 'Go.',
        start: () => ({ observation: 'go', state: {} }),
        step: () => {
          if (!existsSync('mended')) { process.stderr.write('now it is stuck'); for (;;); }
          return { observation: 'done', reward: 1, done: true };
        },
      });`;
    await writeFile(join(folder, 'endless.ts'), endless);
    const line = 'eval ./endless.ts --policy random --out outputs/endless --no-view';
    const { code, output, seconds } = await agoge(line, [
      [/now it is stuck/, '\u0003'],
      [/busy with code that does not end; Ctrl-C again/, '\u0003'],
    ]);
    expect(output).toMatch(/ended by the second Ctrl-C.*start it again to go on \[CLI_INTERRUPTED\]/);
    expect(seconds).toBeLessThan(20);
    expect([code, restored(output)]).toEqual([137, true]);
    await writeFile(join(folder, 'mended'), '');
    expect(await agoge(line)).toMatchObject({ code: 0 });
  });

  it('demo', async () => {
    expectInterrupted(
      await agoge('demo --seconds 600', /\d+ of 256 tasks played/),
      'Go on with: agoge demo --resume outputs/demo',
    );
  });

  it('demo, with its curve: the ring of before, the first step beside it', async () => {
    const ended = await agoge('demo --seconds 600 --output drawn', /step 0–\d/);
    expectInterrupted(ended, 'Go on with: agoge demo --resume drawn/demo');
    // The last picture: nothing moves the cursor up after it.
    const picture = ended.output.slice(ended.output.lastIndexOf('100% │'), ended.output.lastIndexOf('step 0–'));
    const lines = picture.split(/\r?\n/).filter((line) => line.includes('│'));
    expect(lines).toHaveLength(14);
    expect(lines.filter((line) => line.includes('│○'))).toHaveLength(1);
    expect(picture).toContain('•');
  });

  it('data sample and data demonstrate keep what was played and leave nothing half written', async () => {
    const sample = await agoge('data sample textcraft --policy random --split generated --count 60000 --out s.jsonl', /[1-9]% /);
    expectInterrupted(sample, 's.jsonl.partial.jsonl: run the same command again');
    const demonstrate = await agoge('data demonstrate textcraft --split generated --count 60000 --out d.jsonl', /[1-9]% /);
    expectInterrupted(demonstrate, 'd.jsonl.partial.jsonl: run the same command again');
    expect((await readdir(folder)).filter((name) => /writing|[sd]\.jsonl$/.test(name))).toEqual([]);
  });

  it('serve and view', async () => {
    expectInterrupted(await agoge('serve textcraft --port 0', /serving textcraft at/), 'closed: 0 sessions');
    expectInterrupted(await agoge('serve --model base --port 0', /serving base/), 'at http');
    expectInterrupted(await agoge('view . --port 0', /Ctrl-C ends it/), 'Dashboard of .');
  });
});

describe.skipIf(noTerminal !== undefined)('a terminal of any width', () => {
  it('says why an episode failed above the bar, which goes on, in forty columns', async () => {
    const line = 'eval textcraft --policy openai:none@http://127.0.0.1:9/v1 --tasks 0-2 --retries 0 --no-view -o outputs/nobody';
    const { code, output } = await inTerminal([cli, ...line.split(' ')], folder, undefined, 40);
    expect(code, output).toBe(1);
    expect(output).toMatch(/textcraft\/test#\d.*\[POLICY_ENDPOINT\][^]*3\/3/);
    expect(output.match(/gave no answer/g)?.length).toBe(1);
    expect(restored(output)).toBe(true);
  });

  it('shows help with every word whole', async () => {
    const words = (text: string): string[] => text.split(/[\s\\]+/).filter((word) => word !== '');
    const [narrow, usual, wide] = await Promise.all(
      [60, 80, 120].map(async (columns) => {
        const { code, output } = await inTerminal([cli, 'eval', '--help'], folder, undefined, columns);
        expect(code).toBe(0);
        expect(Math.max(...output.split(/\r?\n/).map((line) => [...line].length))).toBeLessThanOrEqual(columns);
        return words(output);
      }),
    );
    expect(narrow).toEqual(wide);
    expect(usual).toEqual(wide);
  });

  it('plays a page as a page: products below each other, what can be clicked marked, a name completed whatever its case', async () => {
    const keys = [
      [/lists the commands[^]*> /, 'search[shirt]\n'],
      [/turn 1[^]*> /, 'CLICK[NE'],
      [/CLICK\[NE/, '\t'],
      [/click\[next >\]/, '\n'],
      [/turn 2[^]*> /, ':quit\n'],
    ] as const;
    const line = [cli, 'play', 'webshop', '--split', 'test', '--task', '0'];
    const { code, output } = await inTerminal(line, folder, keys, 70);
    // eslint-disable-next-line no-control-regex -- colours and the cursor's moves begin with one
    const plain = output.replace(/\u001b\[[\d;?]*[A-Za-z]/g, '');
    expect(code, output).toBe(0);
    expect(plain).toMatch(/\n {2}\[B0[A-Z0-9]{8}\] \S/);
    expect(plain).toContain('Page 2');
    expect(plain).not.toContain('[SEP] Back');
    // Without what was typed: keys are echoed where the cursor stands.
    const shown = plain.split(/\r?\n/).filter((one) => !one.includes('> '));
    expect(Math.max(...shown.map((one) => [...one].length))).toBeLessThanOrEqual(70);
  });
});

describe.skipIf(noTerminal !== undefined)('what a command answers', () => {
  it.each([
    ['a recipe for another command', 'sft textcraft-grpo', /use agoge train textcraft-grpo \[CONFIG_WRONG_KIND\]/, 2],
    ['a recipe that ships, by its name', 'train textcraft-grpo --dry-run', /name: grpo/, 0],
    ['a recipe with a slip', 'train textcraft-grop', /did you mean "textcraft-grpo"\?/, 2],
    ['all recipes', 'recipes', /agoge sft textcraft-sft\r?\n {4}\S.*Starts from .*Figures: docs\/results/, 0],
    ['the schema of a recipe', 'config schema', /"\$schema": "https:\/\/json-schema\.org\/[^]*"rollout": \{/, 0],
    ['an environment with a slip', 'eval textcarft --policy random', /did you mean "textcraft"\?/, 2],
    ['a split with a slip', 'eval textcraft --split tset --policy random', /did you mean "test"\?/, 2],
    ['a setting with a slip', 'play textcraft --set textcraft.editon=2024', /did you mean "edition"\?/, 2],
  ])('to %s', async (_, line, says, code) => {
    const ended = await inTerminal([cli, ...line.split(' ')], folder, undefined, 200);
    expect(ended.output).toMatch(says);
    expect(ended.code).toBe(code);
  });

  it('is written as the command was called', async () => {
    const env = { ...process.env, npm_command: 'exec', npm_lifecycle_script: 'agoge "sft"' };
    const { output } = await inTerminal([cli, 'sft', 'textcraft-grpo'], folder, undefined, 200, env);
    expect(output).toContain('use npx agoge train textcraft-grpo');
  });

  it('says how to act before the first task of a game', async () => {
    const keys = [[/lists the commands[^]*> /, ':quit\n']] as const;
    const { code, output } = await inTerminal([cli, 'play', 'textcraft', '--split', 'test', '--task', '0'], folder, keys, 70);
    expect(code, output).toBe(0);
    expect(output).toMatch(/craft \{count\} \{item\} using \{ingredients\}[^]*Goal: craft slime block/);
  });

  it('to none of forty is no certainty: an interval of success and one of reward, exact over tasks', async () => {
    const { code, output } = await agoge('eval textcraft --policy random --tasks 0-39 --max-turns 5 --no-view -o outputs/none');
    expect(code, output).toBe(0);
    expect(output).toContain('0.000 [0.000, 0.088]  0.000 [0.000, 0.088]');
  });
});
