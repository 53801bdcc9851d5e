import { describe, expect, it } from 'vitest';
import { checkResumable } from './resumable.ts';

describe('a run that is resumed', () => {
  it.each([
    'steps=500',
    'epochs=3',
    'evaluate.every=5',
    'evaluate={every:5}',
    '~stop',
    'stop.patience=3',
    '+log.tensorboard=true',
    '++checkpoint.keep=2',
    'engine.threads=4',
    'data.epochs=2',
  ])('may be longer and log otherwise: %s', (override) => expect(() => checkResumable([override])).not.toThrow());
  it.each([
    'seed=2',
    'optimizer.lr=1e-5',
    'stepsize=1',
    'evaluation.every=1',
    'engine.lora.rank=4',
    'engine=x',
    'data.train=x',
    '~algorithm.kl',
    'tasks.0.split=test',
    '',
  ])('is no other run: %s', (override) =>
    expect(() => checkResumable(['steps=1', override])).toThrow(/cannot change when a run is resumed/),
  );
});
