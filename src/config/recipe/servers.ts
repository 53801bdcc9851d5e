/** Limits on servers of environments, as a recipe's `servers` and the command line's `--server key=value` say them. */
import { z } from 'zod';
import { AgogeError } from '../../core/error.ts';
import type { CallerOptions } from '../../gym/client/call.ts';

/** Of a recipe; how long to wait for a server and for one call stand with the agent (`wait`, `step_deadline`). */
export const serversSchema = z.strictObject({
  /** Bytes that one answer of a server, or of an endpoint, may have. */
  max_answer: z
    .number()
    .int()
    .positive()
    .default(32 * 1024 * 1024),
  /** Tasks of a split that are listed; of the others only their number is known. */
  max_tasks: z.number().int().positive().default(250_000),
  /** Connections kept to one server; any number of sessions shares them. */
  connections: z.number().int().positive().default(256),
});

const lineSchema = serversSchema.extend({
  /** Seconds that one call may take, its answer included. */
  timeout: z.number().positive().default(300),
  /** Seconds during which a server that does not answer yet, is full or breaks is asked again. */
  wait: z.number().nonnegative().default(30),
});

/** As the client takes them. */
export function callerOptions({ max_answer, max_tasks, connections }: z.infer<typeof serversSchema>) {
  return { maxAnswer: max_answer, maxTasks: max_tasks, connections } satisfies CallerOptions;
}

/** Reads `timeout=20`, `wait=60` and so on; throws CLI_USAGE_SERVER. */
export function parseServers(given: readonly string[]) {
  const entries = given.map((text): [string, number] => {
    const [, key = text, value = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
    return [key, Number(value)];
  });
  const parsed = lineSchema.safeParse(Object.fromEntries(entries));
  if (!parsed.success) {
    throw new AgogeError(
      'CLI_USAGE_SERVER',
      `--server ${given.join(' --server ')} cannot be used: write key=number with a key of ${Object.keys(lineSchema.shape).join(', ')}`,
    );
  }
  const { timeout, wait, ...limits } = parsed.data;
  return { timeout: timeout * 1000, patience: wait * 1000, ...callerOptions(limits) } satisfies CallerOptions;
}
