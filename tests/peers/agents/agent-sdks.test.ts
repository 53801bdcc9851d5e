/**
 * Agents of other SDKs as they are shipped, with their tool, played and trained by the embedded engine: LangChain.js and OpenAI's Agents
 * SDK for JS (the AI SDK's is in tests/examples/agents.test.ts). The SDKs are large, so they are installed here and not by `npm ci`.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEpisodes } from '../../../src/run/episode-files.ts';
import { parseEpisodeRecord } from '../../../src/run/episode-record.ts';
import { episodesFile } from '../../../src/run/layout.ts';
import { installedPackages } from '../npm.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'agoge-agents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sdks = installedPackages('agents');
if (sdks === undefined) console.log('skipped: no package registry gives the SDKs');

function run(program: string, ...args: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

describe.skipIf(sdks === undefined)('agents of other SDKs', () => {
  beforeAll(() => {
    for (const name of ['boxes', 'langchain-agent', 'openai-agent'])
      copyFileSync(join(root, `examples/${name}.ts`), join(folder, `${name}.ts`));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const modules = join(folder, 'node_modules');
    mkdirSync(modules);
    const there = join(sdks ?? '', 'node_modules');
    for (const name of readdirSync(there)) if (!name.startsWith('.')) symlinkSync(join(there, name), join(modules, name));
    symlinkSync(root, join(modules, 'agoge'));
  });

  it('the examples are type-checked', () => {
    const options = { extends: join(root, 'tsconfig.json'), compilerOptions: { types: [] }, include: ['*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    expect(run('node_modules/typescript-7/bin/tsc', '--noEmit', '-p', folder)).toEqual({ status: 0, text: '' });
  });

  it.each(['langchain-agent', 'openai-agent'])('%s: its expert solves it, and a policy plays and learns', async (name) => {
    const out = join(folder, `eval-${name}`);
    const short = ['--tasks', '0-3', '--max-turns', '3', '--max-tokens', '16', '--no-view', '-o', out];
    const players = ['--policy', 'expert', '--policy', 'base'];
    const played = run('dist/cli/main.js', 'eval', `./${name}.ts`, '--split', 'test', ...players, ...short);
    expect(played.text).toMatch(/expert +1\.000/);
    expect(played.text).toMatch(/base +0\.\d{3}/);
    const file = join(folder, `${name}.yaml`);
    const task = `{ env: ./${name}.ts, split: train }`;
    writeFileSync(file, `run: ${name}\npolicy: base\ntasks: [${task}]\nagent: { max_turns: 3, tokens_per_turn: 8 }\nsteps: 1\n`);
    const small = [
      'rollout.groups=2',
      'rollout.samples=2',
      'evaluate.every=0',
      'evaluate.at_start=false',
      'evaluate.at_end=false',
    ];
    rmSync(join(folder, 'outputs', name), { recursive: true, force: true }); // of a first try
    const trained = run('dist/cli/main.js', 'train', file, ...small, 'engine.threads=1', '--no-view');
    expect(trained.status, trained.text).toBe(0);
    const lines = await readEpisodes(episodesFile(join(folder, 'outputs', name), 1));
    const episodes = lines.map((line) => parseEpisodeRecord(line).trajectory);
    expect(episodes.map(({ outcome }) => outcome.kind)).not.toContain('failed');
    const sampled = episodes.flatMap(({ segments }) => segments.filter((one) => one.role === 'assistant'));
    expect(sampled.length).toBeGreaterThanOrEqual(4);
    for (const { tokens, logprobs } of sampled) expect([logprobs.length, tokens.length > 0]).toEqual([tokens.length, true]);
  });

  it.each(['openai', 'langchain'])('what `agoge new agent --sdk %s` writes is solved by its expert', (sdk) => {
    const name = `new-${sdk}`;
    rmSync(join(folder, name), { recursive: true, force: true }); // of a first try
    expect(run('dist/cli/main.js', 'new', 'agent', name, '--sdk', sdk).status).toBe(0);
    const played = run('dist/cli/main.js', 'eval', `./${name}/env.ts`, '--policy', 'expert', '--tasks', '0-3', '--no-view');
    expect(played.text).toMatch(/expert +1\.000/);
  });
});
