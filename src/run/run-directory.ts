/**
 * One run's directory as its trainer holds it: created fresh or opened to resume, with one owner at a time. Everything that
 * is written goes through here; what a kill left half-done is cleared when it is opened again.
 */
import { appendFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { Checkpoints } from './checkpoints.ts';
import { EpisodeFiles } from './episode-files.ts';
import { removeHidden, writeWhole } from './files.ts';
import { keepInside, readInside } from './inside.ts';
import { layout, type RunInfo, type RunKind } from './layout.ts';
import { MetricsLog } from './metrics-log.ts';

export interface NewRun {
  readonly name: string;
  readonly kind: RunKind;
  readonly title: string;
  readonly seed: number;
  readonly steps: number | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly environments: Readonly<Record<string, string>>;
}

export class RunDirectory {
  readonly checkpoints: Checkpoints;
  readonly metrics: MetricsLog;
  readonly episodes: EpisodeFiles;
  private readonly log: string;

  private constructor(
    readonly path: string,
    private current: RunInfo,
  ) {
    this.checkpoints = new Checkpoints(path);
    this.metrics = new MetricsLog(path);
    this.episodes = new EpisodeFiles(path);
    this.log = join(path, layout.logs, `train_${stamp(new Date())}.log`);
  }

  get info(): RunInfo {
    return this.current;
  }

  /** A new run; throws RUN_EXISTS where there is one already. */
  static async create(path: string, config: string, run: NewRun): Promise<RunDirectory> {
    // A run that failed before its first step has nothing to lose: the corrected recipe may take its place.
    const before = (await exists(join(path, layout.info))) ? await readRunInfo(path) : undefined;
    if (before && !(before.status === 'failed' && before.step === 0)) {
      throw new AgogeError(
        'RUN_EXISTS',
        `${path} holds a run already: go on with it by --resume ${path}, or choose another name by run=<name>`,
      );
    }
    await stayInside(path);
    await mkdir(join(path, layout.logs), { recursive: true });
    const now = new Date().toISOString();
    const info: RunInfo = {
      ...run,
      status: 'running',
      step: 0,
      startedAt: now,
      updatedAt: now,
      pid: process.pid,
      resumes: [],
      episodes: 0,
      tokens: 0,
    };
    const directory = new RunDirectory(path, info);
    await writeWhole(join(path, layout.config), config);
    await directory.update({});
    return directory;
  }

  /** An existing run, cut back to its latest checkpoint (step 0 where there is none yet). */
  static async resume(path: string): Promise<{ directory: RunDirectory; step: number }> {
    const info = await readRunInfo(path);
    if (info.status === 'running' && info.pid !== process.pid && alive(info.pid)) {
      throw new AgogeError('RUN_BUSY', `${path} is being trained by process ${info.pid}: wait for it or end it first`);
    }
    await stayInside(path);
    await mkdir(join(path, layout.logs), { recursive: true });
    await removeHidden(path);
    const directory = new RunDirectory(path, info);
    const step = (await directory.checkpoints.latest()) ?? 0;
    await directory.checkpoints.cutAfter(step);
    await directory.metrics.cutAfter(step);
    await directory.episodes.cutAfter(step);
    await directory.update({
      status: 'running',
      reason: undefined,
      best: await directory.checkpoints.best(),
      step,
      pid: process.pid,
      resumes: [...info.resumes, { at: new Date().toISOString(), fromStep: step }],
    });
    return { directory, step };
  }

  /** Rewrites run.json with what changed. */
  async update(change: Partial<RunInfo>): Promise<void> {
    this.current = { ...this.current, ...change, updatedAt: new Date().toISOString() };
    await writeWhole(join(this.path, layout.info), `${JSON.stringify(this.current, null, 2)}\n`, {
      flush: change.status !== undefined,
    });
  }

  /** The recipe as it was resolved when the run started. */
  async config(): Promise<string> {
    return (await readInside(this.path, layout.config, mostBytes)) ?? '';
  }

  /** A line for people, with the time before it. */
  async note(line: string): Promise<void> {
    await appendFile(this.log, `${new Date().toISOString().slice(0, 19).replace('T', ' ')} ${line}\n`);
  }
}

export async function readRunInfo(path: string): Promise<RunInfo> {
  try {
    return JSON.parse((await readInside(path, layout.info, mostBytes)) ?? '') as RunInfo;
  } catch (thrown) {
    throw new AgogeError(
      'RUN_NOT_FOUND',
      `${path} holds no run (no ${layout.info}): give the folder of a run, such as outputs/textcraft-grpo`,
      {
        cause: thrown,
      },
    );
  }
}

/** Bytes of the recipe or of run.json. */
const mostBytes = 4 << 20;

/** What the trainer writes stays in the run's folder: a link below it that leads out is refused before the first byte. */
async function stayInside(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await keepInside(path, Object.values(layout));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** 20261115_142501 */
function stamp(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '').replace('T', '_');
}
