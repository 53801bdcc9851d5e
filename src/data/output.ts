/**
 * A file being written: under a hidden name beside its place until it is whole, flushed to disk, then renamed. An error
 * or an interruption (a full disk, Ctrl-C) leaves nothing under the final name and nothing hidden; what a kill left goes with the next writer.
 */
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDiskFull } from '../core/disk-full.ts';
import { AgogeError } from '../core/error.ts';
import { makeFolder } from '../core/make-folder.ts';
import { hiddenName, removeLeftOvers } from '../run/hidden-files.ts';

export interface OutputOptions {
  /** Replace a file that is there. */
  readonly force?: boolean | undefined;
}

/** Refuses early, before any work is done. */
export async function refuseExisting(path: string, { force = false }: OutputOptions = {}): Promise<void> {
  if (!force && (await stat(path).catch(() => undefined))) {
    throw new AgogeError('DATA_OUTPUT_EXISTS', `${path} exists: name another output, or replace it with --force`);
  }
}

export class Output implements AsyncDisposable {
  private finished = false;

  private constructor(
    readonly path: string,
    private readonly hidden: string,
    private readonly file: FileHandle,
  ) {}

  static async open(path: string, options: OutputOptions = {}): Promise<Output> {
    await refuseExisting(path, options);
    const hidden = hiddenName(path);
    try {
      await makeFolder(dirname(path));
      await removeLeftOvers(dirname(path));
      return new Output(path, hidden, await open(hidden, 'wx'));
    } catch (thrown) {
      throw new AgogeError('DATA_CANNOT_WRITE', `${path} cannot be written: check that its folder exists and is writable`, {
        cause: thrown,
      });
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let at = 0; at < bytes.length;) at += (await this.file.write(bytes, at, bytes.length - at)).bytesWritten;
    } catch (thrown) {
      throw this.failure(thrown);
    }
  }

  /** Gives the file its name. */
  async finish(): Promise<void> {
    try {
      await this.file.sync();
      await this.file.close();
      await rename(this.hidden, this.path);
      this.finished = true;
    } catch (thrown) {
      throw this.failure(thrown);
    }
  }

  /** Without `finish` before it, removes what was written. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.finished) return;
    await this.file.close().catch(() => undefined);
    await rm(this.hidden, { force: true });
  }

  private failure(thrown: unknown): AgogeError {
    const remedy = isDiskFull(thrown) ? 'the disk is full: free some space' : 'check its disk and permissions';
    return new AgogeError(
      'DATA_CANNOT_WRITE',
      `${this.path} could not be written and was left as it was; ${remedy} and run again`,
      {
        cause: thrown,
      },
    );
  }
}
