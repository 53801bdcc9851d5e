/** Errors that no layer of ours made a sentence of, mostly the operating system's: what to do about each that is common. */
import { AgogeError } from '../../core/error.ts';

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'it is not allowed here: change its permissions, or choose another place',
  EPERM: 'it is not allowed here: change its permissions, or choose another place',
  EROFS: 'that place can only be read: choose another folder',
  ENOSPC: 'the disk is full: free some space and run the same command again',
  EDQUOT: 'your share of the disk is used up: free some space and run the same command again',
  EMFILE: 'too many files are open: raise the limit (ulimit -n 4096) and run again',
  ENOENT: 'it is not there: check the name',
  EEXIST: 'something else stands there already: choose another place',
  ENOTDIR: 'a file stands where a folder is needed: choose another place',
  EISDIR: 'a folder stands where a file is needed: name a file',
  EADDRINUSE: 'the port is taken: end its owner, or choose another with --port',
  EADDRNOTAVAIL: 'this machine does not have that address: give another with --host',
  ENOTFOUND: 'there is no such host: check the name and the network',
  ECONNREFUSED: 'nobody answers there: start the server, or check address and port',
};

/** Of V8 and WebAssembly, whose errors have no code. */
const noMemory = /out of memory|cannot allocate|allocation failed|could not allocate/i;

/** As an error with a code and a remedy. */
export function withRemedy(thrown: unknown): AgogeError {
  if (thrown instanceof AgogeError) return thrown;
  const code = (thrown as NodeJS.ErrnoException | null)?.code;
  const remedy = typeof code === 'string' ? remedies[code] : undefined;
  const said = thrown instanceof Error ? thrown.message : inWords(thrown);
  if (noMemory.test(said))
    return new AgogeError(
      'CLI_SYSTEM',
      `${said}; the system gives no more memory: raise the limit (ulimit -v unlimited) or free some`,
      {
        cause: thrown,
      },
    );
  if (remedy !== undefined) return new AgogeError('CLI_SYSTEM', `${said}; ${remedy}`, { cause: thrown });
  return new AgogeError('CLI_UNEXPECTED', `unexpected error (run again with --verbose for the stack): ${said}`, {
    cause: thrown,
  });
}

function inWords(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const { message } = thrown as { message?: unknown };
  return typeof message === 'string' ? message : JSON.stringify(thrown);
}
