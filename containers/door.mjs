/**
 * One address for the farm of compose.yaml: the first word of a path names the environment, which is the name of its container. Names are
 * looked up with every connection, so a container that came back with another address is found; until then clients are told to wait (503).
 */
import { Agent, createServer, request } from 'node:http';
import { pipeline } from 'node:stream';

const farm = new Set((process.env.AGOGE_FARM ?? '').split(' '));
const agent = new Agent({ keepAlive: true });

createServer((asked, answer) => {
  if (asked.url === '/healthz') return say(answer, 200, { ok: true });
  const name = /^\/([a-z]+)\//.exec(asked.url ?? '')?.[1];
  if (name === undefined || !farm.has(name)) return say(answer, 404, { error: `the farm has: ${[...farm].join(', ')}` });
  const { method, headers } = asked;
  const path = asked.url.slice(name.length + 1); // a server of one environment has all its routes without the name
  const onward = request({ agent, host: name, port: 36001, method, path, headers }, (given) => {
    answer.writeHead(given.statusCode ?? 502, given.headers);
    pipeline(given, answer, () => undefined);
  });
  pipeline(asked, onward, () => undefined);
  onward.on('error', () => (answer.headersSent ? answer.destroy() : say(answer, 503, { error: `${name} does not answer` })));
  answer.on('close', () => onward.destroy());
}).listen(Number(process.env.AGOGE_PORT), '0.0.0.0');

function say(answer, status, body) {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
