/** What servers, endpoints, recipes and data files say reaches the terminal and the logs as text: no command to a terminal gets through. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const cli = process.env['AGOGE_CLI'] ?? fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const evil = '\u001b[2J\u001b]0;owned\u0007\u009b31m\rEVIL';
// eslint-disable-next-line no-control-regex -- what must not be there
const commands = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
let folder: string;
const closers: (() => void)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agoge-escapes-'));
});
afterAll(async () => {
  for (const close of closers) close();
  await rm(folder, { recursive: true, force: true });
});

function agoge(args: readonly string[], input = ''): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, ...args], { cwd: folder });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('close', (status) => resolve({ status, output }));
    child.stdin.end(input);
  });
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** A gym that speaks /v1 and puts commands wherever text may stand. */
function hostileGym(): Promise<string> {
  const action = { name: 'go', template: `go ${evil}`, description: evil, parameters: {} };
  const instructions = { task: `Go. ${evil}`, actions: [action] };
  const view = { actions: [`go ${evil}`], state: { observation: evil } };
  return serve((request, response) => {
    const path = request.url ?? '';
    let answer: unknown = { closed: true };
    if (path === '/v1') {
      const splits = [{ name: 'test', size: 2 }];
      answer = { protocol: 'agoge-gym/1', environments: [{ name: 'textcraft', version: evil, splits, instructions }] };
    } else if (path.includes('/tasks')) {
      const tasks = [0, 1].map((index) => ({
        index,
        category: `${evil}${String(index)}`,
        itemId: `${evil}_${String(index)}`,
        title: evil,
      }));
      answer = { env: 'textcraft', split: 'test', size: 2, offset: 0, tasks };
    } else if (path === '/v1/sessions') answer = { session: 1, observation: evil, ...view, idleSeconds: 60 };
    else if (path.endsWith('/steps')) {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { sequence, action } = JSON.parse(body) as { sequence: number; action: string };
        const broken = { error: { code: 'GYM_BROKEN', message: evil } };
        const step = { sequence, observation: evil, reward: 1, done: sequence > 1, ...view };
        response.writeHead(action === 'break' ? 409 : 200).end(JSON.stringify(action === 'break' ? broken : step));
      });
      return;
    }
    response.end(JSON.stringify(answer));
  });
}

describe('text of others', () => {
  it('is played, scored, logged and complained about without commands to the terminal', async () => {
    const url = await hostileGym();
    const played = await agoge(['play', `textcraft@${url}`, '--task', '0', '--split', 'test'], ':actions\n:goal\ngo\nbreak\n');
    expect(played.output).toContain('\\x1b[2J');
    const scored = await agoge(['eval', `textcraft@${url}`, '--policy', 'random', '--out', 'scores']);
    expect([scored.status, scored.output]).toEqual([0, expect.stringContaining('EVIL')]);
    const machine = await agoge(['eval', `textcraft@${url}`, '--policy', 'random', '--out', 'scores', '--json']);
    expect(machine.output).toContain('\\u009b31m');
    for (const { output } of [played, scored, machine]) expect(output).not.toMatch(commands);
    for (const name of await readdir(join(folder, 'scores/logs')))
      expect(await readFile(join(folder, 'scores/logs', name), 'utf8')).not.toMatch(commands);
  });

  it('of endpoints, recipes and data files does not either', async () => {
    const endpoint = await serve((_, response) => void response.writeHead(400).end(evil));
    await writeFile(join(folder, 'evil.yaml'), `run: x\n${JSON.stringify(`key${evil}`)}: 1\n`);
    await writeFile(join(folder, 'broken.yaml'), `run: [${evil}\n`);
    const message = { from: 'human', loss: null, value: evil };
    await writeFile(join(folder, 'evil.json'), JSON.stringify([{ conversations: [message], item_id: `textcraft_${evil}` }]));
    for (const args of [
      ['eval', 'textcraft', '--policy', `openai:m@${endpoint}/v1`, '--tasks', '0', '--out', 'failed'],
      ['train', 'evil.yaml'],
      ['train', 'broken.yaml'],
      ['data', 'inspect', 'evil.json'],
      ['data', 'validate', 'evil.json'],
      ['eval', `textcraft@${endpoint}`],
    ]) {
      const { output } = await agoge(args);
      expect(output.length).toBeGreaterThan(10);
      expect(`${args.join(' ')}: ${output}`).not.toMatch(commands);
    }
  });
});
