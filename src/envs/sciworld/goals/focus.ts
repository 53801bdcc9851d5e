/** What the agent focuses on: one thing, or nothing. */
import type { Thing } from '../things/thing.ts';

export interface Focus {
  on: Thing | undefined;
}
