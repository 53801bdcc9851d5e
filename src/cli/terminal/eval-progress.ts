/** Progress of a long command: a bar on a terminal, a plain line now and then without one. Always on stderr. */
import { printable } from '../../core/printable.ts';
import type { EpisodeRecord } from '../../run/episode-record.ts';
import { printAbove, startBar, stopBar, type Bar } from './bar.ts';
import { asCalled, tell } from './print.ts';

export interface Progress {
  start(label: string, total: number, done: number): void;
  advance(note?: string): void;
  /** A line that stays. */
  say(line: string): void;
  stop(): void;
}

/** Success as episodes come in. Until the last of them it leans towards those that end early, and says so. */
export class RunningSuccess {
  private solved = 0;
  private counted = 0;

  /** `ready`: episodes of an earlier try of the same evaluation, which count like those to come. */
  constructor(
    private left: number,
    ready: readonly Pick<EpisodeRecord, 'outcome'>[],
  ) {
    for (const { outcome } of ready) this.add(outcome);
  }

  add(outcome: EpisodeRecord['outcome']): string {
    this.left--;
    if (outcome.kind !== 'failed') this.counted++;
    if (outcome.kind === 'finished' && outcome.success) this.solved++;
    if (this.counted === 0) return '';
    return `success ${(this.solved / this.counted).toFixed(3)}${this.left > 0 ? ' so far, shortest first' : ''}`;
  }
}

export function createProgress(quiet = false): Progress {
  if (quiet) return { start: nothing, advance: nothing, say: tell, stop: nothing };
  return process.stderr.isTTY ? barProgress() : lineProgress();
}

function barProgress(): Progress {
  let bar: Bar | undefined;
  const stop = (): void => {
    stopBar(bar);
    bar = undefined;
  };
  return {
    start(label, total, done) {
      stop();
      const format = '{label} {bar} {value}/{total} {note}';
      bar = startBar({ format }, total, done, { label: printable(label), note: '' });
    },
    advance: (note = '') => bar?.increment(1, { note: printable(note) }),
    say(line) {
      if (bar) printAbove(asCalled(line));
      else tell(line);
    },
    stop,
  };
}

function lineProgress(): Progress {
  let label = '';
  let total = 0;
  let done = 0;
  let last = 0;
  return {
    start(name, all, ready) {
      [label, total, done, last] = [name, all, ready, Date.now()];
      tell(`${label}: ${total} episodes${ready > 0 ? `, ${ready} of them there already` : ''}`);
    },
    advance(note = '') {
      done++;
      const now = Date.now();
      if (done < total && now - last < 10_000) return;
      last = now;
      tell(`${label}: ${done}/${total} ${note}`.trimEnd());
    },
    say: tell,
    stop: nothing,
  };
}

function nothing(): void {
  return undefined;
}
