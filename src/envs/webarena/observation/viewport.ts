/** Is a node of a page in sight? WebArena's rule. */
import type { Box, Viewport } from './nodes.ts';

const LEAST_SHARE = 0.6;

export function isSeen(box: Box | undefined, viewport: Viewport): boolean {
  if (!box || box.width === 0 || box.height === 0) return false;
  const width = Math.max(0, Math.min(box.x + box.width, viewport.width) - Math.max(box.x, 0));
  const height = Math.max(0, Math.min(box.y + box.height, viewport.height) - Math.max(box.y, 0));
  // The original divides by the width and multiplies by the height; results depend on it.
  return ((width * height) / box.width) * box.height >= LEAST_SHARE;
}
