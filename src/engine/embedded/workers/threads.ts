/**
 * The engine's own threads, as many as the runtime's settings say and no more than are used. Each runs its native calls by
 * itself, one after the other, so what it computes cannot depend on how many others there are. All engines of the process share
 * them. An idle thread does not keep the process alive.
 */
import type { Worker } from 'node:worker_threads';
import { AgogeError } from '../../../core/error.ts';
import { startThread } from '../../../core/thread.ts';
import { Runtime } from '../runtime/runtime.ts';
import { packViews } from './large-views.ts';
import type { FromThread, ThreadData, ToThread } from './protocol.ts';
import { makeService } from './services.ts';

/** A service on a thread, seen from outside. */
export interface RemoteService {
  post(message: unknown): void;
  /** While something is expected of it, the service keeps the process alive. */
  hold(): void;
  release(): void;
  /** Ends the service when it has done what it is doing. */
  close(): Promise<void>;
}

export interface ServiceOwner {
  receive(message: unknown): void;
  /** The service is gone, with everything that was asked of it. */
  lost(error: AgogeError): void;
}

/** Opens a service of a kind on the thread with this number, counted from 0. */
export function openService(thread: number, kind: string, options: unknown, owner: ServiceOwner): RemoteService {
  return here ? openHere(kind, options, owner) : threadAt(thread).open(kind, options, owner);
}

let here = false;

/** From now on services run on the calling thread: for profiles, which have to see every session. */
export function computeHere(): void {
  here = true;
}

const threads: (EngineThread | undefined)[] = [];
let services = 0;

function threadAt(index: number): EngineThread {
  return (threads[index] ??= new EngineThread(() => (threads[index] = undefined)));
}

class EngineThread {
  private readonly worker: Worker;
  private readonly owners = new Map<number, ServiceOwner>();
  private readonly closing = new Map<number, () => void>();
  private held = 0;

  constructor(private readonly ended: () => void) {
    const data: ThreadData = { runtime: Runtime.open().handle };
    this.worker = startThread('./thread', import.meta.url, { workerData: data, name: 'agoge-engine' });
    this.worker.unref();
    this.worker.on('message', (message: FromThread) => {
      this.receive(message);
    });
    this.worker.on('error', (error) => {
      this.end(
        AgogeError.from(error, 'ENGINE_THREAD', 'a thread of the engine ended (report it with the model and the command)'),
      );
    });
    this.worker.on('exit', () => {
      this.end(new AgogeError('ENGINE_THREAD', 'a thread of the engine ended; report it with the model and the command'));
    });
  }

  open(kind: string, options: unknown, owner: ServiceOwner): RemoteService {
    const service = ++services;
    this.owners.set(service, owner);
    const post = (message: ToThread): void => {
      this.worker.postMessage(packViews(message));
    };
    post({ service, open: kind, options });
    return {
      post: (message) => {
        post({ service, message });
      },
      hold: () => {
        this.hold();
      },
      release: () => {
        this.release();
      },
      close: async () => {
        if (!this.owners.has(service)) return;
        this.hold();
        post({ service, close: true });
        await new Promise<void>((resolve) => this.closing.set(service, resolve));
        this.release();
      },
    };
  }

  private hold(): void {
    if (this.held++ === 0) this.worker.ref();
  }

  private release(): void {
    if (--this.held === 0) this.worker.unref();
  }

  private receive(message: FromThread): void {
    const owner = this.owners.get(message.service);
    if ('message' in message) owner?.receive(message.message);
    else if ('closed' in message) this.forget(message.service);
    else {
      this.forget(message.service);
      owner?.lost(new AgogeError(message.broken.code, message.broken.message));
    }
  }

  private forget(service: number): void {
    this.owners.delete(service);
    this.closing.get(service)?.();
    this.closing.delete(service);
  }

  private end(error: AgogeError): void {
    this.ended();
    for (const [service, owner] of [...this.owners]) {
      this.forget(service);
      owner.lost(error);
    }
  }
}

function openHere(kind: string, options: unknown, owner: ServiceOwner): RemoteService {
  const service = makeService(kind, options, (message) => {
    queueMicrotask(() => {
      owner.receive(message);
    });
  });
  const work = (): void => {
    if (service.work()) setImmediate(work);
  };
  return {
    post: (message) => {
      service.receive(message);
      setImmediate(work);
    },
    hold: () => undefined,
    release: () => undefined,
    close: () => {
      service.close();
      return Promise.resolve();
    },
  };
}
