/**
 * What the runtime's graphs make on their way lies in arenas that it allocates itself: one that sessions share, and one of its own for each
 * session that records its steps. Here it is said how much they hold. The shared one keeps a piece for every size that was ever asked for;
 * `trim` gives back what is free once that is more than graphs ever needed.
 */
import { Graph } from '../graph/graph.ts';
import type { Device, Scratch, ScratchOwner } from './device.ts';
import { DeviceTensor } from './device-tensor.ts';
import { cells, type Address, type Memory } from './library.ts';
import { Session } from './session.ts';

/** So many bytes beyond twice the most that was ever in use are worth giving back. */
const usualSlack = 2 ** 26;

export class RuntimeScratch implements Scratch {
  private probe: Session | undefined;
  private allocator: Address | undefined;
  private readonly recording = new Map<ScratchOwner, Address | undefined>();
  private refused = false;

  constructor(
    private readonly device: Device,
    /** The device as the runtime's setting names it. */
    private readonly place: 'gpu:0' | 'cpu:0',
  ) {}

  watch(session: ScratchOwner): void {
    this.recording.set(session, this.allocatorOf(session));
  }

  forget(session: ScratchOwner): void {
    const allocator = this.recording.get(session);
    if (allocator !== undefined) this.device.runtime.library.releaseAllocator(allocator);
    this.recording.delete(session);
  }

  get bytes(): number {
    return [...this.recording.values(), this.shared].reduce((sum, allocator) => sum + this.statistics(allocator).total, 0);
  }

  async trim(slack = usualSlack): Promise<void> {
    const { total, most } = this.statistics(this.shared);
    if (total > 2 * most + slack) await this.empty();
  }

  async empty(): Promise<void> {
    if (this.refused) return;
    using x = DeviceTensor.create(this.device, 'float32', [1]);
    using y = DeviceTensor.create(this.device, 'float32', [1]);
    using call = this.session.prepare({ x }, { y }, { shrink: this.place });
    try {
      await call.run();
    } catch {
      // A runtime whose arena cannot shrink: it holds more, and all else goes on.
      this.refused = true;
    }
  }

  /** The allocator of the arena that sessions share. */
  private get shared(): Address | undefined {
    return (this.allocator ??= this.allocatorOf(this.session));
  }

  /** One that uses the shared arena. */
  private get session(): Session {
    return (this.probe ??= Session.compile(probeGraph(), { device: this.device }));
  }

  /** Undefined where the runtime does not tell. */
  private allocatorOf(session: ScratchOwner): Address | undefined {
    const { library } = this.device.runtime;
    return this.told((out) => library.createAllocator(session.address, this.device.memoryInfo, out));
  }

  /** What cannot be counted holds nothing: a figure is no reason to end a run. */
  private statistics(allocator: Address | undefined): { readonly total: number; readonly most: number } {
    const { library } = this.device.runtime;
    const pairs = allocator === undefined ? undefined : this.told((out) => library.allocatorGetStats(allocator, out));
    if (pairs === undefined) return { total: 0, most: 0 };
    const of = (key: string): number => Number(library.getKeyValue(pairs, key));
    const found = { total: of('TotalAllocated'), most: of('MaxInUse') };
    library.releaseKeyValuePairs(pairs);
    return found;
  }

  private told(ask: (out: Memory) => Address): Address | undefined {
    const { library } = this.device.runtime;
    const out = cells();
    const status = ask(out);
    if (status) library.releaseStatus(status);
    return status ? undefined : out[0];
  }
}

/** The smallest graph: it only brings a session into being. */
function probeGraph(): ReturnType<Graph['compile']> {
  const graph = new Graph();
  const x = graph.input('x', 'float32', [1]);
  return graph.compile({ y: graph.add(x, x) });
}
