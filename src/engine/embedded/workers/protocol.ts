/**
 * What passes between the engine and its threads. A thread hosts services (lanes that sample, replicas that learn); every
 * message names the one it belongs to. Addresses and shared memory cross as they are: all threads are of one process.
 */
import type { ErrorCode } from '../../../core/error.ts';
import type { RuntimeHandle } from '../runtime/runtime.ts';

/** What a thread is started with. */
export interface ThreadData {
  readonly runtime: RuntimeHandle;
}

/** To a thread. `open` makes a service of a kind, `close` ends it; anything else is for the service itself. */
export type ToThread =
  | { readonly service: number; readonly open: string; readonly options: unknown }
  | { readonly service: number; readonly close: true }
  | { readonly service: number; readonly message: unknown };

/** From a thread: what a service says, that it has closed, or that it broke. */
export type FromThread =
  | { readonly service: number; readonly message: unknown }
  | { readonly service: number; readonly closed: true }
  | { readonly service: number; readonly broken: { readonly code: ErrorCode; readonly message: string } };

/** A service, seen by its thread. */
export interface Service {
  receive(message: unknown): void;
  /** Does a little of what there is to do; false when there is nothing. */
  work(): boolean;
  close(): void;
}
