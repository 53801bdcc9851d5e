/** What must hold after chaos, as checks that are printed and decide the exit code. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readPacked, type EvaluationEpisode } from '../eval/store.ts';
import { Checkpoints } from '../run/checkpoints.ts';
import { readEpisodes } from '../run/episode-files.ts';
import { parseEpisodeRecord, type EpisodeRecord } from '../run/episode-record.ts';
import { namesIn } from '../run/files.ts';
import { evaluationLayout, layout } from '../run/layout.ts';
import { readMetrics } from '../run/metrics-log.ts';
import type { SuperviseResult } from './supervise.ts';

export interface Check {
  readonly name: string;
  readonly holds: boolean;
  readonly detail: string;
}

/** Of every command: it ended well, and each process that ended by itself had closed what it opened. */
export function endChecks({ starts, completed, ledger }: SuperviseResult): Check[] {
  const ends = ledger.flatMap((line) => ('events' in line ? [line] : []));
  const left = ends.reduce((sum, { opened, closed }) => sum + opened - closed, 0);
  const opened = ends.reduce((sum, line) => sum + line.opened, 0);
  return [
    {
      name: 'the work is complete',
      holds: completed,
      detail: `${starts.length} ${starts.length === 1 ? 'start' : 'starts'}, the last ended with ${starts.at(-1)?.code ?? 'a signal'}`,
    },
    { name: 'no session is left', holds: left === 0, detail: `${opened} opened, ${opened - left} closed` },
  ];
}

/** Of a server: it is over when its owner says so, and not before. */
export function serverChecks(result: SuperviseResult): Check[] {
  const [work, ...others] = endChecks(result);
  return work ? [{ ...work, name: 'the server comes back until it is ended' }, ...others] : others;
}

export async function evaluationChecks(folder: string, quiet: string): Promise<Check[]> {
  const [mine, twin] = await Promise.all([folder, quiet].map((each) => readPacked(join(each, evaluationLayout.episodes))));
  const keyOf = ({ panel, identity, record }: EvaluationEpisode): string =>
    [panel, identity, record.task, record.sample, record.seed].join(' ');
  return episodeChecks(
    (mine ?? []).map((episode) => [keyOf(episode), episode.record]),
    (twin ?? []).map((episode) => [keyOf(episode), episode.record]),
  );
}

type Keyed = readonly [key: string, record: EpisodeRecord];

/** None lost, none twice, and each one played as without faults. */
export function episodeChecks(mine: readonly Keyed[], twin: readonly Keyed[]): Check[] {
  const seen = new Map<string, EpisodeRecord>();
  let twice = 0;
  for (const [key, record] of mine) {
    if (seen.has(key)) twice++;
    seen.set(key, record);
  }
  const lost = twin.filter(([key]) => (seen.get(key)?.outcome.kind ?? 'failed') === 'failed').length;
  const others = twin.filter(([key, record]) => {
    const found = seen.get(key);
    return found !== undefined && found.outcome.kind !== 'failed' && playOf(found) !== playOf(record);
  });
  const [first] = others;
  return [
    { name: 'no episode is lost', holds: lost === 0 && twin.length > 0, detail: `${twin.length - lost} of ${twin.length}` },
    {
      name: 'none is counted twice',
      holds: twice === 0 && mine.length <= twin.length,
      detail: `${mine.length} kept, ${twice} twice`,
    },
    {
      name: 'scores equal those without faults',
      holds: others.length === 0,
      detail: first
        ? `${others.length} of ${twin.length} differ, the first is ${first[1].task}; only what repeats by itself can be compared (a policy on an endpoint: -t 0)`
        : `${twin.length - lost} episodes equal in every reply, observation and reward`,
    },
  ];
}

/** What was said and paid, without times. */
function playOf({ outcome, turns, segments }: EpisodeRecord): string {
  const said = turns.map(({ reply, observation, reward, done }) => [reply, observation, reward, done]);
  const tokens = segments.map((segment) => segment.tokens);
  return JSON.stringify([outcome, said, tokens]);
}

export async function runChecks(folder: string, quiet: string, staleness: number): Promise<Check[]> {
  const [mine, twin] = await Promise.all([episodesOf(folder), episodesOf(quiet)]);
  const checks = twin.length > 0 ? episodeChecks(mine, twin) : [];
  const [weights, metrics] = await Promise.all([weightChecks(folder, quiet), metricsCheck(folder, quiet)]);
  if (staleness === 0) return [...checks, weights, metrics];
  return checks.filter(({ name }) => !name.startsWith('scores')); // sampling ahead of learning is not repeatable
}

async function episodesOf(folder: string): Promise<Keyed[]> {
  const at = join(folder, layout.episodes);
  const keyed: Keyed[] = [];
  for (const name of (await namesIn(at)).filter((each) => each.endsWith('.jsonl.gz'))) {
    for (const value of await readEpisodes(join(at, name))) {
      const { record } = parseEpisodeRecord(value);
      keyed.push([[name, record.task, record.sample, record.seed].join(' '), record]);
    }
  }
  return keyed;
}

async function weightChecks(folder: string, quiet: string): Promise<Check> {
  const name = 'weights are equal bit by bit';
  const [last, wanted] = await Promise.all([new Checkpoints(folder).latest(), new Checkpoints(quiet).latest()]);
  if (last === undefined || last !== wanted)
    return { name, holds: false, detail: `the last checkpoint is of step ${last ?? 'none'}, without faults ${wanted ?? 'none'}` };
  const [mine, twin] = await Promise.all([folder, quiet].map((each) => hashes(new Checkpoints(each).path(last))));
  const differing = Object.keys({ ...mine, ...twin }).filter((file) => mine?.[file] !== twin?.[file]);
  const files = Object.keys(twin ?? {}).length;
  return {
    name,
    holds: differing.length === 0 && files > 0,
    detail:
      differing.length > 0 ? `other bytes in ${differing.join(', ')}` : `${files} files of the checkpoint after step ${last}`,
  };
}

/** SHA-256 of the files that hold weights, moments and words; the trainer's own state has times in it. */
async function hashes(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === layout.trainerState) continue;
    const path = join(entry.parentPath, entry.name);
    const name = entry.parentPath === folder ? entry.name : join(basename(entry.parentPath), entry.name);
    found[name] = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  }
  return found;
}

/** Numbers that depend on time, memory or on how often something was tried again. */
const incidental = /^(perf|timing)|timing_|retr|fail|lost|num_gen_batches|tokens_per_second|seconds|elapsed|progress/;

async function metricsCheck(folder: string, quiet: string): Promise<Check> {
  const name = 'metrics are equal';
  const [mine, twin] = await Promise.all([folder, quiet].map((each) => readMetrics(each)));
  const plain = (lines: typeof mine): string[] =>
    (lines ?? []).map(({ step, data }) => JSON.stringify([step, Object.entries(data).filter(([key]) => !incidental.test(key))]));
  const [a, b] = [plain(mine), plain(twin)];
  const differing = b.filter((line, at) => a[at] !== line).length + Math.max(0, a.length - b.length);
  return { name, holds: differing === 0 && b.length > 0, detail: `${b.length - differing} of ${b.length} lines` };
}

/** Files whose bytes do not depend on time. */
export async function fileCheck(path: string, quiet: string): Promise<Check> {
  const [mine, twin] = await Promise.all([path, quiet].map((each) => readFile(each).catch(() => undefined)));
  return {
    name: 'no row is lost, doubled or changed',
    holds: mine !== undefined && twin !== undefined && mine.equals(twin),
    detail: `${mine?.length ?? 0} bytes, ${twin?.length ?? 0} without faults`,
  };
}
