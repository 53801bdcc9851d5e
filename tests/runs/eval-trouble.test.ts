/** Evaluation in trouble: a server that is killed, an endpoint that misbehaves, Ctrl-C, a disk that is full. Nothing is lost or made up. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agoge, answer, chat, cli, episodes, folder, mortal, pause, results, serve, start } from './evaluations.ts';

describe('agoge eval', () => {
  it('a server that is killed in mid-run and started again leaves the scores of a clean run', async () => {
    const common = [
      '--policy',
      'random',
      '--tasks',
      '0-19',
      '--samples',
      '4',
      '--split',
      'generated-short-test',
      '--concurrency',
      '16',
      '--max-turns',
      '12',
      '--server',
      'max_tasks=20',
    ];
    expect(await agoge('eval', 'textcraft', ...common, '--out', 'clean')).toMatchObject({ status: 0 });
    const server = await mortal(300);
    const { ended } = start(['eval', `textcraft@${server.url}`, ...common, '--retries', '12', '--out', 'killed']);
    await server.dead;
    await pause(300);
    await server.revive();
    expect(await ended).toMatchObject({ status: 0 });
    expect(await episodes('killed')).toEqual(await episodes('clean'));
    const [score] = (await results('killed')).scores;
    expect(Object.values(score?.retried ?? {}).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(0);
    // Beside another server, on several processes, the episodes of the dead one move there: nothing is tried again.
    const [dying, living] = [await mortal(150), await serve('textcraft', '--port', '0', '--processes', '2')];
    const both = start(['eval', `textcraft@${dying.url},${living.url}`, ...common, '--retries', '0', '--out', 'moved']);
    const { status, stderr } = await both.ended;
    expect([status, stderr]).toEqual([0, expect.stringContaining(`${dying.url} does not answer`)]);
    expect(await episodes('moved')).toEqual(await episodes('clean'));
  });

  it('a hostile endpoint: episodes fail by type, none becomes a zero, a second run completes it', async () => {
    let hostile = true;
    let count = 0;
    const url = await chat((response) => {
      count++;
      if (!hostile || count % 3 === 0) {
        answer(response, 'inventory');
        return;
      }
      const trouble = [
        () => response.writeHead(429, { 'retry-after': '0' }).end('slow down'),
        () => response.writeHead(500).end('no'),
        () => response.end('{"choices": [{'),
        () => response.destroy(),
        () => response.end('{"choices": []}'),
        () => undefined, // hangs
      ];
      trouble[count % trouble.length]?.();
    });
    const command = [
      'eval',
      'textcraft',
      '--policy',
      `openai:m@${url}`,
      '--format',
      'direct',
      '--tasks',
      '0-9',
      '--max-turns',
      '3',
      '--retries',
      '0',
      '--out',
      'hostile',
    ];
    const broken = await agoge(...command, '--reply-timeout', '2');
    expect(broken.status).toBe(1);
    expect(broken.stderr).toMatch(/run the same command again/);
    // The reason is on screen, not only in the log.
    expect(broken.stderr).toMatch(/textcraft\/test#\d openai:.*: .+ \[(POLICY_ENDPOINT|AGENT_POLICY_DEADLINE)\]/);
    const [partial] = (await results('hostile')).scores;
    expect(partial?.scored).toBeLessThan(10);
    expect(
      Object.keys(partial?.failures ?? {}).every((what) =>
        /^(policy POLICY_ENDPOINT|deadline AGENT_POLICY_DEADLINE)$/.test(what),
      ),
    ).toBe(true);
    hostile = false;
    const before = count;
    expect(await agoge(...command)).toMatchObject({ status: 0 });
    const [whole] = (await results('hostile')).scores;
    expect(whole).toMatchObject({ scored: 10, failures: {} });
    expect(count - before).toBe(3 * (10 - (partial?.scored ?? 0)));
  });

  it('Ctrl-C keeps what is finished, exits 130, and the same command goes on', async () => {
    const url = await chat((response) => void setTimeout(() => answer(response, 'inventory'), 20));
    const command = [
      'eval',
      'textcraft',
      '--policy',
      `openai:m@${url}`,
      '--format',
      'direct',
      '--tasks',
      '0-29',
      '--max-turns',
      '2',
      '--concurrency',
      '4',
      '--out',
      'stopped',
    ];
    const { child, ended } = start(command);
    const journal = join(folder, 'stopped', 'episodes.jsonl');
    while ((await readFile(journal, 'utf8').catch(() => '')).split('\n').length < 4 && child.exitCode === null) await pause(5);
    child.kill('SIGINT');
    const { status, stderr } = await ended;
    expect(status).toBe(130);
    expect(stderr).toMatch(/run the same command again/);
    const kept = (await readFile(journal, 'utf8')).trim().split('\n').length;
    expect(kept).toBeGreaterThan(2);
    const again = await agoge(...command);
    expect(again.status).toBe(0);
    expect(again.stderr).toContain(`30 episodes, ${kept} of them there already`);
  });

  it('a disk that takes no more: says so, marks the evaluation as failed, and goes on when there is room', async () => {
    const args = [
      'eval',
      'textcraft',
      '--policy',
      'random',
      '--split',
      'generated',
      '--tasks',
      '0-299',
      '--max-turns',
      '5',
      '-o',
      'full',
    ];
    const command = `ulimit -f 64; exec "${process.execPath}" "${cli}" ${args.join(' ')}`;
    const { status, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8', cwd: folder });
    expect(stderr).toMatch(/episodes can no longer be written to full; the disk is full/);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(1);
    expect(JSON.parse(await readFile(join(folder, 'full/status.json'), 'utf8'))).toMatchObject({ status: 'failed' });
    const again = await agoge(...args);
    expect(again.stderr).toMatch(/300 episodes, [1-9]\d* of them there already/);
    expect(again.status).toBe(0);
  });
});
