/**
 * An environment's side towards AgentGym: the routes of its server, how another server of it is spoken to, and how its clients read
 * a reply. Each environment that AgentGym has keeps it in its folder (`agentgym.ts`); its registry entry loads it when it is asked for.
 */
import type { ActionForm } from '../instructions.ts';
import type { Dialect } from './dialect.ts';
import type { Generation, Reader } from './reading.ts';
import type { WireFacts } from './wire.ts';

/** What an environment says about AgentGym. */
export interface AgentGym {
  /** The routes that `agoge serve` answers. */
  readonly dialect: Dialect;
  /** How a server of AgentGym is spoken to; absent where there is none but ours. */
  readonly wire?: WireFacts;
  /** How its clients read a reply, by generation where they differ; absent: the whole reply is the action. */
  readonly reader?: Reader | Readonly<Record<Generation, Reader>>;
  /** The actions at a server that asks other questions than we do (`wire.asksOthers`). */
  readonly actions?: readonly ActionForm[];
}
