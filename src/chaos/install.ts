/**
 * Puts the faults of its orders into this process: called before any command runs, by a process that a supervisor has started, and
 * by nobody else. What was counted is noted when the process ends by itself.
 */
import { seam as poolSeam } from '../agent/seam.ts';
import { seam as gymSeam } from '../gym/seam.ts';
import { Random } from '../core/random/random.ts';
import { formatTask } from '../core/task.ts';
import { breakDisk, die } from './disk.ts';
import { episodeFaults, kindsAt } from './episodes.ts';
import type { FaultName } from './kinds.ts';
import { Ledger } from './ledger.ts';
import { ordersVariable, type Orders } from './orders.ts';
import { faultyEnvironment, type SessionFault } from './session.ts';
import { breakAnswers, breakConnections } from './wire.ts';

/** The orders as they stand in the environment; those of this process are not its children's. */
export async function installFromOrders(text: string): Promise<void> {
  Reflect.deleteProperty(process.env, ordersVariable);
  await install(JSON.parse(text) as Orders);
}

export async function install(orders: Orders): Promise<void> {
  const { seed, start, kinds, promise, ending } = orders;
  const ledger = new Ledger(orders.ledger, start);
  const began = performance.now();
  const counts = { turns: 0 };
  const struck = (kind: FaultName, where: string): void => ledger.note(kind, where);
  const watch = {
    sessions: { opened: 0, closed: 0 },
    struck,
    turn: () => {
      const turn = counts.turns++;
      if (turn !== ending?.at || (ending.kind !== 'kill-step' && ending.kind !== 'terminate')) return;
      struck(ending.kind, `turn ${turn}`);
      if (ending.kind === 'terminate') process.kill(process.pid, 'SIGTERM');
      else die();
    },
  };

  const disk = { struck, writes: 0, renames: 0 };
  await breakDisk(orders.folders, ending, disk);
  if (promise === 'serve') {
    gymSeam.environment = (environment) => {
      const names = kindsAt(orders, ['session']);
      let opened = 0;
      return faultyEnvironment(
        environment,
        (task): SessionFault | undefined => {
          const draw = Random.of(seed, 'session', start, formatTask(task), opened++);
          if (names.length === 0 || draw.float() >= 0.25) return undefined;
          return { kind: draw.pick(names), turn: draw.below(3), overdue: 300, late: 30 };
        },
        { ...watch, struck: (kind) => struck(kind, 'session') },
      );
    };
    breakAnswers({ seed, start, kinds, most: Infinity, struck });
  } else {
    poolSeam.job = episodeFaults(orders, watch);
    // Where no episode may be lost, broken connections must leave each one a try.
    breakConnections({ seed, start, kinds, most: promise === 'bits' ? 1 : 40, struck });
  }

  // Without its supervisor nobody would end it.
  const parent = process.ppid;
  setInterval(() => (process.ppid === parent ? undefined : die()), 1000).unref();

  process.once('exit', () => {
    const milliseconds = performance.now() - began;
    const seen = { turns: counts.turns, writes: disk.writes, renames: disk.renames, milliseconds };
    ledger.write({ start, events: seen, ...watch.sessions });
  });
}
