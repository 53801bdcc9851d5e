/**
 * An environment whose promises are waited for so long and no longer: one that never answers breaks a law instead of the command. One that
 * always answers at once leaves room for signals and timers now and then, so that Ctrl-C is heard.
 */
import { setImmediate } from 'node:timers/promises';
import { AgogeError } from '../core/error.ts';
import type { Environment, Episode } from '../envs/environment.ts';

/** Milliseconds between two moments in which others are heard. */
const listening = 50;

export function withDeadlines(environment: Environment, milliseconds: number, signal?: AbortSignal): Environment {
  let heard = performance.now();
  const limited = <T>(answer: T | Promise<T>, what: string): T | Promise<T> => {
    const given = answer instanceof Promise ? within(answer, milliseconds, what, signal) : answer;
    if (performance.now() - heard < listening) return given;
    return Promise.resolve(given).then(async (value) => {
      await setImmediate();
      heard = performance.now();
      signal?.throwIfAborted();
      return value;
    });
  };
  const episode = (inner: Episode): Episode =>
    new Proxy(inner, {
      get(target, key) {
        if (key === 'step')
          return (action: string) => limited(target.step(action), `a step (${JSON.stringify(action.slice(0, 60))})`);
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
      },
    });
  return new Proxy(environment, {
    get(target, key) {
      if (key !== 'open') {
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
      }
      return (...args: Parameters<Environment['open']>) => {
        const answer = limited(target.open(...args), 'opening a task');
        return answer instanceof Promise ? answer.then(episode) : episode(answer);
      };
    },
  });
}

function within<T>(work: Promise<T>, milliseconds: number, what: string, signal?: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => {
      settle();
      reject(signal?.reason instanceof Error ? signal.reason : new Error('stopped'));
    };
    // Not unreferenced: where nothing else is under way, this timer is what keeps the process until it can say so.
    const timer = setTimeout(() => {
      settle();
      reject(new AgogeError('ENV_NO_ANSWER', `${what} gave no answer within ${milliseconds / 1000} s: see what it waits for`));
    }, milliseconds);
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    signal?.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(settle);
  });
}
