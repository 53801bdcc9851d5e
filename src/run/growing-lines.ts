/** A file of lines that grows: each look gives the complete lines that came since the last one, each once; a torn last line waits. */
import { open } from 'node:fs/promises';

export class GrowingLines {
  private offset = 0;
  private looking: Promise<void> = Promise.resolve();

  /** `restarted` is called when the file became shorter (a resumed run cut it back): everything is given again. */
  constructor(private readonly restarted: () => void = () => undefined) {}

  /** Looks at the file; one look at a time, however many ask. A file that is missing has no lines yet. */
  catchUp(file: string, line: (text: string) => void): Promise<void> {
    const look = this.looking.then(() => this.look(file, line));
    this.looking = look.catch(() => undefined);
    return look;
  }

  private async look(file: string, line: (text: string) => void): Promise<void> {
    const handle = await open(file, 'r').catch(() => undefined);
    try {
      const size = (await handle?.stat())?.size ?? 0;
      if (size < this.offset) {
        this.offset = 0;
        this.restarted();
      }
      if (!handle) return;
      const chunk = Buffer.alloc(Math.min(1 << 20, size - this.offset + 1));
      let rest: Buffer = Buffer.alloc(0);
      for (;;) {
        const { bytesRead } = await handle.read(chunk, 0, chunk.length, this.offset + rest.length);
        if (bytesRead === 0) return;
        const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
        // A chunk may end inside a character: keep to whole lines by their bytes.
        const end = bytes.lastIndexOf(10) + 1;
        this.offset += end;
        rest = bytes.subarray(end);
        for (const text of bytes.toString('utf8', 0, end).split('\n')) if (text !== '') line(text);
      }
    } finally {
      await handle?.close();
    }
  }
}
