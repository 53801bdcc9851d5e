/**
 * The goals of a task: a sequence to be met in order with the focused thing, and optional ones in any order. The score is the share
 * of the sequence that is met, plus a part of one more step for the optional ones; -1 once the task has failed.
 */
import type { Agent } from '../things/agent.ts';
import type { Thing } from '../things/thing.ts';
import type { Focus } from './focus.ts';
import type { Goal, GoalContext, Verdict } from './goal.ts';
import { allWithin } from '../things/within.ts';

export class GoalSequence {
  readonly ordered: readonly Goal[];
  readonly optional: readonly Goal[];
  private at = 0;
  private failed = false;
  private met: boolean[];
  private readonly keys = new Set<string>();
  /** The thing that the last goal was met with. */
  last: Thing | undefined = undefined;
  /** What goals tell later ones. */
  readonly notes = new Map<string, string>();

  constructor(ordered: readonly Goal[], optional: readonly Goal[]) {
    this.ordered = ordered;
    this.optional = optional;
    this.met = optional.map(() => false);
  }

  get score(): number {
    if (this.failed) return -1;
    const ordered = this.at / this.ordered.length;
    const unit = 1 / (this.ordered.length + 1) / this.optional.length;
    let unordered = 0;
    for (const met of this.met) if (met) unordered += unit;
    return Math.min(ordered + unordered, 1);
  }

  get isCompleted(): boolean {
    return this.at >= this.ordered.length;
  }

  get hasFailed(): boolean {
    return this.failed;
  }

  /** Every goal with whether it is met, for viewers. */
  get progress(): readonly { readonly description: string; readonly met: boolean; readonly optional: boolean }[] {
    return [
      ...this.ordered.map(({ description }, i) => ({ description, met: i < this.at, optional: false })),
      ...this.optional.map(({ description }, i) => ({ description, met: this.met[i] === true, optional: true })),
    ];
  }

  /** Progress as text, in the layout of the original without its column of class names. */
  get report(): string {
    const rule = `${'-'.repeat(100)}\n`;
    const list = (optional: boolean): string =>
      this.progress
        .filter((goal) => goal.optional === optional)
        .map(({ met, description }, i) => `${i}\t${met}\t${description}\n`)
        .join('');
    const heads = [
      `Completed keys: ${[...this.keys].join(', ')}\n`,
      'Sequential Subgoals:\n',
      'Unordered and Optional Subgoals:\n',
    ];
    return [heads[0], rule, heads[1], rule, list(false), rule, heads[2], rule, list(true), rule].join('');
  }

  reset(): void {
    this.at = 0;
    this.last = undefined;
    this.met = this.optional.map(() => false);
    this.failed = false;
  }

  check(focus: Focus, agent: Agent): void {
    let around: readonly Thing[] | undefined;
    const context: GoalContext = {
      agent,
      goals: this,
      // Looked up at most once for all goals: checking changes nothing.
      get around() {
        return (around ??= agent.container ? allWithin(agent.container) : []);
      },
    };
    this.checkOrdered(focus, context);
    this.checkOptional(focus, context);
  }

  private mayBegin(goal: Goal): boolean {
    return goal.after?.every((key) => this.keys.has(key)) ?? true;
  }

  /** Goes on through the sequence while the focused thing meets the next goal. */
  private checkOrdered(focus: Focus, context: GoalContext): void {
    for (;;) {
      const goal = this.ordered[this.at];
      if (goal === undefined) return;
      let verdict: Verdict = 'open';
      if (focus.on !== undefined && this.mayBegin(goal)) {
        const thing = focus.on;
        verdict = goal.check(thing, context);
        if (verdict === 'met') {
          this.last = thing;
          if (goal.defocus === true) focus.on = undefined;
        }
      }
      if (verdict === 'failed') this.failed = true;
      if (verdict !== 'met') return;
      if (goal.key !== undefined) this.keys.add(goal.key);
      this.at += 1;
    }
  }

  /** Meeting one goal can open another, so the list is gone through until nothing changes. */
  private checkOptional(focus: Focus, context: GoalContext): void {
    for (let changed = true; changed;) {
      changed = false;
      this.optional.forEach((goal, i) => {
        if (this.met[i] === true || !this.mayBegin(goal)) return;
        const met =
          goal.check(undefined, context) === 'met' || (focus.on !== undefined && goal.check(focus.on, context) === 'met');
        if (!met) return;
        this.met[i] = true;
        if (goal.key !== undefined) this.keys.add(goal.key);
        changed = true;
      });
    }
  }
}
