/**
 * All runs below one folder, read as they are: complete, half-written, truncated or of an older version. What cannot be
 * read is named in `problems`, the rest is shown. Nothing is loaded whole; caches are bounded by the number of runs kept.
 */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AgogeError } from '../../core/error.ts';
import { mean } from '../../learn/rows.ts';
import { mainCharts } from './main-charts.ts';
import { annotate, removeRun } from '../server/annotations.ts';
import { episodeSummary } from './episode-view.ts';
import { readProof } from '../evaluations/proof.ts';
import { taskMatrix } from './task-matrix.ts';
import { differing, settingsOf } from './settings.ts';
import { secondsLeft, Summaries } from './summary.ts';
import type {
  Annotation,
  EpisodePage,
  EpisodeQuery,
  EpisodeSummary,
  EpisodeView,
  Evaluation,
  MetricTable,
  RunDetail,
  RunSummary,
  TaskMatrix,
} from '../model.ts';
import type { RunComparison } from '../together-model.ts';
import { EpisodeShelf } from './episode-shelf.ts';
import { evaluationLines, readEvaluations, withEvaluations } from '../evaluations/evaluations.ts';
import { MetricColumns } from './metric-columns.ts';
import { firstLine, readRunFiles } from './run-files.ts';
import { scoresSoFar } from '../evaluations/running-evaluation.ts';
import { comparePanels, readPlayed } from '../evaluations/compare-panels.ts';
import { worldSettings } from './world-settings.ts';
import { evaluationLayout, layout } from '../../run/layout.ts';
import { readLive, wantLive, type LiveEpisode } from '../../run/live.ts';
import { readLimits, type ReadLimits } from '../../run/file-lines.ts';
import { listing, namesInside, tailInside, type Listing } from '../../run/inside.ts';
import { Decoder } from './decoder.ts';

/** Runs whose metrics and episode lists are kept in memory. */
const keptRuns = 24;
const deepest = 4;
/** Of a run's logs over all its starts, the newest first. */
const logBytes = 512 * 1024;
/** Runs that are listed. */
const mostRuns = 5000;

export class RunLibrary {
  private readonly opened = new Map<string, OpenedRun>();
  private readonly summaries = new Summaries();

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

  /** Is the root itself one run? */
  get isRun(): boolean {
    return holdsRun(listing(this.root));
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
    const runs: RunSummary[] = [];
    for await (const { id, folder } of inTurns(found(listing(this.root), '', 0))) {
      if (runs.length === mostRuns) break;
      runs.push(await this.summaries.of(folder, id === '' ? this.name : id));
    }
    return runs.sort((a, b) => (b.updatedAt ?? '').localeCompare(a.updatedAt ?? ''));
  }

  async detail(id: string): Promise<RunDetail> {
    const folder = await this.existing(id);
    const [summary, files] = await Promise.all([this.summary(id), readRunFiles(folder)]);
    const { problems: episodeProblems, steps, size } = await this.open(id).shelf.overview();
    const { evaluations, problems } = await readEvaluations(folder);
    // One that has ended without success has its results all the same, where it came so far.
    const unfinished = files.kind === 'eval' && (summary.status === 'running' || evaluations.length === 0);
    const soFar = unfinished ? await scoresSoFar(this.open(id).shelf.listed()) : [];
    const proof = files.kind === 'eval' ? undefined : await readProof(folder);
    const left = summary.status === 'running' ? await this.secondsLeft(id, files.config) : undefined;
    return {
      ...summary,
      ...(left !== undefined && { secondsLeft: left }),
      problems: [...new Set([...files.problems, ...summary.problems, ...episodeProblems, ...problems])],
      config: files.config,
      facts: files.facts,
      checkpoints: files.checkpoints,
      ...(files.best && { best: { ...files.best, ...(files.best.by === 'success' && successBefore(evaluations)) } }),
      evaluations: [...soFar, ...evaluations],
      ...(proof && { proof }),
      episodes: size,
      episodeSteps: steps,
    };
  }

  async metrics(id: string, wanted?: (name: string) => boolean): Promise<MetricTable> {
    const folder = await this.existing(id);
    const { metrics } = this.open(id);
    await metrics.catchUp(folder).catch(() => undefined); // What is wrong with the file is among the run's problems.
    return withEvaluations(metrics.table(wanted), await evaluationLines(folder));
  }

  /** Several runs: the curves that were asked for, what differs in their recipes, and evaluations paired by task with the baseline. */
  async compare(ids: readonly string[], metrics: readonly string[], baseline?: string): Promise<RunComparison> {
    const names = new Set(metrics);
    const wanted = (name: string): boolean => isWanted(name, names);
    const compared = await Promise.all(
      ids.map(async (id) => {
        const table = await this.metrics(id, wanted);
        const [summary, files] = await Promise.all([this.summary(id), readRunFiles(this.folder(id))]);
        const written = this.open(id).metrics.names();
        return { summary, table, written, settings: settingsOf(files.config) };
      }),
    );
    return {
      runs: compared.map(({ summary }) => summary),
      metrics: compared.map(({ table }) => ({
        steps: table.steps,
        columns: Object.fromEntries(Object.entries(table.columns).filter(([name]) => wanted(name))),
      })),
      names: [...new Set(compared.flatMap(({ table, written }) => [...written, ...Object.keys(table.columns)]))].sort(),
      settings: differing(compared.map(({ settings }) => settings)),
      recipes: compared.filter(({ settings }) => settings.size > 0).length,
      ...comparePanels(await Promise.all(ids.map((id) => readPlayed(this.folder(id), id))), baseline),
    };
  }

