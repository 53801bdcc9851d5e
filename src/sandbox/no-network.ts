/**
 * Takes the network from a worker process before its program is loaded. Newer versions of Node (25 and later) deny it by the permission
 * model; this holds on every version: the globals are gone, and whatever would open a socket or ask for a name throws. The one pipe
 * to the owner is open already.
 */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import threads from 'node:worker_threads';

const globals = [
  'fetch',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'Request',
  'Response',
  'Headers',
  'FormData',
  'navigator',
];
/** Methods of Node's own handles (TCP, Pipe, UDP) through which every connection goes, whoever asks for it. */
const ways = ['open', 'bind', 'bind6', 'bind2', 'bind6_2', 'listen', 'connect', 'connect6', 'disconnect', 'send', 'send6'];

export function sealNetwork(): void {
  for (const name of globals) Reflect.deleteProperty(globalThis, name);
  for (const handle of handles()) for (const name of ways) refuse(Object.getPrototypeOf(handle) as object, name);
  for (const owner of [net.Socket.prototype, net.Server.prototype, dgram.Socket.prototype])
    for (const name of [...ways, 'sendto', 'addMembership']) refuse(owner, name);
  for (const owner of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
    for (const name of Object.getOwnPropertyNames(owner)) if (/^(lookup|resolve|reverse)/.test(name)) refuse(owner, name);
  // A thread of its own would begin with all of this again.
  refuse(threads, 'Worker');
  syncBuiltinESMExports();
}

/** One handle of each kind, made and closed again without a word to anybody. */
function handles(): object[] {
  const never = (): void => undefined;
  const tcp = new net.Socket();
  tcp.connect({ host: 'nobody.invalid', port: 1, lookup: never });
  const udp = dgram.createSocket('udp4');
  const found = [handleOf(tcp), ...Object.getOwnPropertySymbols(udp).map((symbol) => handleOf(Reflect.get(udp, symbol)))];
  tcp.destroy();
  udp.close();
  return found.filter((one): one is object => one !== undefined);
}

function handleOf(owner: unknown): object | undefined {
  const { _handle: socket, handle: datagram } = (owner ?? {}) as { _handle?: unknown; handle?: unknown };
  const found = socket ?? datagram;
  return typeof found === 'object' && found !== null ? found : undefined;
}

function refuse(owner: object, name: string): void {
  if (!(name in owner)) return;
  // Not an arrow: some are called with `new`.
  const value = function (): never {
    throw new Error('there is no network here');
  };
  Object.defineProperty(owner, name, { value, writable: false, configurable: false });
}
