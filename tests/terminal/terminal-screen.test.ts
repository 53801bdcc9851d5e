/** What stands on the screen, read as a person reads it: the end of every command with a bar, in a real terminal that is not full. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { inTerminal, noTerminal } from './pseudo-terminal.ts';
import { screenOf } from './screen.ts';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'agoge-screen-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
if (noTerminal !== undefined) console.log(`skipped: ${noTerminal}`);

const rl = `
policy: base
tasks: [{ env: textcraft, split: generated-short }]
agent: { max_turns: 4, tokens_per_turn: 16 }
rollout: { groups: 2, samples: 2 }
algorithm: { name: grpo }
optimizer: { lr: 1e-4 }
steps: 4
evaluate: { at_end: true, every: 2, tasks: 4, max_turns: 4 }
`;
const sft = `
run: start
policy: { fresh: { preset: xxs, vocabulary: 400, context: 256, tokenizer_samples: 20 } }
data: { source: experts, experts: [{ env: textcraft, generated: true }], max_tokens: 256 }
batch_tokens: 256
steps: 4
evaluate: { at_end: false }
log: { every: 1 }
`;
const plan = `
study: tiny
question: Does it end as it should?
seeds: [1]
environments:
  textcraft: { panels: { fresh: { split: generated-short-test, tasks: 2, samples: 1, max_turns: 2, max_tokens: 12 } } }
arms:
  start: { recipe: sft.yaml }
`;
await writeFile(join(folder, 'rl.yaml'), rl);
await writeFile(join(folder, 'sft.yaml'), sft);
await writeFile(join(folder, 'plan.yaml'), plan);

/** The screen after a command that went well. */
async function screenAfter(line: string, columns = 80): Promise<string[]> {
  const { code, output } = await inTerminal([cli, ...line.split(' ')], folder, undefined, columns);
  expect(code, output).toBe(0);
  return screenOf(output, columns);
}

/** Where each line is that looks like one of these, whole and in this order. */
function expectInOrder(screen: readonly string[], lines: readonly RegExp[]): void {
  const shown = screen.join('\n');
  const places = lines.map((line) => screen.findIndex((one) => line.test(one)));
  expect(places, `${lines.join('\n')}\n\n${shown}`).not.toContain(-1);
  expect(places, shown).toEqual([...places].sort((a, b) => a - b));
}

describe.skipIf(noTerminal !== undefined)('the screen at the end', () => {
  let tries = 0;
  it.each([80, 120])('of train, in %d columns: every line whole, the bar above the result', async (columns) => {
    const run = `rl-${columns}-${++tries}`;
    const screen = await screenAfter(`train rl.yaml run=${run}`, columns);
    // The page's server begins beside the run: either may be there first.
    expectInOrder(screen, [/^Dashboard: http\S+$/, /^evaluation after step 2/]);
    expectInOrder(screen, [
      /^started: grpo · textcraft · base, seed 1$/,
      /^evaluation after step 2: textcraft/,
      /^evaluation after step 4: textcraft/,
      /^=+ 4\/4 · reward \d\.\d{3} · success \d\.\d{3} · 0 s left$/,
      /^finished after step 4; (best success \d\.\d{3} at step \d.*|nothing was better than the start .*)$/,
      new RegExp(`^see it with: agoge view outputs/${run}, or open outputs/${run}/report\\.html$`),
    ]);
    expect(screen.at(-1)).toMatch(/^see it with/);
    // The same evaluation is said once, in whole lines.
    const text = columns >= 120 ? screen.join('\n') : screen.join('');
    expect(text.match(/evaluation after step 2: \S+ success \d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\] of 4/g)).toHaveLength(1);
  });

  it('of sft', async () => {
    expectInOrder(await screenAfter('sft sft.yaml run=imitation --no-view'), [
      /^=+ 4\/4 · loss \d\.\d{3} · replies right \d\.\d{3} · 0 s left$/,
      /^finished after step 4$/,
      /^see it with: agoge view outputs\/imitation, or open outputs\/imitation\/report\.html$/,
    ]);
  });

  it('of eval', async () => {
    const line = 'eval textcraft --policy random --tasks 0-9 --max-turns 5 --no-view -o outputs/chance';
    expectInOrder(await screenAfter(line), [
      /^textcraft random =+ 10\/10 success \d\.\d{3}$/,
      /^textcraft\/test · 10 tasks/,
      /^random +\d\.\d{3} \[/,
      /^results in outputs\/chance$/,
    ]);
  });

  it('of demo', async () => {
    expectInOrder(await screenAfter('demo --seconds 3 --no-view'), [
      /^Agoge demo: /,
      /^100% │/,
      /^Testing the trained policy: 256 of 256 tasks played$/,
      /^On 256 tasks that were never trained on: /,
      /^The run: outputs\/demo$/,
      /^As one file: outputs\/demo\/report\.html$/,
      /^ {2}agoge train textcraft-grpo steps=50$/,
    ]);
  });

  it('of study', async () => {
    expectInOrder(await screenAfter('study plan.yaml --results results'), [
      /^textcraft start seed 1: fresh/,
      /^=+ 1\/1 runs ·/,
      /^## textcraft: fresh$/,
      /^the page is results\/page\.md; see the runs with: agoge view outputs\/tiny$/,
    ]);
  });
});

