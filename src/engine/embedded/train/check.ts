/** Refuses batches and settings that cannot be right, with the name of the datum and the number that does not fit. */
import { at } from '../../../core/at.ts';
import { AgogeError } from '../../../core/error.ts';
import type { AdamParams, Datum, ForwardOptions, LossGradient, TokenScores } from '../../engine.ts';
import type { ModelConfig } from '../network/config.ts';

export function checkBatch(batch: readonly Datum[], config: ModelConfig): void {
  if (batch.length === 0) throw new AgogeError('ENGINE_EMPTY_BATCH', 'the batch is empty: give at least one datum');
  batch.forEach(({ tokens, mask }, index) => {
    const bad = (what: string): AgogeError => new AgogeError('ENGINE_BAD_DATUM', `datum ${index}: ${what}`);
    if (tokens.length === 0) throw bad('it has no tokens; leave it out of the batch');
    if (tokens.length > config.context) {
      throw bad(
        `${tokens.length} tokens do not fit the model's context of ${config.context}; shorten it or use a model with a longer context`,
      );
    }
    if (mask.length !== tokens.length)
      throw bad(`its mask has ${mask.length} entries for ${tokens.length} tokens; give one per token`);
    if (mask[0] === 1) throw bad('its first token is scored, but nothing stands before it; set mask[0] to 0');
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as number;
      if (!Number.isInteger(token) || token < 0 || token >= config.vocabulary) {
        throw bad(`token ${i} is ${token}, outside the vocabulary of ${config.vocabulary}; use the model's own tokenizer`);
      }
      if ((mask[i] as number) > 1) throw bad(`mask[${i}] is ${String(mask[i])}; use 0 or 1`);
    }
  });
}

export function checkForwardOptions({ temperature = 1, entropy = false }: ForwardOptions, config: ModelConfig): void {
  if (!(temperature > 0 && Number.isFinite(temperature))) {
    throw new AgogeError('ENGINE_BAD_TEMPERATURE', `temperature ${temperature} cannot divide logits: give a positive number`);
  }
  if (entropy && config.head === 'value') {
    throw new AgogeError('ENGINE_NO_ENTROPY', 'a value head has no distribution and no entropy: ask for it on the policy');
  }
}

/** Scores of a healthy network are finite; others come from weights that are not numbers. */
export function checkScores(scores: readonly TokenScores[]): void {
  scores.forEach(({ scores: values, entropy }, index) => {
    if (!values.every(Number.isFinite) || entropy?.every(Number.isFinite) === false) {
      throw new AgogeError(
        'ENGINE_NONFINITE_SCORES',
        `datum ${index} has scores that are not finite: the weights are broken (NaN or infinite); go back to an earlier checkpoint`,
      );
    }
  });
}

export function checkLoss(result: LossGradient, scores: readonly TokenScores[]): void {
  const remedy = 'look at its rewards, advantages and old log-probabilities';
  if (result.gradient.length !== scores.length) {
    throw new AgogeError(
      'ENGINE_BAD_LOSS',
      `the loss gave ${result.gradient.length} gradients for ${scores.length} data; give one per datum`,
    );
  }
  for (const [kind, gradients] of [
    ['gradient', result.gradient],
    ['entropy gradient', result.entropyGradient ?? []],
  ] as const) {
    gradients.forEach((gradient, index) => {
      const wanted = at(scores, index).scores.length;
      if (gradient.length !== wanted) {
        throw new AgogeError(
          'ENGINE_BAD_LOSS',
          `the loss gave ${gradient.length} numbers as ${kind} of datum ${index}, which has ${wanted} scored tokens`,
        );
      }
      const place = gradient.findIndex((value) => !Number.isFinite(value));
      if (place >= 0) {
        throw new AgogeError(
          'ENGINE_NONFINITE_LOSS',
          `the loss has a ${kind} of ${String(gradient[place])} at scored token ${place} of datum ${index}; nothing was learned from the batch: ${remedy}`,
        );
      }
    });
  }
  if (!Number.isFinite(result.loss)) {
    throw new AgogeError(
      'ENGINE_NONFINITE_LOSS',
      `the loss is ${result.loss}, with finite gradients for every datum; nothing was learned from the batch: ${remedy}`,
    );
  }
}

export function checkAdam(adam: AdamParams): void {
  const { learningRate, beta1 = 0.9, beta2 = 0.95, epsilon = 1e-8, weightDecay = 0, clipNorm = 0, embeddingRate = 1 } = adam;
  const bad = (what: string): AgogeError => new AgogeError('ENGINE_BAD_OPTIMIZER', what);
  if (!(learningRate >= 0 && Number.isFinite(learningRate)))
    throw bad(`the learning rate is ${learningRate}: give a number of at least 0`);
  for (const [name, value] of Object.entries({ beta1, beta2 })) {
    if (!(value >= 0 && value < 1)) throw bad(`${name} is ${value}: give a number from 0 to below 1`);
  }
  for (const [name, value] of Object.entries({ epsilon, weightDecay, clipNorm, embeddingRate })) {
    if (!(value >= 0 && Number.isFinite(value))) throw bad(`${name} is ${value}: give a number of at least 0`);
  }
}
