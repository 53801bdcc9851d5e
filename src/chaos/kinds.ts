/**
 * The kinds of faults that `--chaos` knows: where each one strikes and what it does. A profile is a set of them; commands take the kinds
 * of the places that they have.
 */

/** Where a fault is put: an environment's session, a policy's reply, a connection, a file, the process. */
export type Place = 'session' | 'reply' | 'wire' | 'disk' | 'kill';

export interface FaultKind {
  readonly name: string;
  readonly place: Place;
  /** What happens, for `agoge chaos list`. */
  readonly what: string;
}

export const faultKinds = [
  { name: 'open-fails', place: 'session', what: 'opening a session fails' },
  { name: 'open-hangs', place: 'session', what: 'opening a session never ends' },
  { name: 'open-overdue', place: 'session', what: 'a session opens after nobody waits for it' },
  { name: 'open-garbled', place: 'session', what: 'the first observation is not a text' },
  { name: 'step-fails', place: 'session', what: 'a step throws an error' },
  { name: 'step-throws-nothing', place: 'session', what: 'a step throws undefined' },
  { name: 'step-hangs', place: 'session', what: 'a step never ends' },
  { name: 'step-late', place: 'session', what: 'a step answers late, within its deadline' },
  { name: 'step-overdue', place: 'session', what: 'a step answers after its deadline' },
  { name: 'step-lost', place: 'session', what: 'a step is done, its answer is lost' },
  { name: 'step-bad-reward', place: 'session', what: 'the reward of a step is NaN' },
  { name: 'step-bad-observation', place: 'session', what: 'the observation of a step is a number' },
  { name: 'step-bad-shape', place: 'session', what: 'a step answers null' },
  { name: 'step-bad-end', place: 'session', what: 'a step says "maybe" where it says whether the task is done' },
  { name: 'session-gone', place: 'session', what: 'a session is unknown from some turn on' },
  { name: 'close-fails', place: 'session', what: 'closing a session fails' },
  { name: 'close-hangs', place: 'session', what: 'closing a session never ends' },
  { name: 'reply-fails', place: 'reply', what: 'the policy throws an error' },
  { name: 'reply-hangs', place: 'reply', what: 'a reply never comes' },
  { name: 'reply-late', place: 'reply', what: 'a reply comes late, within its deadline' },
  { name: 'reply-overdue', place: 'reply', what: 'a reply comes after its deadline' },
  { name: 'reply-cut', place: 'reply', what: 'a reply breaks off' },
  { name: 'reply-bad-text', place: 'reply', what: 'a reply has no text' },
  { name: 'reply-bad-logprobs', place: 'reply', what: 'a reply has a log-probability of NaN' },
  { name: 'reply-bad-lengths', place: 'reply', what: 'a reply has more log-probabilities than tokens' },
  { name: 'episode-lost', place: 'reply', what: 'every try of an episode fails (eval, data sample: a further start plays it)' },
  { name: 'wire-refused', place: 'wire', what: 'nobody listens for a moment: the server has died and comes back' },
  { name: 'wire-reset', place: 'wire', what: 'the connection breaks before the answer' },
  { name: 'wire-cut', place: 'wire', what: 'the answer breaks off in its middle' },
  { name: 'wire-late', place: 'wire', what: 'the answer comes late and in pieces' },
  { name: 'wire-page', place: 'wire', what: 'a proxy answers with its own page, status 502' },
  { name: 'wire-garbled', place: 'wire', what: 'status 200 with a body that is no JSON' },
  { name: 'wire-busy', place: 'wire', what: 'the server says 503 once' },
  { name: 'wire-twice', place: 'wire', what: 'the answer comes twice' },
  { name: 'disk-full', place: 'disk', what: 'a write is refused: ENOSPC' },
  { name: 'disk-half', place: 'disk', what: 'half of a write is done, then ENOSPC' },
  { name: 'disk-sync', place: 'disk', what: 'flushing a file fails: EIO' },
  { name: 'disk-rename', place: 'disk', what: 'a finished file cannot be given its name: EIO' },
  { name: 'disk-handles', place: 'disk', what: 'no file can be opened for writing: EMFILE' },
  { name: 'disk-late', place: 'disk', what: 'a write takes a quarter of a second' },
  { name: 'kill-step', place: 'kill', what: 'SIGKILL at a turn of an episode' },
  { name: 'kill-write', place: 'kill', what: 'SIGKILL before a write' },
  { name: 'kill-torn', place: 'kill', what: 'SIGKILL after half of a write' },
  { name: 'kill-rename', place: 'kill', what: 'SIGKILL between a finished file and its name' },
  { name: 'kill-time', place: 'kill', what: 'SIGKILL at a moment of the clock' },
  { name: 'interrupt', place: 'kill', what: 'Ctrl-C at a moment of the clock' },
  { name: 'terminate', place: 'kill', what: 'SIGTERM at a turn of an episode' },
] as const satisfies readonly FaultKind[];

export type FaultName = (typeof faultKinds)[number]['name'];

/** Places by the name of a profile. */
export const profiles: Readonly<Record<string, readonly Place[]>> = {
  steps: ['session', 'reply'],
  servers: ['wire'],
  disk: ['disk'],
  kill: ['kill'],
  all: ['session', 'reply', 'wire', 'disk', 'kill'],
};
