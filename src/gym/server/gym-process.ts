/**
 * One of the processes behind `agoge serve --processes`: the same gym as ever, answering requests that come as messages. Ends when
 * the server does.
 */
import { AgogeError } from '../../core/error.ts';
import '../../envs/builtin.ts';
import { openEnvironment } from '../client/connect.ts';
import { internalError } from './agentgym.ts';
import { createGym } from './gym.ts';
import type { HttpAnswer } from './http.ts';
import type { FromProcess, ProcessPlan, ProcessState, SentRequest, ToProcess } from './process-messages.ts';

const tell = (message: FromProcess): void => {
  if (process.connected) process.send?.(message);
};
// Ctrl-C reaches all processes; the server is the one that ends, and takes this one with it.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', () => process.exit(0));

try {
  await run(JSON.parse(process.argv[2] ?? '') as ProcessPlan);
} catch (thrown) {
  const { code, message } = AgogeError.from(thrown, 'GYM_BROKEN', 'a process of the server could not start');
  tell({ kind: 'failed', code, message });
}

async function run({ environments: specs, ...parts }: ProcessPlan): Promise<void> {
  const environments = await Promise.all(specs.map(({ spec, settings }) => openEnvironment(spec, settings)));
  const gym = await createGym({ environments, ...parts });
  const { capacity, metrics } = gym;

  let answers: { n: number; answer: HttpAnswer; unused?: true }[] = [];
  let flushing = false;
  let told = '';
  let memory = process.memoryUsage.rss();
  const state = (): ProcessState => {
    const { open, opened, closed, reaped, refused, max } = capacity;
    return { counts: { open, opened, closed, reaped, refused, max }, steps: Object.fromEntries(metrics.steps), memory };
  };
  const flush = (): void => {
    flushing = false;
    const list = answers;
    answers = [];
    tell({ kind: 'answers', list, state: state() });
  };
  const answered = (n: number, answer: HttpAnswer, unused: boolean): void => {
    answers.push({ n, answer, ...(unused && { unused }) });
    if (flushing) return;
    flushing = true;
    setImmediate(flush);
  };
  // Sessions that were reaped make room, which nobody asked about.
  setInterval(() => {
    memory = process.memoryUsage.rss();
    const now = `${capacity.open} ${capacity.reaped}`;
    if (now !== told) flush();
    told = now;
  }, 500).unref();

  const take = ({ n, request, counted, full, ids }: SentRequest): void => {
    const counting = counted && gym.sessions(counted.env)?.assigned;
    const listed = ids && gym.sessions(ids.env);
    if (counted) counting?.push(counted.id);
    if (listed) listed.everybodys = ids.all;
    capacity.filled = full === true;
    // An id that the request did not come to use is given back.
    const done = (answer: HttpAnswer): void => {
      const at = counted && counting ? counting.indexOf(counted.id) : -1;
      if (at >= 0) counting?.splice(at, 1);
      answered(n, answer, at >= 0);
    };
    const answer = handled(() => gym.handle(request));
    capacity.filled = false;
    if (listed) listed.everybodys = undefined;
    if (answer instanceof Promise) void answer.then(done, () => done(internalError));
    else done(answer);
  };

  process.on('message', (message: ToProcess) => {
    if (message.kind === 'requests') for (const one of message.list) take(one);
    else if (message.kind === 'drain') capacity.draining = true;
    else if (message.kind === 'ids') tell({ kind: 'ids', n: message.n, opened: gym.sessions(message.env)?.opened() ?? [] });
    else void close();
  });
  const close = async (): Promise<void> => {
    const left = await gym.close();
    for (const environment of environments) await environment.close?.();
    tell({ kind: 'closed', left, state: state() });
  };
  tell({ kind: 'ready', environments: environments.map(({ name }) => name) });
}

function handled<T>(work: () => T): T | HttpAnswer {
  try {
    return work();
  } catch {
    return internalError;
  }
}
