/**
 * Engines that only sample, one per snapshot of weights that is in use. A few are open at once; an idle one is given the next
 * snapshot's weights. A sample always comes from the weights it asked for, whatever is trained meanwhile.
 */
import { AgogeError } from '../../../core/error.ts';
import type { Engine } from '../../engine.ts';

interface Seat {
  /** Folder of the weights that it holds. */
  folder: string;
  engine: Promise<Engine>;
  users: number;
  used: number;
}

export interface SamplersOptions {
  readonly open: (folder: string) => Promise<Engine>;
  /** Engines open at once. */
  readonly most: number;
}

export class Samplers implements AsyncDisposable {
  private readonly seats: Seat[] = [];
  private waiting: (() => void)[] = [];
  private clock = 0;
  private closed = false;

  constructor(private readonly options: SamplersOptions) {}

  /** Lends the engine that holds these weights for as long as `work` takes. */
  async using<T>(folder: string, work: (engine: Engine) => Promise<T>): Promise<T> {
    const seat = await this.seatFor(folder);
    try {
      return await work(await seat.engine);
    } finally {
      seat.users--;
      seat.used = ++this.clock;
      if (seat.users === 0) this.wake();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closed = true;
    this.wake();
    for (const { engine } of this.seats) await (await engine.catch(() => undefined))?.[Symbol.asyncDispose]();
  }

  private async seatFor(folder: string): Promise<Seat> {
    for (;;) {
      if (this.closed) throw new AgogeError('ENGINE_CLOSED', 'the server is closing: ask again when it is back');
      const seat = this.seats.find((one) => one.folder === folder) ?? this.newSeat(folder);
      if (seat) {
        seat.users++;
        return seat;
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** A free place, or the seat that has been idle longest; undefined when all are busy. */
  private newSeat(folder: string): Seat | undefined {
    const idle = this.seats.filter(({ users }) => users === 0).sort((a, b) => a.used - b.used)[0];
    if (idle && this.seats.length >= this.options.most) {
      idle.folder = folder;
      idle.engine = idle.engine.then(
        async (engine) => {
          await engine.load(folder).catch(async (thrown: unknown) => {
            await engine[Symbol.asyncDispose]();
            throw thrown;
          });
          return engine;
        },
        () => this.options.open(folder),
      );
      this.forgetIfBroken(idle);
      return idle;
    }
    if (this.seats.length >= this.options.most) return undefined;
    const seat: Seat = { folder, engine: this.options.open(folder), users: 0, used: 0 };
    this.seats.push(seat);
    this.forgetIfBroken(seat);
    return seat;
  }

  private forgetIfBroken(seat: Seat): void {
    seat.engine.catch(() => {
      seat.folder = '';
    });
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const go of waiting) go();
  }
}
