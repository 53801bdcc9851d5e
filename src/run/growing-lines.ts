/**
 * A file of lines that grows: each look gives the complete lines that came since the last one, each once; a torn last line waits.
 * A line that is too long is passed over, and a look ends after a while and goes on where it stopped with the next one.
 */
import { openInside } from './inside.ts';
import { LineCutter } from './line-cutter.ts';

/** Of one line, in bytes; lines of metrics and of an index have a few kilobytes. */
const longest = 2 ** 25;
/** Of the whole file, in bytes: what is beyond is not looked at. */
const largest = 2 ** 31;
/** Milliseconds that one look may take. */
const patience = 10_000;

export class GrowingLines {
  private offset = 0;
  /** Which file it is: one that was written anew is another, however long it is. */
  private file: string | undefined;
  private cutter = new LineCutter(longest);
  private looking: Promise<void> = Promise.resolve();

  /** `restarted` is called when the file is another one or became shorter (a resumed run cut it back): everything is given again. */
  constructor(private readonly restarted: () => void = () => undefined) {}

  /** Looks at the file; one look at a time, however many ask. A file that is missing has no lines yet. */
  catchUp(folder: string, name: string, line: (text: string) => void): Promise<void> {
    const look = this.looking.then(() => this.look(folder, name, line));
    this.looking = look.catch(() => undefined);
    return look;
  }

  private async look(folder: string, name: string, line: (text: string) => void): Promise<void> {
    const handle = await openInside(folder, name);
    try {
      const found = await handle?.stat();
      const size = found?.size ?? 0;
      const file = found && `${String(found.ino)} ${String(found.birthtimeMs)}`;
      const anew = this.file !== undefined && file !== this.file;
      this.file = file;
      if (anew || size < this.offset) {
        this.offset = 0;
        this.cutter = new LineCutter(longest);
        this.restarted();
      }
      if (!handle) return;
      const chunk = Buffer.alloc(Math.min(1 << 20, size - this.offset + 1));
      const until = performance.now() + patience;
      while (this.offset < largest && performance.now() < until) {
        const { bytesRead } = await handle.read(chunk, 0, chunk.length, this.offset);
        if (bytesRead === 0) return;
        this.offset += bytesRead;
        for (const text of this.cutter.cut(chunk.subarray(0, bytesRead))) if (text !== undefined && text !== '') line(text);
      }
    } finally {
      await handle?.close();
    }
  }
}
