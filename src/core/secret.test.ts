import { describe, expect, it } from 'vitest';
import { secretOf } from './secret.ts';

describe('a secret', () => {
  it('is known by those who give it, whole', () => {
    const isKnown = secretOf('öffne dich');
    expect(isKnown('öffne dich')).toBe(true);
    for (const given of ['', 'öffne', 'öffne dich ', 'offne dich', 'ÖFFNE DICH']) expect(isKnown(given), given).toBe(false);
  });
});
