/** The policy losses by verl's names (`loss_mode`), and those that users bring. */
import { AgogeError } from '../../core/error.ts';
import { sameLengths } from '../numbers.ts';
import { cispo } from './cispo.ts';
import type { PolicyLossDefinition, PolicyLossOptions, PolicyRow, TokenLoss } from './definition.ts';
import { geoMean } from './geometric-mean.ts';
import { gspo } from './gspo.ts';
import { gpgLoss } from './policy-gradient.ts';
import { vanilla } from './ppo-clip.ts';
import { sapo } from './sapo.ts';

const shipped = [vanilla, gspo, cispo, gpgLoss, sapo, geoMean];
const known = new Map<string, PolicyLossDefinition>(shipped.map((loss) => [loss.name, loss]));

/** Names of the losses that ship. */
export const policyLossNames: readonly string[] = shipped.map(({ name }) => name);

/** Makes a loss known under the name that a recipe writes: its own, or the path of its file. */
export function registerPolicyLoss(loss: PolicyLossDefinition, name = loss.name): void {
  known.set(name, loss);
}

/** A loss by the name that a recipe writes; throws LEARN_UNKNOWN_LOSS. */
export function policyLossOf(name: string): PolicyLossDefinition {
  const loss = known.get(name);
  if (loss) return loss;
  throw new AgogeError(
    'LEARN_UNKNOWN_LOSS',
    `there is no policy loss "${name}": choose one of ${policyLossNames.join(', ')}, or give a file that exports one (./mine.ts)`,
  );
}

/** The loss of one row. Lists of unequal length are refused by name, on the way in and on the way out. */
export function policyLoss(definition: PolicyLossDefinition, row: PolicyRow, options: PolicyLossOptions): TokenLoss {
  const { logprobs, old, advantages } = row;
  sameLengths('a row', { 'log-probabilities': logprobs, 'old log-probabilities': old, advantages });
  const result = definition.loss(row, options);
  sameLengths(`a result of the loss ${definition.name}`, {
    'log-probabilities': logprobs,
    losses: result.loss,
    slopes: result.gradient,
  });
  return result;
}
