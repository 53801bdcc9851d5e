import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { useProxies } from './proxy.ts';

const before = getGlobalDispatcher();
const closers: (() => void)[] = [];
afterEach(() => {
  setGlobalDispatcher(before);
  for (const close of closers.splice(0)) close();
});

async function listening(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test('requests go through the proxy that the environment names, those to this machine do not', async () => {
  const origin = await listening(createServer((_, response) => response.end('here')));
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const onward = connect(origin, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  const port = await listening(proxy);
  await useProxies({ HTTP_PROXY: `http://127.0.0.1:${port}` });
  expect(await (await fetch('http://models.test/v1')).text()).toBe('here');
  expect(asked).toEqual(['models.test:80']);
  expect(await (await fetch(`http://127.0.0.1:${origin}/`)).text()).toBe('here');
  expect(asked).toHaveLength(1);
});

test('without one nothing changes', async () => {
  await useProxies({});
  expect(getGlobalDispatcher()).toBe(before);
});
