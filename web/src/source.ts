/**
 * Where the page's data comes from: the server that `agoge view` starts, or the report embedded in this very file.
 * Both answer the same questions, so no page knows which it is.
 */
import type {
  Annotation,
  EpisodePage,
  EpisodeQuery,
  EpisodeSummary,
  EpisodeView,
  LiveEpisode,
  MetricTable,
  RunDetail,
  RunSummary,
  TaskMatrix,
} from '../../src/dashboard/model.ts';
import type { OwnWorld, PlayedOut } from '../../src/dashboard/play-model.ts';
import type { ComparedPanel, ReportBundle, RunReport, RunComparison } from '../../src/dashboard/together-model.ts';
import type { Language, Phrase } from './language.ts';
import { taskMatrix } from '../../src/dashboard/runs/task-matrix.ts';
import { fitsTask } from '../../src/core/task.ts';

export interface Source {
  readonly live: boolean;
  /** The run that a report is of: it opens there. */
  readonly home?: string;
  /** Where the book is that a report stands beside. */
  readonly book?: Readonly<Record<Language, string>>;
  runs(): Promise<readonly RunSummary[]>;
  run(id: string): Promise<RunDetail>;
  metrics(id: string): Promise<MetricTable>;
  log(id: string): Promise<string>;
  episodes(id: string, query: EpisodeQuery): Promise<EpisodePage>;
  episode(id: string, place: string): Promise<EpisodeView>;
  tasks(id: string, panel: string): Promise<TaskMatrix>;
  /** The episode that a run is playing now; undefined where there is no server. */
  playing?(id: string): Promise<LiveEpisode | undefined>;
  /** `baseline` names the policy that evaluations are measured by. */
  compare(ids: readonly string[], metrics: readonly string[], baseline?: string): Promise<RunComparison>;
  /** Notes, tags, archive; undefined where nothing can be kept. */
  annotate?(id: string, change: Partial<Annotation>): Promise<Annotation>;
  remove?(id: string): Promise<void>;
  /** Calls back whenever the run (or, without an id, any run) has changed on disk. Returns how to stop. */
  follow(id: string | undefined, changed: () => void): () => void;
  /** Plays a task that the page cannot play itself; undefined where there is no server. */
  readonly playOut?: (task: string, actions: readonly string[], hint?: boolean) => Promise<PlayedOut>;
  /** Environments of the user's own that the server plays. */
  readonly worlds?: () => Promise<readonly OwnWorld[]>;
  /** Keeps a play as a demonstration; gives the name of the file, or undefined where nothing can be kept. */
  save?(demonstration: unknown): Promise<string>;
}

export async function findSource(): Promise<Source> {
  const embedded = document.getElementById('agoge-report');
  if (embedded) return embeddedSource(await unpack(embedded.textContent));
  return serverSource();
}

function serverSource(): Source {
  const token = new URLSearchParams(location.search).get('token');
  const suffix = (query: URLSearchParams): string => {
    if (token) query.set('token', token);
    const text = query.toString();
    return text ? `?${text}` : '';
  };
  const get = async <T>(path: string, query = new URLSearchParams()): Promise<T> => {
    return answerOf<T>(fetch(`/api/${path}${suffix(query)}`));
  };
  const post = async <T>(path: string, query: URLSearchParams, content: unknown): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(content);
    return answerOf<T>(fetch(`/api/${path}${suffix(query)}`, { method: 'POST', headers, body }));
  };
  const of = (id: string): URLSearchParams => new URLSearchParams({ run: id });
  return {
    live: true,
    runs: () => get('runs'),
    run: (id) => get('run', of(id)),
    metrics: (id) => get('metrics', of(id)),
    log: async (id) => (await get<{ text: string }>('log', of(id))).text,
    episodes: (id, query) => {
      const search = of(id);
      for (const [key, value] of Object.entries(query)) if (value !== undefined && value !== '') search.set(key, String(value));
      return get('episodes', search);
    },
    episode: (id, place) => get('episode', new URLSearchParams({ run: id, place })),
    tasks: (id, panel) => get('tasks', new URLSearchParams({ run: id, panel })),
    playing: async (id) => (await get<{ episode?: LiveEpisode }>('live', of(id))).episode,
    follow: (id, changed) => {
      const events = new EventSource(`/api/events${suffix(id === undefined ? new URLSearchParams() : of(id))}`);
      events.addEventListener('changed', changed);
      return () => events.close();
    },
    compare: (ids, metrics, baseline) =>
      get(
        'compare',
        new URLSearchParams([
          ...ids.map((id) => ['run', id] as [string, string]),
          ...metrics.map((name) => ['metric', name] as [string, string]),
          ...(baseline === undefined ? [] : [['baseline', baseline] as [string, string]]),
        ]),
      ),
    annotate: (id, change) => post('annotate', of(id), change),
    remove: async (id) => {
      await post('remove', of(id), { confirm: id });
    },
    worlds: () => get('worlds'),
    playOut: (task, actions, hint = false) => post('play', new URLSearchParams(), { task, actions, hint }),
    save: async (demonstration) => (await post<{ file: string }>('demonstrations', new URLSearchParams(), demonstration)).file,
  };
}

