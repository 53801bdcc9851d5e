/** The services that a thread can host, by kind. */
import { LaneService, type LaneOptions } from '../sampling/lane-service.ts';
import { Replica, type ReplicaOptions } from '../train/replicas/replica.ts';
import type { Service } from './protocol.ts';

const kinds: Readonly<Record<string, (options: never, post: (message: unknown) => void) => Service>> = {
  lane: (options: LaneOptions, post) => new LaneService(options, post),
  replica: (options: ReplicaOptions, post) => new Replica(options, post),
};

export function makeService(kind: string, options: unknown, post: (message: unknown) => void): Service {
  const make = kinds[kind];
  if (!make) throw new TypeError(`no service is called "${kind}"`);
  return make(options as never, post);
}
