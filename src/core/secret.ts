/** Whether a visitor knows a server's token: compared in constant time, by digests, so that neither content nor length can be found out by asking. */
import { createHash, timingSafeEqual } from 'node:crypto';

export function secretOf(wanted: string): (given: string) => boolean {
  const expected = digest(wanted);
  return (given) => timingSafeEqual(digest(given), expected);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
