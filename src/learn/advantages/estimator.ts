/** The estimators by the names verl gives them (`algorithm.adv_estimator`), and those that users bring. */
import { AgogeError } from '../../core/error.ts';
import { allFinite, sameLengths } from '../numbers.ts';
import type { Advantages, Row } from '../rows.ts';
import type { Estimator, EstimatorOptions } from './definition.ts';
import { gae, gaeAgentGym } from './gae.ts';
import { gigpo } from './gigpo.ts';
import { gpg } from './gpg.ts';
import { grpo } from './group-relative.ts';
import { rloo } from './leave-one-out.ts';
import { opo } from './optimal-reward-baseline.ts';
import { grpoPassAtK } from './pass-at-k.ts';
import { reinforce, reinforceBaseline } from './reinforce-plus-plus.ts';
import { rejection } from './rejection.ts';
import { remax } from './remax.ts';

const shipped = [gae, gaeAgentGym, grpo, grpoPassAtK, rloo, reinforce, reinforceBaseline, remax, opo, gpg, gigpo, rejection];
const known = new Map<string, Estimator>(shipped.map((estimator) => [estimator.name, estimator]));

/** Names of the estimators that ship. */
export const estimatorNames: readonly string[] = shipped.map(({ name }) => name);

/** Makes an estimator known under the name that a recipe writes: its own, or the path of its file. */
export function registerEstimator(estimator: Estimator, name = estimator.name): void {
  known.set(name, estimator);
}

/** An estimator by the name that a recipe writes; throws LEARN_UNKNOWN_ESTIMATOR. */
export function estimatorOf(name: string): Estimator {
  const estimator = known.get(name);
  if (estimator) return estimator;
  throw new AgogeError(
    'LEARN_UNKNOWN_ESTIMATOR',
    `there is no estimator "${name}": choose one of ${estimatorNames.join(', ')}, or give a file that exports one (./mine.ts)`,
  );
}

/**
 * Advantages of rows by an estimator's name.
 *
 * @example
 * const rows = [1, 0].map((reward) => ({ group: 'a', rewards: [0, reward], turnEnds: [2] }));
 * const { advantages } = estimateAdvantages('grpo', rows, {});
 * console.log(advantages.length); // 2
 */
export function estimateAdvantages(name: string, rows: readonly Row[], options: EstimatorOptions = {}): Advantages {
  rows.forEach(checkRow);
  const { advantages, returns } = estimatorOf(name).estimate(rows, options);
  rows.forEach((row, i) => {
    const lengths = [advantages[i]?.length, returns[i]?.length];
    if (lengths.some((length) => length !== row.rewards.length)) {
      throw new AgogeError(
        'LEARN_BAD_ADVANTAGES',
        `the estimator ${name} gave ${lengths.join(' and ')} numbers for row ${i} of ${row.rewards.length} tokens: give one advantage and one return per token`,
      );
    }
  });
  return { advantages, returns };
}

/** What an estimator may rely on: every reward and value is a number, values stand beside rewards, turns end within the row. */
function checkRow({ rewards, values, turnEnds, group }: Row): void {
  const who = `a row of group ${group}`;
  allFinite(who, 'reward', rewards);
  sameLengths(who, { rewards, values });
  if (values) allFinite(who, 'value', values);
  const end = turnEnds.at(-1);
  if (end === undefined || end <= rewards.length) return;
  throw new AgogeError(
    'LEARN_BAD_LENGTH',
    `${who} has ${rewards.length} rewards and a turn that ends at ${end}: give one reward per token`,
  );
}
