/**
 * Where a run's metrics go beside its own files: TensorBoard's event files, an offline run of Weights & Biases. SwanLab reads the
 * latter (`swanlab convert -t wandb-local`); its own files change from release to release and are not written.
 */
import { join } from 'node:path';
import { layout } from '../layout.ts';
import { EventFile } from './tensorboard.ts';
import { WandbRun, type BoardInfo } from './wandb.ts';

export const boardNames = ['tensorboard', 'wandb', 'swanlab'] as const;
export type BoardName = (typeof boardNames)[number];

export class Boards {
  private readonly events: EventFile | undefined;
  private readonly offline: WandbRun | undefined;

  constructor(directory: string, names: readonly BoardName[], info: BoardInfo) {
    if (names.includes('tensorboard')) this.events = new EventFile(join(directory, layout.tensorboard));
    if (names.includes('wandb') || names.includes('swanlab')) this.offline = new WandbRun(join(directory, layout.wandb), info);
  }

  async scalars(step: number, values: Readonly<Record<string, number>>): Promise<void> {
    await this.events?.scalars(step, values);
    await this.offline?.scalars(step, values);
  }

  /** The run has ended, well or not; what a tracker shows as its state. */
  async finish(succeeded: boolean): Promise<void> {
    await this.offline?.finish(succeeded);
  }
}

/** The boards of a recipe: those of its list, and TensorBoard where it was asked for by itself. */
export function boardsOf(
  directory: string,
  recipe: { readonly run: string; readonly log: { readonly to: readonly BoardName[]; readonly tensorboard: boolean } },
): Boards {
  const names = recipe.log.tensorboard ? [...recipe.log.to, 'tensorboard' as const] : recipe.log.to;
  return new Boards(directory, names, { project: 'agoge', run: recipe.run, config: { ...recipe } });
}