describe.skipIf(noTerminal !== undefined)('the screen on the way', () => {
  it('an own environment without limits: what they are then, and how long is left, before an episode has ended', async () => {
    const slow = `import { defineEnvironment } from 'agoge';
      export default defineEnvironment({
        name: 'slow', splits: { test: 200 }, instructions: 'Go.', actions: { go: 'go' },
        start: () => ({ observation: 'go', state: {} }),
        step: async () => {
          await new Promise((later) => setTimeout(later, 400));
          return { observation: 'on', reward: 0, done: false };
        },
      });`;
    await writeFile(join(folder, 'slow.ts'), slow);
    const line = [cli, 'eval', './slow.ts', '--policy', 'random', '--concurrency', '2', '--no-view', '-o', 'outputs/slow'];
    const { code, output } = await inTerminal(line, folder, /left at most/, 120);
    const screen = screenOf(output, 120);
    expect(screen.join('')).toContain(
      'slow declares no limits of its own, so episodes have up to 30 turns (turns, or --max-turns)',
    );
    expect(screen.join('\n')).toMatch(/slow random .* 0\/200 .*· \d+ (min|h)( \d+ \w+)? left at most/);
    expect(code, output).toBe(130);
  });

  it('a run that is too small to learn: one plain sentence, then where to read on; no panels are no evaluation', async () => {
    // What is paid for has nothing to do with what is said, beyond chance.
    const noise = `import { defineEnvironment } from 'agoge';
      export default defineEnvironment({
        name: 'noise', splits: { train: 500, validation: 10, test: 10 }, instructions: 'Say a word.', actions: { say: '{word}' },
        start: ({ index }) => ({ observation: \`Word \${index}?\`, state: index }),
        step: (index, action) => {
          const sum = [...action].reduce((all, letter) => (31 * all + letter.charCodeAt(0)) % 1009, index);
          return { observation: 'Thanks.', reward: sum % 2, done: true };
        },
      });`;
    await writeFile(join(folder, 'noise.ts'), noise);
    await writeFile(
      join(folder, 'noise.yaml'),
      rl
        .replace('{ env: textcraft, split: generated-short }', '{ env: ./noise.ts, split: train }')
        .replace('max_turns: 4, tokens_per_turn: 16', 'max_turns: 1, tokens_per_turn: 4')
        .replace('groups: 2, samples: 2', 'groups: 4, samples: 4')
        .replace('steps: 4', 'steps: 21\nlog: { agreement: true }'),
    );
    const screen = await screenAfter('train noise.yaml run=noise evaluate.panels=[] --no-view', 200);
    const said = screen.filter((line) => line.includes('too few'));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      /^the 336 episodes of this run are too few to tell which way to learn \([a-z ]+[\d,]+ .*\)\. What may help: docs\/training\.md#can-this-run-learn$/,
    );
    expect(screen.join('\n')).not.toContain('evaluation');
  });

  it('a port that is taken: serve and view say so at once, with what to do', async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const { port } = taken.address() as AddressInfo;
    for (const command of ['serve textcraft', 'view .', 'docs', 'serve --model base']) {
      const { code, output } = await inTerminal([cli, ...command.split(' '), '--port', String(port)], folder, undefined, 120);
      const screen = screenOf(output, 120).join('');
      expect(screen, command).toMatch(new RegExp(`${String(port)}.*(in use|taken): .*--port`));
      expect([command, code]).toEqual([command, 1]);
    }
    taken.close();
  });
});
