/**
 * A thread of the engine: hosts services and lets those with work take turns. While there is work it never returns to its event
 * loop; new messages are looked for between two pieces of work, and only an idle thread sleeps.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { AgogeError } from '../../../core/error.ts';
import { Runtime } from '../runtime/runtime.ts';
import { unpackViews } from './large-views.ts';
import type { FromThread, Service, ThreadData, ToThread } from './protocol.ts';
import { makeService } from './services.ts';

const port = parentPort;
if (!port) throw new TypeError('this file is the main file of a worker thread');
Runtime.attach((workerData as ThreadData).runtime);
const services = new Map<number, Service>();

const say = (message: FromThread): void => {
  port.postMessage(message);
};

/** Runs what belongs to a service; one that throws is closed and reported, the others go on. */
function guarded<T>(service: number, work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    const error = AgogeError.from(thrown, 'ENGINE_RUNTIME', 'the engine failed (report it with the model and the command)');
    services.delete(service);
    say({ service, broken: { code: error.code, message: error.message } });
    return undefined;
  }
}

function handle(posted: ToThread): void {
  const message = unpackViews(posted) as ToThread;
  const { service } = message;
  guarded(service, () => {
    if ('open' in message) {
      const post = (content: unknown): void => {
        say({ service, message: content });
      };
      services.set(service, makeService(message.open, message.options, post));
    } else if ('close' in message) {
      services.get(service)?.close();
      services.delete(service);
      say({ service, closed: true });
    } else services.get(service)?.receive(message.message);
  });
}

port.on('message', (first: ToThread) => {
  handle(first);
  for (let busy = true; busy;) {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) handle(next.message as ToThread);
    busy = false;
    for (const [id, service] of services) if (guarded(id, () => service.work()) === true) busy = true;
  }
});
