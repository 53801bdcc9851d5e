/**
 * One run's directory as its trainer holds it: created fresh or opened to resume, with one owner at a time. Everything that
 * is written goes through here; what a kill left half-done is cleared when it is opened again.
 */
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { printable } from '../core/printable.ts';
import { Checkpoints } from './checkpoints.ts';
import { EpisodeFiles } from './episode-files.ts';
import { removeHidden, writeInto, writeWhole } from './files.ts';
import { keepInside, readInside } from './inside.ts';
import { layout, type RunInfo, type RunKind } from './layout.ts';
import { MetricsLog } from './metrics-log.ts';
import { folderVersion } from './version.ts';
import { takeFolder, type Ownership } from './ownership.ts';
import { holdsRun, mostBytes, readRunInfo } from './run-info.ts';
import { makeFolder } from '../core/make-folder.ts';

/** What is known of a run before it begins. */
export interface NewRun {
  readonly name: string;
  readonly kind: RunKind;
  readonly title: string;
  readonly seed: number;
  readonly steps: number | null;
  readonly versions: Readonly<Record<string, string>>;
  readonly environments: Readonly<Record<string, string>>;
  readonly formats?: RunInfo['formats'];
}

/** A run's folder while its trainer holds it. */
export class RunDirectory {
  readonly checkpoints: Checkpoints;
  readonly metrics: MetricsLog;
  readonly episodes: EpisodeFiles;
  private readonly log: string;
  private begun = false;
  private changedConfig: string | undefined;

  private constructor(
    readonly path: string,
    private current: RunInfo,
    private readonly owner: Ownership,
    /** Where a resumed run goes on; undefined for a new one. Nothing of it is touched before `begin`. */
    private readonly resumed?: { readonly step: number; readonly cut: number },
  ) {
    this.checkpoints = new Checkpoints(path);
    this.metrics = new MetricsLog(path);
    this.episodes = new EpisodeFiles(path);
    this.log = join(path, layout.logs, `train_${stamp(new Date())}.log`);
  }

  get info(): RunInfo {
    return this.current;
  }

  /** A new run; throws RUN_EXISTS where there is one already, RUN_BUSY where another process is making one. */
  static async create(path: string, config: string, run: NewRun): Promise<RunDirectory> {
    if (await holdsRun(path)) throw exists(path);
    const owner = await takeFolder(path);
    if (await holdsRun(path)) {
      await owner.release();
      throw exists(path);
    }
    await stayInside(path);
    await removeHidden(path);
    const now = new Date().toISOString();
    const info: RunInfo = {
      v: folderVersion,
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
    const directory = new RunDirectory(path, info, owner);
    // One that failed before its first checkpoint is no run: what it wrote is not counted with this one's.
    await directory.metrics.cutAfter(-1);
    await directory.episodes.cutAfter(-1);
    await writeWhole(join(path, layout.config), config);
    await directory.update({});
    return directory;
  }

  /** An existing run, to go on from its latest checkpoint (step 0 where there is none yet). `begin` cuts it back to there. */
  static async resume(path: string): Promise<{ directory: RunDirectory; step: number }> {
    const info = await readRunInfo(path);
    await stayInside(path);
    const owner = await takeFolder(path);
    const latest = await new Checkpoints(path).latest();
    const step = latest ?? 0;
    // Without a checkpoint all of it is played again, the evaluation before the first step too.
    return { directory: new RunDirectory(path, info, owner, { step, cut: latest ?? -1 }), step };
  }

  /** The recipe that a resumed run goes on with; kept when it begins. */
  changeConfig(config: string): void {
    this.changedConfig = config;
  }

  /** From here on the run is running: its parts are open and its checkpoint is loaded. Clears what comes after that checkpoint. */
  async begin(change: Partial<RunInfo>): Promise<void> {
    if (!this.resumed) return this.update(change);
    const { step, cut } = this.resumed;
    await removeHidden(this.path);
    await this.checkpoints.cutAfter(cut);
    await this.metrics.cutAfter(cut);
    await this.episodes.cutAfter(cut);
    if (this.changedConfig !== undefined) await writeWhole(join(this.path, layout.config), this.changedConfig);
    await this.update({
      v: folderVersion,
      ...change,
      status: 'running',
      reason: undefined,
      cause: undefined,
      best: await this.checkpoints.best(),
      step,
      pid: process.pid,
      resumes: [...this.current.resumes, { at: new Date().toISOString(), fromStep: step }],
    });
    this.begun = true;
  }

  /** The run has failed. One that was over and could not be opened again stays what it was. */
  async fail({ code, message }: AgogeError): Promise<void> {
    if (this.resumed && !this.begun && this.current.status !== 'running') await this.owner.release();
    else await this.update({ status: 'failed', reason: message, cause: { kind: 'error', code } });
  }

  /** The run was asked to end and stands after a step. One that had not begun again stays what it was. */
  async interrupt(step: number): Promise<void> {
    if (this.resumed && !this.begun && this.current.status !== 'running') await this.owner.release();
    else await this.update({ status: 'interrupted', reason: 'interrupted', step });
  }

  /** Removes what the evaluation after a step has left: it is played again. */
  async forgetEvaluation(step: number): Promise<void> {
    await this.metrics.dropEvaluation(step);
    await this.episodes.dropEvaluation(step);
  }

  /** Rewrites run.json with what changed. A run that has ended has no owner any more. */
  async update(change: Partial<RunInfo>): Promise<void> {
    this.current = { ...this.current, ...change, updatedAt: new Date().toISOString() };
    await writeInto(join(this.path, layout.info), `${JSON.stringify(this.current, null, 2)}\n`, {
      flush: change.status !== undefined,
    });
    if (change.status !== undefined && change.status !== 'running') await this.owner.release();
  }

  /** The recipe as it was resolved when the run started. */
  async config(): Promise<string> {
    return (await readInside(this.path, layout.config, mostBytes)) ?? '';
  }

  /** A line for people, with the time before it. */
  async note(line: string): Promise<void> {
    // A copy of a run may lack it, and something is said before the run begins.
    await mkdir(join(this.path, layout.logs), { recursive: true });
    await appendFile(this.log, `${new Date().toISOString().slice(0, 19).replace('T', ' ')} ${printable(line)}\n`);
  }
}

/** What the trainer writes stays in the run's folder: a link below it that leads out is refused before the first byte. */
async function stayInside(path: string): Promise<void> {
  await makeFolder(path);
  await keepInside(path, Object.values(layout));
}

function exists(path: string): AgogeError {
  return new AgogeError(
    'RUN_EXISTS',
    `${path} holds a run already: go on with it by --resume ${path}, or choose another name by run=<name>`,
  );
}

/** 20261115_142501 */
function stamp(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '').replace('T', '_');
}
