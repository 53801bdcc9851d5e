/**
 * An environment whose sessions break as a fault says. What is underneath is always opened and closed for real, and counted: a fault
 * may lose an answer, never a session.
 */
import type { Environment, Episode, OpenOptions, Step } from '../envs/environment.ts';
import type { TaskRef } from '../core/task.ts';
import { never, pause } from './waiting.ts';
import type { FaultName } from './kinds.ts';

export interface SessionFault {
  readonly kind: FaultName;
  /** The step it strikes at, from 0. */
  readonly turn: number;
  /** Milliseconds: later than any deadline, and late within it. */
  readonly overdue: number;
  readonly late: number;
}

export interface SessionWatch {
  readonly struck: (kind: FaultName) => void;
  /** Called at each step. */
  readonly turn: () => void;
  readonly sessions: Sessions;
}

/** Counted over all sessions of the process. */
export interface Sessions {
  opened: number;
  closed: number;
}

/** The environment with a fault for each session that is opened, or none. */
export function faultyEnvironment(
  environment: Environment,
  faultOf: (task: TaskRef) => SessionFault | undefined,
  watch: SessionWatch,
): Environment {
  const open = (task: TaskRef, options?: OpenOptions): Promise<Episode> | Episode => {
    const fault = faultOf(task);
    const inner = (): Promise<Episode> | Episode => {
      const answer = environment.open(task, options);
      const wrap = (episode: Episode): Episode => faultySession(episode, fault, watch);
      return answer instanceof Promise ? answer.then(wrap) : wrap(answer);
    };
    switch (fault?.kind) {
      case 'open-fails':
        watch.struck('open-fails');
        return Promise.reject(new Error('chaos: the session cannot be opened'));
      case 'open-hangs':
        watch.struck('open-hangs');
        return never(fault.overdue);
      case 'open-overdue':
        watch.struck('open-overdue');
        return pause(fault.overdue).then(inner);
      default:
        return inner();
    }
  };
  return new Proxy(environment, {
    get(target, name) {
      if (name === 'open') return open;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function faultySession(episode: Episode, fault: SessionFault | undefined, watch: SessionWatch): Episode {
  watch.sessions.opened++;
  let turn = 0;
  let closed = false;
  const close = async (): Promise<void> => {
    await episode[Symbol.asyncDispose]();
    if (!closed) watch.sessions.closed++;
    closed = true;
    if (fault?.kind === 'close-fails') {
      watch.struck('close-fails');
      throw new Error('chaos: the session cannot be closed');
    }
    if (fault?.kind === 'close-hangs') {
      watch.struck('close-hangs');
      await never(fault.overdue);
    }
  };
  const step = (action: string): Promise<Step> | Step => {
    watch.turn();
    const at = turn++;
    const strikes = fault !== undefined && (at === fault.turn || (fault.kind === 'session-gone' && at > fault.turn));
    return strikes ? faultyStep(() => episode.step(action), fault, watch) : episode.step(action);
  };
  return new Proxy(episode, {
    get(target, name) {
      if (name === 'step') return step;
      if (name === Symbol.asyncDispose) return close;
      if (name === 'observation' && fault?.kind === 'open-garbled') {
        watch.struck('open-garbled');
        return 404;
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function faultyStep(step: () => Promise<Step> | Step, fault: SessionFault, { struck }: SessionWatch): Promise<Step> | Step {
  const { kind } = fault;
  const garbled = async (change: Readonly<Record<string, unknown>> | null): Promise<Step> => {
    struck(kind);
    const answer = await step();
    return (change === null ? null : { ...answer, ...change }) as Step;
  };
  switch (kind) {
    case 'step-fails':
      struck(kind);
      throw new Error('chaos: the step fails');
    case 'step-throws-nothing':
      struck(kind);
      throw undefined; // eslint-disable-line @typescript-eslint/only-throw-error -- what somebody's JavaScript may do
    case 'session-gone':
      struck(kind);
      throw new Error('chaos: this session is unknown');
    case 'step-hangs':
      struck(kind);
      return never(fault.overdue);
    case 'step-late':
      struck(kind);
      return pause(fault.late).then(step);
    case 'step-overdue':
      struck(kind);
      return pause(fault.overdue).then(step);
    case 'step-lost':
      struck(kind);
      return Promise.resolve(step()).then(() => {
        throw Object.assign(new Error('chaos: the answer is lost'), { code: 'ECONNRESET' });
      });
    case 'step-bad-reward':
      return garbled({ reward: NaN });
    case 'step-bad-observation':
      return garbled({ observation: 404 });
    case 'step-bad-end':
      return garbled({ done: 'maybe' });
    case 'step-bad-shape':
      return garbled(null);
    default:
      return step();
  }
}
