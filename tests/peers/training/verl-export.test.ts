/** `agoge export verl` against verl itself: its classes load the adapter and play on a real `agoge serve`, on the CPU, with a stub model. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFormat } from '../../../src/agent/formats/index.ts';
import { rlRecipe } from '../../../src/config/recipe/recipe.ts';
import '../../../src/envs/builtin.ts';
import { loadEnvironment } from '../../../src/envs/registry.ts';
import { startGym, type GymServer } from '../../../src/gym/server/server.ts';
import { exportVerl } from '../../../src/train/rl/verl-export.ts';
import { peersMissing, python } from '../python.ts';

const folder = mkdtempSync(join(tmpdir(), 'agoge-verl-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const missing = peersMissing();
if (missing !== undefined) console.log(`skipped: ${missing}`);
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** verl without its dependencies, and of those what importing its loops takes. */
function install(): boolean {
  const target = (name: string, ...wheels: string[]): void => {
    const args = ['-m', 'pip', 'install', '-q', '--no-deps', '--no-compile', '--target', join(folder, name), ...wheels];
    execFileSync(python, args, { stdio: 'ignore', timeout: 240_000 });
  };
  try {
    target('0.7.1', 'verl==0.7.1');
    target('0.9.1', 'verl==0.9.1');
    target(
      'ray',
      'ray==2.52.1',
      'protobuf==6.33.1',
      'msgpack==1.1.2',
      'jsonschema==4.25.1',
      'jsonschema-specifications==2025.9.1',
    );
    target(
      'ray',
      'referencing==0.37.0',
      'rpds-py==0.29.0',
      'attrs==25.4.0',
      'cachetools==6.2.2',
      'orjson==3.11.4',
      'psutil==7.1.3',
    );
    return true;
  } catch {
    console.log('skipped: verl and ray cannot be fetched here');
    return false;
  }
}

describe.skipIf(missing !== undefined)('agoge export verl', () => {
  let server: GymServer;
  let ready = false;
  beforeAll(async () => {
    ready = install();
    server = await startGym({ environments: [await loadEnvironment('textcraft')] });
  }, 600_000);
  afterAll(() => server.close(0));

  const written = async (verl: string, format: string): Promise<string> => {
    const out = join(folder, `out-${verl}`);
    const recipe = rlRecipe({
      run: 'exported',
      tasks: [{ env: 'textcraft', split: 'train', to: 4 }],
      agent: { format, max_turns: 3 },
      rollout: { groups: 2, samples: 2 },
      algorithm: { clip: [0.2, 0.28] },
      evaluate: { split: 'test', tasks: 2, choose: false },
      steps: 2,
    });
    await exportVerl(recipe, out, { verl, url: server.url, model: 'some/model', rows: 10, gpus: 1, nodes: 1 });
    return out;
  };
  /** Not in this process: the server that answers runs here. */
  const ask = async (mode: string, out: string, wheel: string, replies: readonly string[]): Promise<unknown> => {
    const { spawn } = await import('node:child_process');
    const env = { ...process.env, PYTHONPATH: join(folder, 'ray'), AGOGE_TOKENIZER: here('../../../models/reader') };
    const child = spawn(python, [here('verl_export.py'), mode, out, join(folder, wheel)], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end(JSON.stringify(replies));
    let text = '';
    for await (const part of child.stdout) text += String(part);
    return JSON.parse(text.trim().split('\n').at(-1) ?? '');
  };

  it('reads replies as our formats do', async () => {
    const replies = [
      'Thought:\nhm\n\nAction:\nget 1 oak log',
      'Action: inventory',
      '**Action:** `look`',
      'Action:\n[[ craft 1 x using 1 y ]]',
      'Action:\n\n> go north\nand more',
      'Action: a\nAction: b',
      'Action:',
      'nothing',
      '<think>Action: x</think>\nAction: y',
      '<think>never ends Action: z',
      'I will search[red shoes] now',
      'Action: click[buy [now]]',
      'Action:\n```sql\nselect 1;\nselect 2\n```',
      '```sql\nselect 3\n```',
      'words </think> > inventory',
      '',
      'SEARCH[Blue]',
    ];
    const forms = [
      { name: 'search', template: 'search[{query}]', description: '', parameters: {} },
      { name: 'click', template: 'click[{thing}]', description: '', parameters: {} },
    ];
    const code = `import sys, json; sys.path.insert(0, sys.argv[1]); from agoge_reply import read_reply
print(json.dumps([[read_reply(r, f, b) for r in json.load(open(sys.argv[2]))] for f in ("react", "direct") for b in ((), ("search", "click"))]))`;
    writeFileSync(join(folder, 'replies.json'), JSON.stringify(replies));
    const theirs = JSON.parse(
      execFileSync(python, ['-c', code, here('../../../adapters/verl'), join(folder, 'replies.json')], { encoding: 'utf8' }),
    ) as [string | null, string | null][][];
    const ours = ['react', 'direct'].flatMap((format) =>
      [[], forms].map((actions) =>
        replies.map((reply) => {
          const read = createFormat(format).read(reply, { task: '', actions });
          return read.action === null ? [null, read.problem] : [read.action, null];
        }),
      ),
    );
    expect(theirs).toEqual(ours);
  });

  it('verl 0.7: its registry loads the interaction, which plays and closes its session', async ({ skip }) => {
    skip(!ready, 'verl is not here');
    const out = await written('0.7', 'react');
    const replies = ['Thought:\nhm\n\nAction:\ninventory', 'nothing', 'Action:\nget 1 oak log'];
    expect(await ask('interaction', out, '0.7.1', replies)).toEqual({
      config: { estimator: 'grpo', clip: [0.2, 0.28], n: 2, batch: 2, loop: 'tool_agent' },
      agent: 'tool_agent',
      reward: 0,
      score: 0,
      turns: [
        [false, 'Inventory: You are not carrying anything.', 0],
        [false, expect.stringContaining('There is no "Action:"'), 0],
        [true, expect.any(String), 0],
      ],
    });
    await expect.poll(() => server.counts.open).toBe(0);
  }, 240_000);

  it('verl 0.9: its data set and configuration, and the agent loop with a stub model', async ({ skip }) => {
    skip(!ready, 'verl is not here');
    const out = await written('0.9', 'direct');
    const [entry] = parse(readFileSync(join(out, 'agent_loop.yaml'), 'utf8')) as Record<string, unknown>[];
    expect(stringify(entry)).toContain(server.url);
    const replies = ['inventory', 'get 1 oak log', 'inventory'];
    const answer = (await ask('loop', out, '0.9.1', replies)) as { lengths: number[]; text: string };
    expect(answer).toMatchObject({
      config: { estimator: 'grpo', clip: [0.2, 0.28], n: 2, batch: 2, loop: 'agoge' },
      rows: 4,
      reward: 0,
      turns: 7,
      appends: true,
      sampled: replies.join(''),
    });
    expect(new Set(answer.lengths).size).toBe(1);
    expect(answer.text).toContain('Inventory: You are not carrying anything.');
    await expect.poll(() => server.counts.open).toBe(0);
  }, 240_000);
});
