/**
 * From logs to a better agent: 500 conversations of examples/own-agent.ts with an endpoint that is right six times out of ten are logged,
 * imported, imitated and trained on; success on the agent's own held-out tasks before and after.
 *   npx tsx bench/learning/traces.ts [folder]   (a few minutes on two cores)
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from 'agoge';
import { question } from '../../examples/boxes.ts';
import { librarian } from '../../examples/own-agent.ts';
import { inProject } from '../root.ts';

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'agoge-traces-'));
mkdirSync(folder, { recursive: true });
const log = join(folder, 'traces.jsonl');
rmSync(log, { force: true });

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const part of request) text += String(part);
  return JSON.parse(text) as Body;
}

/** Looks and says what it found; now and then it guesses at once, or says something else than it was shown. */
function scripted({ messages }: Body, random: Random): object {
  const asked = messages.find(({ role }) => role === 'user')?.content ?? '';
  const last = messages.at(-1);
  const box = /the (\w+) box/.exec(asked)?.[1] ?? '';
  if (last?.role === 'tool') return { role: 'assistant', content: random.below(10) < 8 ? last.content : 'I could not say.' };
  if (random.below(10) < 2) return { role: 'assistant', content: 'apple' };
  const called = { name: 'look', arguments: JSON.stringify({ box }) };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `call_${random.below(1e9)}`, type: 'function', function: called }],
  };
}

const random = Random.of(1, 'endpoint');
const server = createServer((request, response) => {
  void bodyOf(request).then((body) => {
    const message = scripted(body, random);
    const answer = {
      id: 'x',
      object: 'chat.completion',
      created: 0,
      model: 'scripted',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    };
    appendFileSync(log, `${JSON.stringify({ request: body, response: answer })}\n`);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
const provider = { baseURL, apiKey: 'none', model: 'scripted', signal: new AbortController().signal };
let right = 0;
for (let index = 0; index < 500; index++) {
  const { asked, box, boxes } = question(Random.of(0, 'librarian', 'train', index));
  if ((await librarian(asked, boxes, provider)) === boxes.get(box)) right++;
}
server.close();
console.log(`500 conversations logged, ${right} of them right`);

// What the product knows: the answer must be what the tool showed.
writeFileSync(
  join(folder, 'reward.mjs'),
  'export default ({ turns }) => (turns.at(-1).reply === turns.at(-2)?.observation ? 1 : 0);\n',
);
const place = join(folder, 'librarian');
rmSync(place, { recursive: true, force: true });
agoge(folder, 'data', 'import', log, '--reward', './reward.mjs', '--out', 'librarian');
agoge(place, 'sft', 'sft.yaml', '--no-view');
agoge(place, 'train', 'train.yaml', '--no-view');
const policies = ['base', 'run:outputs/librarian-sft', 'run:outputs/librarian-grpo@best'].flatMap((name) => ['--policy', name]);
const limits = ['--split', 'test', '--max-turns', '3', '--max-tokens', '40', '--no-view'];
agoge(place, 'eval', './env.ts', ...policies, ...limits);
agoge(place, 'eval', inProject('examples/own-agent.ts'), ...policies, ...limits);

function agoge(cwd: string, ...args: string[]): void {
  console.log(`$ agoge ${args.join(' ')}`);
  const { status } = spawnSync(process.execPath, [inProject('dist/cli/main.js'), ...args], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`agoge ${args[0] ?? ''} ended with ${String(status)}`);
}
