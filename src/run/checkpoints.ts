/**
 * The checkpoints of a run: complete folders `step_000040` with weights and the trainer's state. Retention keeps the newest
 * `keep` and the best; what an interrupted write left is removed when the run is opened again.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AgogeError } from '../core/error.ts';
import { namesIn, removeHidden, writeFolder, writeWhole } from './files.ts';
import { layout, stepName, stepOf } from './layout.ts';
import { refuseNewer } from './version.ts';

export interface Best {
  readonly step: number;
  readonly score: number;
  /** What the score is: the mean success of the evaluations, or a validation loss (the lower the better). */
  readonly by: 'success' | 'loss';
}

/** Scores of different kinds cannot be compared: the newer kind is what is chosen by. */
export function isBetter(a: Best, b: Best): boolean {
  if (a.by !== b.by || !Number.isFinite(b.score)) return Number.isFinite(a.score); // a score that is none is never the best
  return a.by === 'loss' ? a.score < b.score : a.score > b.score;
}

export class Checkpoints {
  constructor(private readonly directory: string) {}

  path(step: number): string {
    return join(this.directory, layout.checkpoints, stepName(step));
  }

  /** Steps that have a complete checkpoint, ascending. */
  async steps(): Promise<number[]> {
    const names = await namesIn(join(this.directory, layout.checkpoints));
    const steps = names.map((name) => stepOf(name)).filter((step) => step !== undefined);
    return steps.sort((a, b) => a - b); // by name, step_1000000 would come before step_999999
  }

  async latest(): Promise<number | undefined> {
    return (await this.steps()).at(-1);
  }

  /** Writes a checkpoint whole: `fill` puts the weights into the folder, the state goes beside them. */
  async save(step: number, state: unknown, fill: (folder: string) => Promise<void>): Promise<void> {
    await mkdir(join(this.directory, layout.checkpoints), { recursive: true });
    await writeFolder(this.path(step), async (folder) => {
      await fill(folder);
      await writeWhole(join(folder, layout.trainerState), `${JSON.stringify(state, null, 1)}\n`);
    });
    await writeWhole(join(this.directory, layout.tracker), String(step));
  }

  /** The weights before the first step, without a trainer's state: what a run is chosen against. */
  async saveStart(fill: (folder: string) => Promise<void>): Promise<void> {
    const folder = join(this.directory, layout.start);
    if ((await namesIn(folder)).length === 0) await writeFolder(folder, fill);
  }

  async state(step: number): Promise<unknown> {
    const path = join(this.path(step), layout.trainerState);
    let state: unknown;
    try {
      state = JSON.parse(await readFile(path, 'utf8'));
    } catch (thrown) {
      throw new AgogeError(
        'RUN_BAD_CHECKPOINT',
        `${path} cannot be read: remove the folder and resume from an earlier checkpoint`,
        {
          cause: thrown,
        },
      );
    }
    refuseNewer(state, path);
    return state;
  }

  async best(): Promise<Best | undefined> {
    const named = await this.named();
    return named && bestAlone(named);
  }

  /** Names the best step. Its checkpoint may come after its name, so the one before it, whose checkpoint is there, stays beside it. */
  async setBest(best: Best): Promise<void> {
    const named = await this.named();
    const before = named && ((await this.holds(named)) ? bestAlone(named) : named.before);
    const written: NamedBest = { ...bestAlone(best), ...(before && before.step !== best.step && { before }) };
    await writeWhole(join(this.directory, layout.best), `${JSON.stringify(written)}\n`);
  }

  private async named(): Promise<NamedBest | undefined> {
    try {
      return JSON.parse(await readFile(join(this.directory, layout.best), 'utf8')) as NamedBest;
    } catch {
      return undefined;
    }
  }

  /** Are the weights there? Those of step 0 are kept in a folder of their own. */
  private async holds({ step }: Best): Promise<boolean> {
    const folder = step === 0 ? join(this.directory, layout.start) : this.path(step);
    return (await namesIn(folder)).length > 0;
  }

  /** Removes all but the newest `keep` and the best one. */
  async retain(keep: number): Promise<void> {
    const best = (await this.best())?.step;
    const steps = await this.steps();
    for (const step of steps.slice(0, Math.max(0, steps.length - keep))) {
      if (step !== best) await rm(this.path(step), { recursive: true, force: true });
    }
  }

  /** Removes half-written folders and checkpoints after a step. A best one that was later gives its place back to the one before it. */
  async cutAfter(step: number): Promise<void> {
    await removeHidden(join(this.directory, layout.checkpoints));
    for (const later of await this.steps()) {
      if (later > step) await rm(this.path(later), { recursive: true, force: true });
    }
    const best = await this.named();
    if (!best || best.step <= step) return;
    await rm(join(this.directory, layout.best), { force: true });
    const { before } = best;
    if (before && before.step <= step && (await this.holds(before))) await this.setBest(before);
  }
}

/** best.json. */
interface NamedBest extends Best {
  /** The best one before it: what stands again if a kill comes between the name and its checkpoint. */
  readonly before?: Best;
}

function bestAlone({ step, score, by }: Best): Best {
  return { step, score, by };
}
