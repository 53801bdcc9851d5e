/**
 * Every command and every program of README.md, done with the published package in an empty project: on small settings where it would
 * take minutes (tests/docs/small.ts). Servers of the README answer each other: `serve --model` is the endpoint, `serve` the other machine.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, root } from '../docs/pages.ts';
import { small, words, type Places } from '../docs/small.ts';
import { agoge, learns, project, published, run, serving, type Said } from './user.ts';

const elsewhere: readonly [RegExp, string][] = [
  [/^npm /, 'belongs to a clone; CI runs both lines'],
  [/hf:Qwen/, 'needs a model from the hub'],
];
const reason = (command: string): string | undefined => elsewhere.find(([pattern]) => pattern.test(command))?.[1];
const commands = [...new Set(commandsOf('README.md').map(({ command }) => command))];
const few = [
  'rollout.groups=1',
  'rollout.samples=2',
  'agent.max_turns=2',
  'agent.tokens_per_turn=4',
  'engine.threads=1',
  'steps=1',
];
let place = '';
let places: Places;
const ends: (() => void)[] = [];

/** A server of the package that goes on until the end of the tests. */
async function lasting(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    serving(args, place, (url) => {
      resolve(url);
      return new Promise<void>((end) => ends.push(end));
    }).catch(reject);
  });
}

async function well(...args: readonly string[]): Promise<Said> {
  const said = await agoge(place, ...args);
  expect(said.status, `agoge ${args.join(' ')}\n${said.stdout.slice(-2000)}${said.stderr.slice(-2000)}`).toBe(0);
  return said;
}

describe.skipIf(!published)('README.md, from the published package', () => {
  beforeAll(async () => {
    const [, sdk = ''] = /`npm install (ai@[^`]+)`/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
    const packages = ['agoge', 'tsx', ...sdk.split(' ')];
    place = await project('readme', 'npm', ['install', ...packages, '--no-audit', '--no-fund']);
    // What the commands take for granted: files of the reader, and runs and evaluations that earlier commands made.
    await well('data', 'demonstrate', 'textcraft', '--count', '12', '--out', 'trajectories.json');
    await well('data', 'demonstrate', 'textcraft', '--count', '12', '--out', 'demonstrations.jsonl', '--format', 'direct');
    for (const [name, policy] of Object.entries({ a: 'expert', b: 'random' }))
      await well('eval', 'textcraft', '--policy', policy, '--tasks', '0-2', '--no-view', '-o', `outputs/${name}`);
    const kept = ['checkpoint.every=1', 'evaluate.every=0', 'evaluate.at_start=false', 'evaluate.at_end=false'];
    await well('train', 'recipes/textcraft-grpo.yaml', ...few, ...kept, '--no-view');
    for (const name of ['x', 'demo'])
      cpSync(join(place, 'outputs/textcraft-grpo'), join(place, 'outputs', name), { recursive: true });
    const verl =
      'actor_rollout_ref: { model: { path: x }, rollout: { n: 2, multi_turn: { enable: true, max_user_turns: 5 } } }\n';
    writeFileSync(join(place, 'grpo.yaml'), `data: { train_files: train.parquet, train_batch_size: 8 }\n${verl}`);
    const turn = (n: number) => [
      { role: 'user', content: `How much is ${n} + 1?` },
      { role: 'assistant', content: String(n + 1) },
    ];
    const traces = Array.from({ length: 30 }, (_, n) => `${JSON.stringify({ messages: turn(n) })}\n`);
    writeFileSync(join(place, 'traces.jsonl'), traces.join(''));
    places = {
      gym: await lasting('serve', 'textcraft', '--port', '0'),
      endpoint: `${await lasting('serve', '--model', 'base', '--name', 'scripted', '--port', '0')}/v1`,
    };
  });
  afterAll(() => ends.forEach((end) => end()));

  it.each(commands.filter((command) => reason(command) === undefined))('%s', async (command) => {
    if (command === 'agoge demo') return learns(place);
    // A clone has the examples beside it, a project where npm puts them; the model is the one that `serve --model` has.
    const asked = command.replace('my-model', 'scripted').replace(/(\.\/)?\b(examples|studies)\//, './node_modules/agoge/$2/');
    if (asked.startsWith('agoge study ')) {
      await well(...words(asked).slice(1), '--dry-run');
      return;
    }
    if (asked.startsWith('agoge sweep ')) {
      await well(...words(asked).slice(1), ...few, 'evaluate.tasks=2', 'evaluate.max_turns=2');
      return;
    }
    const { kind, args, env, input } = small(asked, places);
    if (kind === 'serve') {
      await serving(args, place, async (url) => {
        await (await fetch(url)).text();
      });
      return;
    }
    if (kind === 'name') {
      await well(...args, '--help');
      return;
    }
    expect(kind).toBe('run');
    const main = join(place, 'node_modules/agoge/dist/cli/main.js');
    const said = await run('node', [main, ...args], { cwd: place, env, ...(input === undefined ? {} : { input }) });
    expect(said.status, `agoge ${args.join(' ')}\n${said.stdout.slice(-2000)}${said.stderr.slice(-2000)}`).toBe(0);
  });

  it('leaves out what belongs elsewhere, and nothing more', () => {
    expect(commands.filter((command) => reason(command) !== undefined)).toHaveLength(3);
  });

  it('its reward and its program run as they stand', async () => {
    const blocks = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(
      ([, code = '']) => code,
    );
    expect(blocks).toHaveLength(2);
    const [reward = '', program = ''] = blocks;
    writeFileSync(join(place, 'my-reward.ts'), reward);
    const [, line = ''] = /agoge (train .*)$/m.exec(reward) ?? [];
    const off = ['evaluate.every=0', 'evaluate.at_start=false', 'evaluate.at_end=false', 'policy=base', 'run=own-reward'];
    await well(...words(line), ...few, ...off, '--no-view');
    writeFileSync(join(place, 'program.ts'), program);
    const ran = await run(join(place, 'node_modules/.bin/tsx'), ['program.ts'], { cwd: place });
    expect([ran.status, ran.stdout], ran.stderr).toEqual([0, expect.stringMatching(/Goal: .*Inventory/s)]);
  });
});
