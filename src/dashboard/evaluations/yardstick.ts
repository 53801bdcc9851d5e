/** Policies that others are measured by, and that nobody tries to make better. */

export function isYardstick(policy: string): boolean {
  return ['expert', 'random', 'human'].includes(policy);
}
