/** Beginnings of sequences that go from slot to slot, asked for one by one and made together before the next thing that is computed. */
import { Session, type AnyTensor, type Call } from '../../runtime/session.ts';
import { copyGraph } from './graphs.ts';
import { Passing, type LaneMemory } from './lane-memory.ts';

interface SlotCopy {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Positions are copied in multiples of it. */
const unit = 64;

export class SlotCopies implements Disposable {
  /** Those of one entry are made at once: all are read before one is written. */
  private waiting: (readonly SlotCopy[])[] = [];
  private session: Session | undefined;
  private call: Call | undefined;

  constructor(private readonly memory: LaneMemory) {}

  add(...copies: readonly SlotCopy[]): void {
    this.waiting.push(copies);
  }

  /** Makes the copies that were asked for. */
  async flush(): Promise<void> {
    while (this.waiting.length > 0) {
      // A copy of a copy waits for the first one.
      const targets = new Set<number>();
      let end = 0;
      for (const copies of this.waiting) {
        if (copies.some(({ from, to }) => targets.has(from) || targets.has(to))) break;
        for (const { to } of copies) targets.add(to);
        end++;
      }
      await this.make(this.waiting.splice(0, end).flat());
    }
  }

  [Symbol.dispose](): void {
    this.session?.[Symbol.dispose]();
  }

  private async make(copies: readonly SlotCopy[]): Promise<void> {
    const { memory } = this;
    const call = (this.call ??= this.prepare());
    using passing = new Passing();
    for (const side of ['from', 'to'] as const) {
      const tensor = passing.keep(memory.room(side, 'int64', copies.length).part([copies.length]));
      tensor.upload(BigInt64Array.from(copies, (copy) => BigInt(memory.baseOf(copy[side]))));
      call.set(side, tensor);
    }
    const longest = Math.max(...copies.map(({ count }) => count));
    const span = Math.min(Math.ceil(longest / unit) * unit, memory.length);
    call.set('range', passing.keep(memory.range.part([span])));
    await call.run();
  }

  private prepare(): Call {
    const { memory } = this;
    this.session = Session.compile(copyGraph(memory.config, memory.graphOptions), { device: memory.device });
    const inputs: Record<string, AnyTensor> = { range: memory.range, from: memory.bases, to: memory.bases };
    const outputs: Record<string, AnyTensor> = {};
    memory.addCaches(inputs, outputs);
    return this.session.prepare(inputs, outputs);
  }
}
