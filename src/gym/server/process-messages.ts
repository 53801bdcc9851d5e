/** What the server and the processes behind it say to each other, in batches: one message for all that came in one turn of the loop. */
import type { Settings } from '../../envs/registry.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import type { Counts, Share } from './sessions.ts';

/** How a process starts; given as its first argument. */
export interface ProcessPlan {
  readonly environments: readonly { readonly spec: string; readonly settings: Settings }[];
  readonly share: Share;
  readonly maxSessions: number;
  readonly idleTimeout: number;
  readonly callTimeout: number;
}

export interface SentRequest {
  readonly n: number;
  readonly request: HttpRequest;
  /** The id that the session gets which this request opens, in this environment. */
  readonly counted?: { readonly env: string; readonly id: number };
  /** All places are taken, some of them by other processes. */
  readonly full?: true;
  /** All ids in use of an environment. */
  readonly ids?: { readonly env: string; readonly all: readonly number[] };
}

export type ToProcess =
  | { readonly kind: 'requests'; readonly list: readonly SentRequest[] }
  | { readonly kind: 'ids'; readonly n: number; readonly env: string }
  | { readonly kind: 'drain' }
  | { readonly kind: 'close' };

/** How a process stands. */
export interface ProcessState {
  readonly counts: Counts;
  readonly steps: Readonly<Record<string, number>>;
  readonly memory: number;
}

export type FromProcess =
  | { readonly kind: 'ready'; readonly environments: readonly string[] }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | {
      readonly kind: 'answers';
      readonly list: readonly { readonly n: number; readonly answer: HttpAnswer; readonly unused?: true }[];
      readonly state: ProcessState;
    }
  | { readonly kind: 'ids'; readonly n: number; readonly opened: readonly (readonly [at: number, id: number])[] }
  | { readonly kind: 'closed'; readonly left: number; readonly state: ProcessState };
