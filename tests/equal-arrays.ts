/** Set-up of all tests: typed arrays with the same bytes are equal at once. Vitest alone looks at a million weights one by one, for seconds. */
import { expect } from 'vitest';

expect.addEqualityTesters([sameBytes]);

/** True for the same bytes of the same kind; for all others the usual comparison decides, and says where they differ. */
function sameBytes(a: unknown, b: unknown): boolean | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0 ? true : undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
