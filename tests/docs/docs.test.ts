/**
 * Every command of README, CONTRIBUTING and the guides, in both languages, is run on small settings. A page with a command that
 * does not work fails here. What this test does not do stands with its reason in small.ts; its words are read all the same.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../src/envs/builtin.ts';
import { loadEnvironment } from '../../src/envs/registry.ts';
import { startGym, type GymServer } from '../../src/gym/server/server.ts';
import { withSummary } from '../../bench/summary.ts';
import { commandsOf, pages, root } from './pages.ts';
import type { Answer, Request } from './session.ts';
import { reasonNotToDo, small, type Places, type Small } from './small.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-docs-'));
let gym: GymServer;
let shop: GymServer;
let endpoint: Server;
let places: Places;
let session: ChildProcess;

async function ask(request: Small): Promise<Answer> {
  const heard = new Promise<Answer>((resolve, reject) => {
    const gone = (): void => reject(new Error(`the session ended with: agoge ${request.args.join(' ')}`));
    session.once('exit', gone);
    session.once('message', (answer: Answer) => {
      session.off('exit', gone);
      resolve(answer);
    });
  });
  session.send(request satisfies Request);
  if (request.input !== undefined) session.stdin?.write(request.input);
  return heard;
}

async function agoge(...args: string[]): Promise<void> {
  const { problem } = await ask({ args, env: {}, kind: 'run' });
  if (problem !== undefined) throw new Error(`agoge ${args.join(' ')}: ${problem}`);
}

/** What the pages take for granted: files of AgentGym and verl, runs and evaluations made before. */
async function prepare(): Promise<void> {
  cpSync(join(root, 'recipes'), join(folder, 'recipes'), { recursive: true });
  symlinkSync(join(root, 'examples'), join(folder, 'examples'));
  cpSync(join(root, 'examples/number-hunt.ts'), join(folder, 'my-env.ts'));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('my-prompt.txt', '{{task}}\n{{actions}}\n');
  const verl =
    'data: { train_files: train.parquet, train_batch_size: 8 }\nactor_rollout_ref: { model: { path: x }, rollout: { n: 2, multi_turn: { enable: true, max_user_turns: 5 } } }\nalgorithm: { adv_estimator: grpo }\ntrainer: { total_epochs: 1 }\n';
  for (const name of ['grpo.yaml', 'textcraft_grpo_train.yaml']) write(name, verl);
  const demonstrate = ['data', 'demonstrate', 'textcraft', '--count', '12', '--out'];
  await agoge(...demonstrate, 'trajectories.json');
  await agoge(...demonstrate, 'demonstrations.jsonl', '--format', 'direct');
  await agoge('data', 'sample', 'textcraft', '--policy', 'expert', '--count', '12', '--out', 'sampled.jsonl', '--to', 'sampling');
  await agoge('data', 'convert', 'trajectories.json', 'sft.parquet');
  await agoge('data', 'convert', 'trajectories.json', 'train.parquet', '--to', 'verl-rl');
  for (const [folderName, file, copy] of [
    ['AgentTraj-L', 'textcraft_train.json', 'trajectories.json'],
    ['Sampling', 'textcraft.jsonl', 'sampled.jsonl'],
  ] as const) {
    mkdirSync(join(folder, folderName));
    cpSync(join(folder, copy), join(folder, folderName, file));
  }
  const interaction = (name: string): string =>
    `- name: ${name}\n  _target_: verl.interactions.webshop_interaction.WebshopInteraction\n  config: { env_server_base: "${shop.url}", timeout: 600 }\n`;
  write('webshop_interaction.yaml', interaction('webshop') + interaction('webshop_2'));
  write('recipe.yaml', 'run: mine\ntasks: [{ env: webshop, split: train }]\n');
  const items = (env: string): string => JSON.stringify([6, 7, 8].map((n) => ({ item_id: `${env}_${n}` })));
  write('webshop_test.json', items('webshop'));
  await agoge('data', 'convert', 'webshop_test.json', 'test.parquet');
  mkdirSync(join(folder, 'AgentGym-RL-Data/train'), { recursive: true });
  for (const env of ['webshop', 'textcraft']) write(`AgentGym-RL-Data/train/${env}_train.json`, items(env));
  write('my-reward.ts', 'export default (trajectory) => trajectory.turns.length;\n');
  const logged = (number: number): string =>
    JSON.stringify({
      messages: [
        { role: 'user', content: `How much is ${number} + 1?` },
        { role: 'assistant', content: String(number + 1) },
      ],
    });
  write('traces.jsonl', Array.from({ length: 30 }, (_, number) => `${logged(number)}\n`).join(''));
  write('train.csv', 'question,answer\nHow much is 1+1?,2\nHow much is 1+2?,3\n');
  const sum = { data_source: 'openai/gsm8k', prompt: [{ role: 'user', content: 'How much is 1+1?' }], ability: 'math' };
  const row = { ...sum, reward_model: { style: 'rule', ground_truth: '2' }, extra_info: { index: 0, split: 'test' } };
  write('gsm8k.jsonl', `${JSON.stringify(row)}\n`);
  await agoge('data', 'convert', 'gsm8k.jsonl', 'gsm8k_test.parquet', '--to', 'verl-rl');
  const pair = { prompt: 'How much is 1+1?', chosen: '2', rejected: '3' };
  write('pairs.jsonl', `${JSON.stringify(pair)}\n`.repeat(40));
  const few = small('agoge reward recipes/reward-model.yaml', places).args.filter((arg) => !arg.startsWith('run='));
  await agoge(...few, 'run=reward-model');
  const train = small('agoge train recipes/textcraft-grpo.yaml', places).args;
  await agoge(...train.filter((arg) => !/^(run|checkpoint\.every)=/.test(arg)), 'checkpoint.every=1', 'run=textcraft-grpo');
  const others = [
    'x',
    'demo',
    'webshop-grpo',
    'webshop-sft',
    'babyai-sft',
    'babyai-grpo',
    'textcraft-imitation',
    'textcraft-sft',
    'data-grpo',
    'own-agent-sft',
    'own-agent-grpo',
  ];
  for (const name of others) cpSync(join(folder, 'outputs/textcraft-grpo'), join(folder, 'outputs', name), { recursive: true });
  for (const [name, policy] of Object.entries({ a: 'expert', b: 'random' }))
    await agoge('eval', 'textcraft', '--policy', policy, '--tasks', '0-2', '--no-view', '-o', `outputs/${name}`);
}

