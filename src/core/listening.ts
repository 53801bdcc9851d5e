/** Why a server cannot listen, as every server here says it. */
import { AgogeError } from './error.ts';

export function cannotListen(thrown: NodeJS.ErrnoException, host: string, port: number): AgogeError {
  if (thrown.code === 'EADDRINUSE') {
    const message = `port ${port} on ${host} is already in use: choose another with --port, or end the program that holds it`;
    return new AgogeError('GYM_PORT_IN_USE', message, { cause: thrown });
  }
  const message = `cannot listen on ${host}:${port} (${thrown.message}): choose another --host or --port`;
  return new AgogeError('GYM_CANNOT_LISTEN', message, { cause: thrown });
}