const noServer: Phrase = 'the server of this page does not answer. Start `agoge view` again and reload the page.';

/** What the server says; where it refuses, an error with its sentence, and its code as the cause. */
async function answerOf<T>(asked: Promise<Response>): Promise<T> {
  const response = await asked.catch((cause: unknown) => {
    throw new Error(noServer, { cause });
  });
  const body = (await response.json()) as T & { error?: string; code?: string };
  if (!response.ok) throw new Error(body.error ?? `the server answered ${String(response.status)}`, { cause: body.code });
  return body;
}

/** A report inside the page: everything is in memory. */
function embeddedSource({ reports, together, book }: ReportBundle): Source {
  const of = (id: string): RunReport => {
    const found = reports.length === 1 ? reports[0] : reports.find(({ run }) => run.id === id);
    if (!found) throw new Error('this run is not in the file: choose one from the list');
    return found;
  };
  const [only] = reports;
  return {
    live: false,
    ...(reports.length === 1 && only && { home: only.run.id }),
    ...(book && { book }),
    runs: async () => reports.map(({ run }) => run),
    run: async (id) => of(id).run,
    metrics: async (id) => of(id).metrics,
    log: async (id) => of(id).log,
    episodes: async (id, query) => {
      const { episodes, left } = of(id);
      const matching = episodes.filter((episode) => matches(episode, query));
      const offset = query.offset ?? 0;
      return {
        total: matching.length,
        partial: left > 0,
        rows: matching.slice(offset, offset + (query.limit ?? 100)),
        categories: [...new Set(episodes.map((episode) => episode.category))].sort(),
      };
    },
    episode: async (id, place) => {
      const found = of(id).episodes.find((episode) => episode.place === place);
      if (!found) throw new Error('this episode is not in the file: open the run with `agoge view` to see all of them');
      return found;
    },
    tasks: async (id, panel) => taskMatrix(of(id).episodes.filter((one) => one.purpose === 'eval' && fitsTask(one.task, panel))),
    compare: async (ids) => someTogether(reports, together, ids),
    follow: () => () => undefined,
  };
}

/** Of what is known of all runs together, that of some. */
function someTogether(reports: readonly RunReport[], together: ReportBundle['together'], ids: readonly string[]): RunComparison {
  const places = ids.map((id) => reports.findIndex(({ run }) => run.id === id)).filter((place) => place >= 0);
  const chosen = places.flatMap((place) => reports[place] ?? []);
  const settings = together.settings.map(({ key, values }) => ({ key, values: places.map((i) => values[i] ?? null) }));
  const trained = chosen.flatMap(({ run }, i) => (run.kind === 'eval' ? [] : [i]));
  const panels = together.panels.map((panel) => ({ ...panel, rows: panel.rows.filter(({ run }) => ids.includes(run)) }));
  return {
    runs: chosen.map(({ run }) => run),
    metrics: chosen.map(({ metrics }) => metrics),
    names: together.names,
    settings: settings.filter(({ values }) => new Set(trained.map((i) => values[i])).size > 1),
    recipes: trained.length,
    // Pairs are with the first policy of all: where that is not among these, there are only the scores.
    panels: panels.filter(({ rows }) => rows.length > 0).map(withItsBaseline),
    unlike: together.unlike.filter(({ runs }) => runs.every((id) => ids.includes(id))),
  };
}

function withItsBaseline(panel: ComparedPanel): ComparedPanel {
  if (panel.rows[0]?.against === undefined) return panel;
  return { ...panel, rows: panel.rows.map(({ against: _, ...row }) => row) };
}

function matches(episode: EpisodeView, query: EpisodeQuery): boolean {
  const equal = (key: 'purpose' | 'step' | 'category' | 'outcome' | 'policy'): boolean =>
    query[key] === undefined || query[key] === episode[key as keyof EpisodeSummary];
  return (
    (['purpose', 'step', 'category', 'outcome', 'policy'] as const).every(equal) &&
    (query.task === undefined || fitsTask(episode.task, query.task)) &&
    (query.minReward === undefined || (episode.reward ?? -Infinity) >= query.minReward) &&
    (query.maxReward === undefined || (episode.reward ?? Infinity) <= query.maxReward) &&
    (!query.text ||
      `${episode.observation}\n${episode.turnsTaken.map((turn) => `${turn.reply}\n${turn.observation}`).join('\n')}`.includes(
        query.text,
      ))
  );
}

async function unpack(base64: string): Promise<ReportBundle> {
  const bytes = Uint8Array.from(atob(base64.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as ReportBundle;
}
