/** Progress of a long command: a bar on a terminal, a plain line now and then without one. Always on stderr. */
import { printable } from '../../core/printable.ts';
import type { EpisodeRecord } from '../../run/episode-record.ts';
import { printAbove, startBar, stopBar, type Bar } from './bar.ts';
import { duration } from './duration.ts';
import { tell } from './print.ts';

export interface Progress {
  /** `turns`: of an episode at most, for an estimate of what is left. */
  start(label: string, total: number, done: number, turns?: number): void;
  advance(note?: string): void;
  /** A reply was played. */
  turn(): void;
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

/** How long the episodes that are open may still take, by the replies played so far: an episode plays its limit of them at most. */
export class TimeLeft {
  private readonly began = performance.now();
  private turns = 0;
  private ended = 0;

  constructor(
    private readonly episodes: number,
    private readonly limit?: number,
  ) {}

  turn(): void {
    this.turns++;
  }

  episode(): void {
    this.ended++;
  }

  /** Nothing in the first seconds and at the end: what is over soon needs no estimate. */
  text(now = performance.now()): string {
    const seconds = (now - this.began) / 1000;
    if (seconds < 3 || this.ended >= this.episodes) return '';
    const byEpisodes = this.ended > 0 ? (seconds * (this.episodes - this.ended)) / this.ended : Infinity;
    // Those that have not ended: as if each played to its limit.
    const most = this.limit === undefined ? Infinity : this.episodes * this.limit;
    const byTurns = this.turns > 0 ? (seconds * (most - this.turns)) / this.turns : Infinity;
    const left = Math.min(byEpisodes, byTurns);
    return Number.isFinite(left) ? ` · ${duration(Math.max(1, left))} left at most` : '';
  }
}

export function createProgress(quiet = false): Progress {
  if (quiet) return { start: nothing, advance: nothing, turn: nothing, say: tell, stop: nothing };
  return process.stderr.isTTY ? barProgress() : lineProgress();
}

function barProgress(): Progress {
  let bar: Bar | undefined;
  let left = new TimeLeft(0);
  const stop = (): void => {
    stopBar(bar);
    bar = undefined;
  };
  return {
    start(label, total, done, turns) {
      stop();
      left = new TimeLeft(total - done, turns);
      const format = '{label} {bar} {value}/{total} {note}{left}';
      bar = startBar({ format }, total, done, { label: printable(label), note: '', left: '' });
    },
    advance(note = '') {
      left.episode();
      bar?.increment(1, { note: printable(note), left: left.text() });
    },
    turn() {
      left.turn();
      bar?.update(bar.value, { left: left.text() });
    },
    say(line) {
      if (bar) printAbove(line);
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
  let said = '';
  let left = new TimeLeft(0);
  const speak = (always: boolean): void => {
    const now = Date.now();
    if (!always && now - last < 10_000) return;
    last = now;
    tell(`${label}: ${done}/${total} ${said}${left.text()}`.trimEnd());
  };
  return {
    start(name, all, ready, turns) {
      [label, total, done, last] = [name, all, ready, Date.now()];
      left = new TimeLeft(all - ready, turns);
      tell(`${label}: ${total} episodes${ready > 0 ? `, ${ready} of them there already` : ''}`);
    },
    advance(note = '') {
      done++;
      said = note;
      left.episode();
      speak(done === total);
    },
    turn() {
      left.turn();
      speak(false);
    },
    say: tell,
    stop: nothing,
  };
}

function nothing(): void {
  return undefined;
}
