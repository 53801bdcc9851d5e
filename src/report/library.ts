/**
 * All runs below one folder, read as they are: complete, half-written, truncated or of an older version. What cannot be
 * read is named in `problems`, the rest is shown. Nothing is loaded whole; caches are bounded by the number of runs kept.
 */
import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AgogeError } from '../core/error.ts';
import type { EpisodePage, EpisodeQuery, EpisodeView, MetricTable, RunDetail, RunSummary } from './model.ts';
import { EpisodeShelf } from './episode-shelf.ts';
import { evaluationLines, readEvaluations, withIntervals } from './evaluations.ts';
import { MetricColumns } from './metric-columns.ts';
import { firstLine, readRunFiles } from './run-files.ts';
import { scoresSoFar } from './running-evaluation.ts';
import { evaluationLayout, layout } from '../run/layout.ts';
import { readLimits, type ReadLimits } from '../run/file-lines.ts';
import { namesInside, tailInside } from '../run/inside.ts';
import { Decoder } from './decoder.ts';

/** Runs whose metrics and episode lists are kept in memory. */
const keptRuns = 8;
const deepest = 4;
/** Runs that are listed. */
const mostRuns = 5000;
const mainCurves = ['train/success', 'critic/score/mean', 'train/loss'];

export class RunLibrary {
  private readonly opened = new Map<string, OpenedRun>();

  private readonly root: string;
  /** A root that is itself a run is listed by the name of its folder, so that links are the same as from the folder above. */
  private readonly name: string;

  constructor(
    root: string,
    private readonly limits: ReadLimits = readLimits,
  ) {
    this.root = resolve(root);
    this.name = basename(this.root) || '.';
  }

  /** The folder of a run, or of all runs for ''; refuses to leave the root. */
  folder(id: string): string {
    const path = id === this.name && !existsSync(join(this.root, id)) ? this.root : resolve(this.root, id);
    const inside = relative(this.root, path);
    if (id.includes('\0') || isAbsolute(id) || inside.startsWith('..') || isAbsolute(inside)) {
      throw new AgogeError('REPORT_OUTSIDE', 'that is outside the folder that is shown: choose a run from the list');
    }
    return path;
  }

  /** Every run, the newest first. */
  async list(): Promise<readonly RunSummary[]> {
    const ids = (await this.find('', 0)).slice(0, mostRuns);
    const runs = await Promise.all(ids.map((id) => this.summary(id)));
    return runs.sort((a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''));
  }

  async detail(id: string): Promise<RunDetail> {
    const folder = await this.existing(id);
    const [summary, files] = await Promise.all([this.summary(id), readRunFiles(folder)]);
    const { problems: episodeProblems, steps, size } = await this.open(id).shelf.overview();
    const { evaluations, problems } = await readEvaluations(folder);
    const unfinished = files.kind === 'eval' && files.status !== 'finished';
    const soFar = unfinished ? await scoresSoFar(this.open(id).shelf.listed()) : [];
    return {
      ...summary,
      problems: [...summary.problems, ...episodeProblems, ...problems],
      config: files.config,
      facts: files.facts,
      checkpoints: files.checkpoints,
      evaluations: [...soFar, ...evaluations],
      episodes: size,
      episodeSteps: steps,
    };
  }

  async metrics(id: string): Promise<MetricTable> {
    const folder = await this.existing(id);
    const { metrics } = this.open(id);
    await metrics.catchUp(folder).catch(() => undefined); // What is wrong with the file is among the run's problems.
    return withIntervals(metrics.table(), await evaluationLines(folder));
  }

  async log(id: string): Promise<string> {
    const folder = await this.existing(id);
    const last = (await namesInside(folder, layout.logs)).findLast((name) => name.endsWith('.log'));
    return last === undefined ? '' : await tailInside(folder, join(layout.logs, last), 256 * 1024).catch(firstLine);
  }

  async episodes(id: string, query: EpisodeQuery): Promise<EpisodePage> {
    await this.existing(id);
    return this.open(id).shelf.search(query);
  }

  async episode(id: string, place: string): Promise<EpisodeView> {
    await this.existing(id);
    return this.open(id).shelf.episode(place);
  }

  private async summary(id: string): Promise<RunSummary> {
    const folder = this.folder(id);
    const files = await readRunFiles(folder);
    const problems = [...files.problems];
    const tail = await tailInside(folder, layout.metrics, 256 * 1024).catch((thrown: unknown) => {
      problems.push(`${layout.metrics} cannot be read: ${firstLine(thrown)}`);
      return '';
    });
    const recent = new MetricColumns();
    for (const line of tail.split('\n')) recent.addLine(line);
    const { steps, columns } = recent.table();
    const curve = mainCurves
      .map((name) => columns[name]?.filter((value) => value !== null))
      .find((values) => values && values.length > 0);
    const success = columns['train/success']?.findLast((value) => value !== null) ?? files.success;
    const step = steps.at(-1);
    return {
      id: folder === this.root ? this.name : id,
      kind: files.kind,
      status: files.status,
      recipe: files.recipe,
      problems,
      sparkline: (curve ?? []).slice(-60),
      ...(files.startedAt !== undefined && { startedAt: files.startedAt }),
      ...(files.updatedAt !== undefined && { updatedAt: files.updatedAt }),
      ...(step !== undefined && { step }),
      ...(files.steps !== undefined && { steps: files.steps }),
      ...(success !== undefined && { success }),
    };
  }

  private open(id: string): OpenedRun {
    const known = this.opened.get(id);
    this.opened.delete(id);
    const run = known ?? {
      metrics: new MetricColumns(),
      shelf: new EpisodeShelf(this.folder(id), new Decoder(this.folder(id)), this.limits),
    };
    this.opened.set(id, run);
    const oldest = this.opened.keys().next().value;
    if (this.opened.size > keptRuns && oldest !== undefined) this.opened.delete(oldest);
    return run;
  }

  /** The run's folder with links resolved; a link that leads out of the root is refused like a path that does. */
  private async existing(id: string): Promise<string> {
    const path = this.folder(id);
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || !(await isRun(path)))
      throw new AgogeError('REPORT_NO_RUN', `there is no run "${id === '.' ? this.name : id}" here: choose one from the list`);
    const inside = relative(await realpath(this.root), real);
    if (inside.startsWith('..') || isAbsolute(inside)) {
      throw new AgogeError(
        'REPORT_OUTSIDE',
        `"${id}" is a link out of the folder that is shown: open its target by its own path`,
      );
    }
    return path;
  }

  private async find(below: string, depth: number): Promise<string[]> {
    const folder = this.folder(below);
    if (await isRun(folder)) return [below === '' ? this.name : below];
    if (depth === deepest) return [];
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const deeper = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    const found = await Promise.all(
      deeper.map((entry) => this.find(below === '' ? entry.name : `${below}/${entry.name}`, depth + 1)),
    );
    return found.flat().map((id) => id.split(sep).join('/'));
  }
}

interface OpenedRun {
  readonly metrics: MetricColumns;
  readonly shelf: EpisodeShelf;
}

/** A folder is a run when it has any of the files a run or an evaluation starts with. */
async function isRun(folder: string): Promise<boolean> {
  const has = async (name: string): Promise<boolean> => (await stat(join(folder, name)).catch(() => undefined)) !== undefined;
  return (
    (await has('run.json')) ||
    (await has('config.yaml')) ||
    (await has(evaluationLayout.results)) ||
    (await has(evaluationLayout.status)) ||
    (await has('metrics/training_metrics.jsonl'))
  );
}
