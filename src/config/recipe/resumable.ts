/** What may change when a run is resumed: how long it is, and when it evaluates, saves, logs. What it learns stays as it was. */
import { AgogeError } from '../../core/error.ts';

const changeable = [
  'steps',
  'epochs',
  'minutes',
  'tokens',
  'data.epochs',
  'evaluate',
  'checkpoint',
  'stop',
  'log',
  'engine.threads',
];

/** Throws CONFIG_RESUME for an override that would make it another run. */
export function checkResumable(overrides: readonly string[]): void {
  for (const override of overrides) {
    const key = override.replace(/^(~|\+{0,2})/, '').split('=')[0] ?? '';
    if (changeable.some((known) => key === known || key.startsWith(`${known}.`))) continue;
    throw new AgogeError(
      'CONFIG_RESUME',
      `${key} cannot change when a run is resumed (only ${changeable.join(', ')}): start a new run from its weights with policy=run:<folder>`,
    );
  }
}
