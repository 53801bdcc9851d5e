import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen, type HttpListener } from './http.ts';

let listener: HttpListener;
beforeAll(async () => {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    requestTimeout: 60_000,
    maxBody: 1000,
    handle: ({ method, path, query, body }) => {
      const answer = { status: 200, body: JSON.stringify([method, path, query, body]) };
      if (path === '/throw') throw new Error('on purpose');
      if (path !== '/late') return answer;
      return new Promise((resolve) => setTimeout(() => resolve(answer), 20));
    },
    tooLarge: () => ({ status: 413, body: '"too large"' }),
    broken: () => ({ status: 500, body: '"broken"' }),
  });
});
afterAll(() => listener.drain(0));

/** Sends the pieces and returns all that came back until the connection was quiet or closed. */
function talk(...pieces: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    let quiet: NodeJS.Timeout | undefined;
    const socket = connect({ port: listener.port, host: '127.0.0.1', noDelay: true }, () => void sendAll());
    const done = (): void => {
      socket.destroy();
      resolve(received);
    };
    const sendAll = async (): Promise<void> => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((next) => setTimeout(next, 2));
      }
      quiet = setTimeout(done, 400);
    };
    socket.on('data', (chunk) => {
      received += chunk.toString();
      if (quiet) quiet = (clearTimeout(quiet), setTimeout(done, 400));
    });
    socket.on('close', done);
    socket.on('error', reject);
  });
}

const post = (path: string, body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const answers = (text: string): string[] => text.match(/^(?:\[|").*?(?:\]|")(?=HTTP|$)/gm) ?? [];
const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? '');

describe('the fast path', () => {
  it('reads a request however it is cut', async () => {
    const whole = post('/step?a=1', '{"action":"größe 界"}');
    const expected = ['["POST","/step","a=1","{\\"action\\":\\"größe 界\\"}"]'];
    expect(answers(await talk(whole))).toEqual(expected);
    expect(answers(await talk(...Array.from(whole)))).toEqual(expected);
    for (const at of [1, 20, whole.indexOf('\r\n\r\n') + 2, whole.length - 1]) {
      expect(answers(await talk(whole.slice(0, at), whole.slice(at)))).toEqual(expected);
    }
  });

  it('answers requests sent ahead in their order, also behind a late one', async () => {
    const paths = ['/1', '/late', '/2', '/throw', '/3'];
    const text = await talk(paths.map((path) => post(path, path)).join(''));
    expect(statuses(text)).toEqual(['200', '200', '200', '500', '200']);
    expect(answers(text).map((answer) => (JSON.parse(answer) as string[])[1])).toEqual(['/1', '/late', '/2', 'r', '/3']);
  });

  it('hands anything else to node:http, in the middle of a connection too', async () => {
    const chunked = 'POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
    const text = await talk(post('/1', 'a') + chunked + post('/2', 'b'));
    expect(answers(text)).toEqual(['["POST","/1","","a"]', '["POST","/c","","abc"]', '["POST","/2","","b"]']);
    expect(statuses(await talk(post('/e', 'abc', 'Expect: 100-continue\r\n')))).toEqual(['100', '200']);
    expect(answers(await talk('GET /old HTTP/1.0\r\n\r\n'))).toEqual(['["GET","/old","",""]']);
    expect(answers(await talk('PUT /put HTTP/1.1\r\nHost: x\r\n\r\n'))).toEqual(['["PUT","/put","",""]']);
    const closing = await talk('GET /bye HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(closing).toMatch(/connection: close/i);
    expect(statuses(await talk(post('/large', 'x'.repeat(2000)) + post('/2', '')))).toEqual(['413', '200']);
  });

  it('does not let two readings of one request differ', async () => {
    const refused = [
      'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd',
      'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\nabc',
      'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc',
      'GET /x HTTP/1.1\r\n\r\n',
      'nonsense\r\n\r\n',
    ];
    for (const text of refused) expect(statuses(await talk(text))).toEqual(['400']);
  });
});
