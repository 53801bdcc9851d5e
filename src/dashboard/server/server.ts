/**
 * The dashboard's server: the page, the questions it asks, and events when a run changed on disk. It reads only below the
 * folder it was given, answers only its own origin, and writes nothing but demonstrations, what a person notes about a run, and that somebody looks at it live; a run is
 * removed only when its name is sent along.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AgogeError } from '../../core/error.ts';
import { secretOf } from '../../core/secret.ts';
import type { Environment } from '../../envs/environment.ts';
import { saveDemonstration } from './demonstrations.ts';
import type { RunLibrary } from '../runs/library.ts';
import { bodyOf, json, notFound, send, startLocal, type LocalOptions, type LocalServer } from './local-server.ts';
import type { OwnWorld } from '../play-model.ts';
import { contentPolicy, page } from './page.ts';
import { playOut } from './play-out.ts';
import { episodeQuery, required, several } from './query.ts';
import { watch } from './watch.ts';

export interface ViewOptions extends LocalOptions {
  readonly library: RunLibrary;
  /** Folder for demonstrations; below the library's folder. */
  readonly demonstrations: string;
  /** Environments of the user's own, to be played beside those that ship. */
  readonly own?: readonly Environment[];
}

/** Bytes of a demonstration or a note. */
const mostSent = 4 * 1024 * 1024;
/** Runs beside each other. */
const mostCompared = 100;

/** Starts the server; throws REPORT_PORT_IN_USE or REPORT_CANNOT_LISTEN. */
export async function startView(options: ViewOptions): Promise<LocalServer> {
  const html = await page();
  const streams = new Set<ServerResponse>();
  const handle = (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    answerPage(request, response, options, html, streams);
  return startLocal({ ...options, policy: contentPolicy(html), close: () => streams.forEach((stream) => stream.end()) }, handle);
}

async function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  options: ViewOptions,
  html: string,
  streams: Set<ServerResponse>,
): Promise<void> {
  const address = `http://dashboard${request.url ?? '/'}`;
  if (!URL.canParse(address)) throw notFound(request.url ?? '');
  const url = new URL(address);
  const { library } = options;
  demandToken(options.token, url.searchParams);
  const get = request.method === 'GET' || request.method === 'HEAD';
  if (get && url.pathname === '/') {
    send(request, response, 200, 'text/html; charset=utf-8', html);
  } else if (get && url.pathname === '/api/events') {
    follow(response, options.library.folder(url.searchParams.get('run') ?? ''), streams);
  } else if (request.method === 'POST' && url.pathname === '/api/demonstrations') {
    json(request, response, 200, { file: await saveDemonstration(options.demonstrations, await bodyOf(request, mostSent)) });
  } else if (request.method === 'POST' && url.pathname === '/api/play') {
    json(request, response, 200, await playOut(await bodyOf(request, mostSent), options.own));
  } else if (request.method === 'POST' && url.pathname === '/api/annotate') {
    json(request, response, 200, await library.annotate(required(url.searchParams, 'run'), await bodyOf(request, mostSent)));
  } else if (request.method === 'POST' && url.pathname === '/api/remove') {
    const run = required(url.searchParams, 'run');
    demandConfirmation(run, await bodyOf(request, mostSent));
    await library.remove(run);
    json(request, response, 200, {});
  } else if (get && url.pathname === '/api/worlds') {
    json(request, response, 200, ownWorlds(options));
  } else if (get && url.pathname.startsWith('/api/')) {
    json(request, response, 200, await answer(options.library, url.pathname.slice('/api/'.length), url.searchParams));
  } else {
    throw notFound(url.pathname);
  }
}

function ownWorlds({ own = [] }: ViewOptions): readonly OwnWorld[] {
  return own.map(({ name, splits }) => ({ name, splits }));
}

/** The questions of the page, each with its answer as data. */
async function answer(library: RunLibrary, question: string, search: URLSearchParams): Promise<unknown> {
  if (question === 'runs') return library.list();
  if (question === 'compare')
    return library.compare(several(search, 'run', mostCompared), search.getAll('metric'), search.get('baseline') ?? undefined);
  const run = required(search, 'run');
  switch (question) {
    case 'run':
      return library.detail(run);
    case 'metrics':
      return library.metrics(run);
    case 'log':
      return { text: await library.log(run) };
    case 'live':
      return { episode: await library.live(run) };
    case 'tasks':
      return library.tasks(run, required(search, 'panel'));
    case 'episodes':
      return library.episodes(run, episodeQuery(search));
    case 'episode':
      return library.episode(run, required(search, 'place'));
    default:
      throw notFound(`/api/${question}`);
  }
}

/** Whoever removes a run sends its name twice, so that no request does it by accident. */
function demandConfirmation(run: string, given: unknown): void {
  const { confirm } = (given ?? {}) as { confirm?: unknown };
  if (confirm !== run)
    throw new AgogeError('REPORT_NOT_CONFIRMED', `nothing was removed: send {"confirm": "${run}"} to remove this run for good`);
}

/** Server-sent events: one whenever something in the folder changed, until the page goes away. */
function follow(response: ServerResponse, folder: string, streams: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 1000\n\n');
  streams.add(response);
  const stop = watch(folder, () => response.write('event: changed\ndata: {}\n\n'));
  response.on('close', () => {
    stop();
    streams.delete(response);
  });
}

function demandToken(token: string | undefined, search: URLSearchParams): void {
  if (token !== undefined && !secretOf(token)(search.get('token') ?? '')) {
    throw new AgogeError(
      'REPORT_TOKEN',
      'the token is missing or wrong: open the whole address that was printed, token included',
    );
  }
}
