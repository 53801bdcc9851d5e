/** When does a program's answer count as the expected one? As APPS' checker has it. */
import { pythonStrip } from '../../core/python/strings.ts';
import { toFloat } from '../../core/python/numbers.ts';

/** Equal as texts without blanks around lines, or line by line as numbers. */
export function sameOutput(printed: string, expected: string): boolean {
  if (pythonStrip(printed) === pythonStrip(expected)) return true;
  const [ours, theirs] = [printed, expected].map((text) =>
    pythonStrip(text)
      .split('\n')
      .map(pythonStrip)
      .filter((line) => line !== ''),
  );
  if (!ours || !theirs || ours.length !== theirs.length) return false;
  if (ours.every((line, i) => line === theirs[i])) return true;
  return ours.every((line, i) => close(toFloat(line), toFloat(theirs[i] ?? '')));
}

/** Equal as JSON; a list of one expected value may stand for the value. */
export function sameValue(returned: unknown, expected: unknown): boolean {
  if (same(returned, expected)) return true;
  return Array.isArray(expected) && expected.length > 0 && same(returned, expected[0]);
}

function same(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => same(one, b[i]));
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && !Array.isArray(a) && !Array.isArray(b)) {
    const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
    );
  }
  return a === b;
}

/** numpy's allclose. */
function close(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && Math.abs(a - b) <= 1e-8 + 1e-5 * Math.abs(b);
}