beforeAll(async () => {
  gym = await startGym({ environments: [await loadEnvironment('textcraft')] });
  shop = await startGym({ environments: [await loadEnvironment('webshop', { size: '300', generated: true })] });
  endpoint = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Action: inventory' }, finish_reason: 'stop' }];
      response.end(JSON.stringify({ choices, usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 } }));
    });
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  places = { gym: gym.url, endpoint: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1` };
  session = fork(join(root, 'tests/docs/session.ts'), [join(root, 'dist')], {
    cwd: folder,
    env: { ...process.env, OPENAI_API_KEY: 'k' },
    execArgv: ['--import', import.meta.resolve('tsx')],
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise((resolve) => session.once('message', resolve));
  await prepare();
});
afterAll(async () => {
  const ended = new Promise((resolve) => session.once('exit', resolve));
  session.send('end');
  await ended;
  await Promise.all([gym.close(100), shop.close(100)]);
  endpoint.closeAllConnections();
  endpoint.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What went wrong with a command, or undefined. */
async function failure(command: string): Promise<string | undefined> {
  if (command.startsWith('curl ')) return curl(command);
  if (command.startsWith('cd ')) return (await ask({ args: [command.slice(3)], env: {}, kind: 'cd' })).problem;
  if (!/^([A-Z_]+=\S+ )?agoge /.test(command))
    return reasonNotToDo(command) === undefined ? 'is neither run nor listed with a reason' : undefined;
  const asked = small(command, places);
  const { problem, said } = await ask(asked);
  return problem === undefined ? undefined : `agoge ${asked.args.join(' ')}\n  ${problem}\n${said.slice(-400)}`;
}

let shopper = '';
async function curl(command: string): Promise<string | undefined> {
  const line = command.replace(/(http:\/\/)?(localhost|127\.0\.0\.1):\d+/, shop.url).replace('12345678', shopper);
  const child = spawn('bash', ['-c', `${line} -sS --fail 2>&1`]);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (/\/create\b/.test(line)) shopper = said.trim();
  return status === 0 ? undefined : `${line}\n  ${said}`;
}

describe('every command of the pages', () => {
  const seen = new Set<string>();
  const done = new Set<string>();

  it.each(pages())('%s', async (page) => {
    const problems: string[] = [];
    await ask({ args: [folder], env: {}, kind: 'cd' });
    let place = '';
    for (const { command, line } of commandsOf(page)) {
      if (command.startsWith('cd ')) place = command;
      // A command that two pages show in the same folder is run once; calls by hand belong to their page's session.
      else if (done.has(`${place} ${command}`) && !command.startsWith('curl ')) continue;
      const why = await failure(command);
      if (why !== undefined) problems.push(`${page}:${line} ${command}\n  ${why}`);
      else {
        // Pages of results name the benches that measured them, which are not for every day.
        if (!page.startsWith('docs/results')) seen.add(command);
        done.add(`${place} ${command}`);
      }
    }
    expect(problems.join('\n\n')).toBe('');
  });

  it.each([
    ['agoge data convert trajectories.json --to train.parquet', /'train\.parquet' is invalid/],
    ['agoge eval textcraft --polices base', /unknown option/],
    ['agoge eval textcarft --policy base', /textcarft/],
    ['agoge eval textcraft --policy bsae', /bsae/],
    ['agoge train recipes/textcraft-grpo.yaml rollout.gropus=4', /gropus/],
    ['agoge train recipes/textcraft-gpro.yaml', /textcraft-gpro/],
    ['agoge sft recipes/textcraft-smollm2-sft.yaml --dyr-run', /unknown option/],
    ['agoge bench engine --shaps xs', /unknown option/],
    ['agoge serve --modell', /serve has no --modell/],
    ['agoge tarin x.yaml', /unknown command/],
    ['wget http://127.0.0.1:36001/', /neither run nor listed/],
  ])('finds what is wrong: %s', async (command, why) => {
    expect(await failure(command)).toMatch(why);
  });

  it('has few that it does not run', () => {
    const left = [...seen].filter((command) => reasonNotToDo(command) !== undefined);
    expect(seen.size - left.length).toBeGreaterThan(100);
    expect(left.length / seen.size).toBeLessThan(0.22);
  });
});

it('pages in two languages show the same commands', () => {
  const translated = pages().filter((page) => page.endsWith('.zh-CN.md'));
  expect(translated.length).toBeGreaterThan(0);
  for (const page of translated) {
    const original = page.replace('.zh-CN.md', '.md');
    const list = (name: string): string[] => commandsOf(name).map(({ command }) => command);
    expect(list(page), page).toEqual(list(original));
    const depth = (name: string): string[] =>
      Array.from(readFileSync(join(root, name), 'utf8').matchAll(/^(#+) /gm), ([, marks = '']) => marks);
    expect(depth(page), page).toEqual(depth(original));
  }
});

it('the table of goals is what bench/summary.ts writes', () => {
  const page = readFileSync(join(root, 'docs/results.md'), 'utf8');
  expect(withSummary(page)).toBe(page);
});