  /** Writes a note, tags, or that the run is put away. */
  async annotate(id: string, given: unknown): Promise<Annotation> {
    return annotate(await this.existing(id), given);
  }

  /** Removes a run with all that lies in its folder. The folder that is shown itself is never removed. */
  async remove(id: string): Promise<void> {
    const folder = await this.existing(id);
    if (folder === this.root)
      throw new AgogeError('REPORT_ROOT', `"${id}" is the folder that is shown: open the folder above it to remove it there`);
    if ((await this.summary(id)).status === 'running') throw new AgogeError('REPORT_RUNNING', `"${id}" is running: end it first`);
    this.opened.delete(id);
    await removeRun(folder);
  }

  /** Which tasks of a panel were solved by which policy, or after which step. */
  async tasks(id: string, panel: string): Promise<TaskMatrix> {
    await this.existing(id);
    const played: EpisodeSummary[] = [];
    for await (const episode of this.open(id).shelf.listed({ purpose: 'eval', task: panel }))
      played.push(episodeSummary(episode));
    return taskMatrix(played);
  }

  /** What every start of the run has logged, the newest last. */
  async log(id: string): Promise<string> {
    const folder = await this.existing(id);
    const names = (await namesInside(folder, layout.logs)).filter((name) => name.endsWith('.log'));
    const texts: string[] = [];
    let room = logBytes;
    for (const name of names.reverse()) {
      if (room <= 0) break;
      const text = await tailInside(folder, join(layout.logs, name), room).catch(firstLine);
      room -= text.length;
      texts.unshift(names.length > 1 ? `── ${name} ──\n${text}` : text);
    }
    return texts.join('\n');
  }

  async episodes(id: string, query: EpisodeQuery): Promise<EpisodePage> {
    await this.existing(id);
    return this.open(id).shelf.search(query);
  }

  async episode(id: string, place: string): Promise<EpisodeView> {
    const folder = await this.existing(id);
    const [view, { config }] = await Promise.all([this.open(id).shelf.episode(place), readRunFiles(folder)]);
    return { ...view, settings: worldSettings(config, view.task.split('/')[0] ?? '') };
  }

  /** The episode that a run is playing now; asking for it is what makes the run show it. */
  async live(id: string): Promise<LiveEpisode | undefined> {
    const folder = await this.existing(id);
    if ((await this.summary(id)).status !== 'running') return undefined;
    await wantLive(folder).catch(() => undefined);
    return readLive(folder);
  }

  private async secondsLeft(id: string, config: string): Promise<number | undefined> {
    const { steps, columns } = await this.metrics(id);
    const settings = settingsOf(config);
    return secondsLeft(
      steps,
      columns['timing_s/step'] ?? [],
      Number(settings.get('steps')),
      Number(settings.get('stop.minutes')),
    );
  }

  private summary(id: string): Promise<RunSummary> {
    const folder = this.folder(id);
    return this.summaries.of(listing(folder), folder === this.root ? this.name : id);
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
    if (real === undefined || !holdsRun(listing(path)))
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
}

interface Found {
  /** '' for the folder that was looked through itself. */
  readonly id: string;
  readonly folder: Listing;
}

/** The runs in a folder and in those below it; a run holds no others. */
function* found(folder: Listing, id: string, depth: number): Generator<Found, void, undefined> {
  if (holdsRun(folder)) yield { id, folder };
  else if (depth < deepest)
    for (const [name, entry] of folder.entries)
      if (entry.isDirectory() && !name.startsWith('.'))
        yield* found(listing(`${folder.path}/${name}`), id === '' ? name : `${id}/${name}`, depth + 1);
}

/** Milliseconds after which whoever else asks is answered. */
const turn = 20;

/** The same things, with a pause now and then: reading small files does not give way by itself. */
async function* inTurns<T>(things: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let since = performance.now();
  for (const thing of things) {
    if (performance.now() - since > turn) {
      await setImmediate();
      since = performance.now();
    }
    yield thing;
  }
}

/** A metric of the charts that are shown first, one that was asked for by name, or the interval of one. */
function isWanted(name: string, wanted: ReadonlySet<string>): boolean {
  const plain = name.replace(/\/(low|high)$/, '');
  return wanted.has(plain) || mainCharts.some(({ metrics }) => metrics.test(plain));
}

/** Mean success over the panels that were played before the first step; nothing where none was. */
function successBefore(evaluations: readonly Evaluation[]): { readonly before?: number } {
  const rows = evaluations.flatMap((one) => one.rows.filter(({ step, category }) => step === 0 && category === 'all'));
  return rows.length === 0 ? {} : { before: mean(rows.map(({ success }) => success)) };
}

interface OpenedRun {
  readonly metrics: MetricColumns;
  readonly shelf: EpisodeShelf;
}

/** A folder is a run when it has any of the files a run or an evaluation starts with. */
function holdsRun({ path, entries }: Listing): boolean {
  return (
    [layout.info, layout.config, evaluationLayout.results, evaluationLayout.status].some((name) => entries.has(name)) ||
    (entries.has('metrics') && existsSync(join(path, layout.metrics)))
  );
}
