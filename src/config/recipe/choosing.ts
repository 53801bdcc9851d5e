/** Choosing happens on `validation`: a recipe that would choose its best checkpoint by `test` is refused, with the reason. */
import { AgogeError } from '../../core/error.ts';
import type { EvaluateConfig } from './shared-keys.ts';

/** Splits that are for `agoge eval` alone. */
export function isTestSplit(split: string): boolean {
  return /(^|-)(test|fresh)$/.test(split);
}

export function checkChoosing(name: string, { choose, split, panels }: EvaluateConfig, stops: boolean): void {
  if (!choose) {
    if (!stops) return;
    throw new AgogeError(
      'CONFIG_CHOOSING',
      `${name}: stop.patience and stop.success choose by the evaluations, which evaluate.choose=false forbids: leave one of them out`,
    );
  }
  const tested = panels.flatMap((panel) => ('split' in panel && isTestSplit(panel.split) ? [`${panel.env}/${panel.split}`] : []));
  if (panels.length === 0 && isTestSplit(split)) tested.push(`evaluate.split=${split}`);
  if (tested.length > 0) throw refuseTest(`${name}: evaluations play ${tested.join(', ')}`);
}

export function refuseTest(what: string): AgogeError {
  return new AgogeError(
    'CONFIG_CHOOSES_ON_TEST',
    `${what}, and the best checkpoint is chosen by them: what was chosen by the test tasks has a score on them that is too good and can no longer be compared. Evaluate on validation (leave evaluate.split out) and run agoge eval on test afterwards; or set evaluate.choose=false to watch without choosing`,
  );
}
