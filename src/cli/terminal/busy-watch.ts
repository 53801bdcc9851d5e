/**
 * Ctrl-C while the main thread is busy with code that never ends, such as an environment's own loop: no listener of this process can run
 * then. A small shell in the same terminal hears the key as well. It says so after a while and ends the process at the second one. It is
 * gone as soon as this process answers a signal or ends; on Windows, and without a terminal, there is none.
 */
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { say } from './language.ts';

/** The two sentences are its arguments. */
const script = `
pressed=0 told=0
trap 'pressed=$((pressed+1))' INT
exec 3<&0
cat <&3 >/dev/null 3<&- &
held=$!
exec 3<&-
while kill -0 $held 2>/dev/null; do
  wait $held
  [ $pressed -eq 0 ] && continue
  if [ $pressed -ge 2 ]; then
    sleep 1
    kill -0 $held 2>/dev/null || exit 0
    kill -KILL $PPID
    stty sane </dev/tty
    printf '\\033[?25h\\033[?7h\\n%s\\n' "$1" >/dev/tty
    exit 0
  fi
  [ $told -eq 1 ] && continue
  told=1
  (sleep 2; kill -0 $held 2>/dev/null && printf '\\n%s\\n' "$2" >/dev/tty) &
done
`;

/** Begins to watch; returns what ends it. */
export function watchForBusy(): () => void {
  if (process.platform === 'win32' || !process.stderr.isTTY) return () => undefined;
  const ended =
    'agoge: ended by the second Ctrl-C, busy with code that does not end (a step or reward of your own?): what was saved is whole, start it again to go on [CLI_INTERRUPTED]';
  const busy = 'agoge: busy with code that does not end; Ctrl-C again ends it at once';
  const shell = spawn('/bin/sh', ['-c', script, 'watch', say(ended), say(busy)], { stdio: ['pipe', 'ignore', 'ignore'] });
  // Without a shell there is no watch; nothing else depends on it.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return () => {
    shell.stdin.destroy();
  };
}
