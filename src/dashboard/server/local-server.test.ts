import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, json, startLocal, type LocalServer } from './local-server.ts';

let server: LocalServer;
const heard: unknown[] = [];
beforeAll(async () => {
  server = await startLocal({ host: '127.0.0.1', port: 0, policy: '' }, async (asked, response) => {
    json(asked, response, 200, { heard: await bodyOf(asked, 1000) });
  });
  process.on('unhandledRejection', note);
});
afterAll(async () => {
  process.off('unhandledRejection', note);
  await server[Symbol.asyncDispose]();
});
const note = (thrown: unknown): unknown => heard.push(thrown);

async function answerTo(send: (asked: ClientRequest) => void): Promise<{ status: number; text: string }> {
  const asked = request({ host: '127.0.0.1', port: server.port, method: 'POST', path: '/', agent: false });
  send(asked);
  const [response] = (await once(asked, 'response')) as [AsyncIterable<Buffer> & { statusCode?: number }];
  let text = '';
  for await (const piece of response) text += piece.toString();
  return { status: response.statusCode ?? 0, text };
}

describe('a server for people on this machine', () => {
  it('answers bodies of twenty megabytes with a sentence, and goes on', async () => {
    const large = Buffer.alloc(20 * 2 ** 20, 'x');
    const whole = await answerTo((asked) => asked.setHeader('content-length', large.length).end(large));
    expect(whole).toEqual({ status: 413, text: expect.stringContaining('REPORT_TOO_LARGE') as string });
    const inPieces = await answerTo((asked) => {
      for (let at = 0; at < large.length; at += 2 ** 20) asked.write(large.subarray(at, at + 2 ** 20));
      asked.end();
    });
    expect(inPieces.status).toBe(413);
    expect(await answerTo((asked) => asked.end('{"a":1}'))).toEqual({ status: 200, text: '{"heard":{"a":1}}' });
    expect(heard).toEqual([]);
  });
  it('survives those who go away in the middle of a body', async () => {
    for (const length of [100, 20 * 2 ** 20]) {
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${length}\r\n\r\n{"a"`);
      socket.destroy();
      await once(socket, 'close');
    }
    expect(await answerTo((asked) => asked.end('[]'))).toMatchObject({ status: 200 });
    expect(heard).toEqual([]);
  });
});
