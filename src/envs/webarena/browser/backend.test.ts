import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgogeError } from '../../../core/error.ts';
import { parseAction } from '../actions/parse.ts';
import type { Player } from '../backend.ts';
import { SITES, type Site } from '../tasks/sites.ts';
import { findChromium } from './find.ts';
import { BrowserBackend } from './backend.ts';

/** Long enough for a busy machine, and short for pages that never answer. */
const [PATIENCE, IMPATIENCE] = [20_000, 2500];
const SETTLING = { quiet: 30, most: 300 };
const pages: Readonly<Record<string, string>> = {
  '/': '<title>Start</title><a href="/next">Next</a><input aria-label="Field" onkeydown="if(event.key===\'Enter\')document.title=this.value">',
  '/wait': '<title>Wait</title><a href="/late">Late</a>',
  '/late': '<title>Late</title><p>came late</p>',
  '/silent': '<title>Silent</title><a href="/never">Never</a>',
  '/take': '<title>Take</title><a href="/file">File</a>',
  '/next': '<title>Second</title><p>arrived</p>',
  '/dialog': '<title>Dialog</title><button onclick="this.textContent=String(confirm(\'Sure?\'))">Ask</button>',
  '/leave': '<title>Stay</title><button>Touch</button><script>onbeforeunload=(e)=>{e.preventDefault();return 1}</script>',
  '/windows': '<title>Windows</title><button onclick="for(let i=0;i<14;i++)window.open(\'/next\')">More</button>',
  '/loop': '<title>Loop</title><button onclick="for(;;);">Hang</button>',
  '/reload': '<title>Reload</title><script>setTimeout(()=>location.reload(),5)</script>',
  '/cookie':
    '<title>Cookie</title><script>document.write("<p>had "+(document.cookie||"none")+"</p>");document.cookie="a=1"</script>',
};

describe('the browser backend', () => {
  let site: Server;
  let outside: Server;
  let backend: BrowserBackend;
  let impatient: BrowserBackend;
  let sound: BrowserBackend;
  let origin = '';
  let elsewhere = '';
  let strangers = 0;
  const headers: (string | undefined)[] = [];

  beforeAll(async () => {
    site = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://x');
      headers.push(request.headers['x-agoge-episode'] as string | undefined);
      if (pathname === '/never') return;
      if (pathname === '/late') return void setTimeout(() => response.end(pages[pathname]), 3 * SETTLING.most);
      if (pathname === '/round') return void response.writeHead(302, { location: '/round' }).end();
      if (pathname === '/file')
        return void response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin' }).end('x');
      if (pathname === '/huge') {
        response.writeHead(200, { 'content-type': 'text/html' });
        const piece = Buffer.alloc(1 << 20, '<p>much text</p>');
        const more = (left: number): void => {
          if (left > 0 && !response.destroyed) response.write(piece, () => more(left - 1));
          else response.end();
        };
        more(100);
        return;
      }
      if (pathname === '/reach') return void response.writeHead(200, { 'content-type': 'text/html' }).end(reach(elsewhere));
      response.writeHead(pages[pathname] === undefined ? 404 : 200, { 'content-type': 'text/html' });
      response.end(pages[pathname] ?? 'nothing');
    });
    outside = createServer((_, response) => void response.end('secret'));
    outside.on('connection', () => strangers++);
    for (const server of [site, outside]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    elsewhere = `127.0.0.1:${(outside.address() as AddressInfo).port}`;
    const addresses = Object.fromEntries(SITES.map((one) => [one, origin])) as Record<Site, string>;
    const options = { chromium: await findChromium(), addresses, settling: SETTLING };
    backend = await BrowserBackend.open({ ...options, patience: PATIENCE });
    impatient = await BrowserBackend.open({ ...options, patience: IMPATIENCE, longestBody: 1 << 21 });
    const own = { forget: () => undefined, cookies: () => ({}) };
    sound = await BrowserBackend.open({ ...options, patience: IMPATIENCE, own });
  }, 60_000);

  afterAll(async () => {
    await Promise.all([backend, impatient, sound].map((one) => one[Symbol.asyncDispose]()));
    for (const server of [site, outside]) {
      server.closeAllConnections();
      server.close();
    }
  });

  const open = (path: string, where = backend): Promise<Player> =>
    where.open({ urls: [`${origin}${path}`], viewport: { width: 1280, height: 720 }, login: [] });

  const act = async (player: Player, text: string): Promise<string> => {
    const seen = (await player.see()).text;
    const id = /\[(\d+)\] (?:button|link|textbox)/.exec(seen)?.[1] ?? '0';
    const parsed = parseAction(text.replace('#', id));
    if ('error' in parsed) throw new Error(parsed.error.message);
    return (await player.act(parsed.action)).failure;
  };

  it('plays the actions', { timeout: 60_000 }, async () => {
    await using player = await open('/');
    expect((await player.see()).text).toMatch(/^Tab 0 \(current\): Start\n\n\[\d+\] RootWebArea 'Start' focused: True/);
    expect(await act(player, 'click [#]')).toBe('');
    expect((await player.see()).text).toContain("StaticText 'arrived'");
    expect(player.page.url).toBe(`${origin}/next`);
    expect(await act(player, 'go_back')).toBe('');
    expect(await act(player, 'go_forward')).toBe('');
    expect(player.page.url).toBe(`${origin}/next`);
    expect(await act(player, 'new_tab')).toBe('');
    expect((await player.see()).text).toMatch(/^Tab 0: Second \| Tab 1 \(current\): \n/);
    expect(await act(player, `goto [${origin}/]`)).toBe('');
    const field = /\[(\d+)\] textbox/.exec((await player.see()).text)?.[1] ?? '';
    expect(await act(player, `type [${field}] [hello] [1]`)).toBe('');
    expect((await player.see()).text).toContain('Tab 1 (current): hello');
    expect(await act(player, 'press [ctrl+x]')).toContain('Unknown key');
    expect(await act(player, 'tab_focus [7]')).toBe('there is no tab 7');
    expect(await act(player, 'click [99999]')).toContain('no element');
    expect(await act(player, 'close_tab')).toBe('');
    expect((await player.see()).text).toMatch(/^Tab 0 \(current\): Second\n/);
    expect(await player.page.evaluate('document.querySelector("p").textContent')).toBe('arrived');
  });

  it('bears what pages do', { timeout: 90_000 }, async () => {
    await using player = await open('/dialog');
    expect(await act(player, 'click [#]')).toBe('');
    expect((await player.see()).text).toContain("button 'false'");
    expect(await act(player, `goto [${origin}/leave]`)).toBe('');
    await act(player, 'click [#]');
    expect(await act(player, `goto [${origin}/next]`)).toBe('');
    expect(await act(player, `goto [${origin}/round]`)).toContain('ERR_TOO_MANY_REDIRECTS');
    expect(await act(player, `goto [${origin}/file]`)).toMatch(/download/i);
    expect(await act(player, `goto [${origin}/windows]`)).toBe('');
    await act(player, 'click [#]');
    expect((await player.see()).text.split('\n')[0]?.split(' | ').length).toBeLessThanOrEqual(10);
  });

  it('waits for a page that comes late, and never takes the one before it for it', { timeout: 60_000 }, async () => {
    await using player = await open('/wait');
    expect(await act(player, 'click [#]')).toBe('');
    expect((await player.see()).text).toContain("StaticText 'came late'");
    await act(player, `goto [${origin}/take]`);
    expect(await act(player, 'click [#]')).toBe(''); // a download leaves the page where it is
    await using elsewhere = await open('/silent', impatient);
    expect(await act(elsewhere, 'click [#]')).not.toBe('');
    // Our own sites always answer: where a page does not come, the episode breaks and is played again.
    await using broken = await open('/silent', sound);
    await expect(act(broken, 'click [#]')).rejects.toMatchObject({ code: 'ENV_PAGE_SILENT' });
  });

  it('has patience with no page for longer than it may', { timeout: 120_000 }, async () => {
    await using player = await open('/loop', impatient);
    await act(player, 'click [#]');
    expect((await player.see()).url).toBe('about:blank');
    await act(player, `goto [${origin}/huge]`);
    const { url, text } = await player.see();
    expect(`${url} ${text}`).toMatch(/more than can be read|about:blank|chrome-error/);
    await act(player, `goto [${origin}/reload]`);
    expect((await player.see()).text).toContain('RootWebArea');
  });

  it('lets nothing out but to the sites', { timeout: 60_000 }, async () => {
    strangers = 0;
    headers.length = 0;
    await using player = await open('/reach');
    expect(await act(player, `goto [http://${elsewhere}/]`)).toBe('');
    expect((await player.see()).text).toContain('outside the sites of this task');
    expect(await act(player, 'goto [file:///etc/passwd]')).toContain('is not an address of the web');
    expect(await act(player, 'goto [chrome://version]')).toContain('is not an address of the web');
    await expect(player.page.request({ method: 'GET', url: `http://${elsewhere}/` })).rejects.toThrow(
      /not an address of a configured site/,
    );
    expect(strangers).toBe(0);
    expect(backend.gate.blockedInAll).toBeGreaterThan(5);
    expect(headers.every((header) => header === undefined)).toBe(true);
  });

  it('keeps episodes apart', { timeout: 60_000 }, async () => {
    await using first = await open('/cookie');
    await using second = await open('/cookie');
    for (const player of [first, second]) expect((await player.see()).text).toContain("'had none'");
  });

  it('outlives a browser that is killed', { timeout: 60_000 }, async () => {
    await using player = await open('/');
    const [pid = 0] = await backend.browsers.pids();
    process.kill(pid, 'SIGKILL');
    await expect(player.see().then(() => player.see())).rejects.toMatchObject({ code: 'ENV_BROWSER_LOST' });
    // All who ask at once get the one that replaces it; a second would be nobody's to close.
    const again = await Promise.all([open('/'), open('/'), open('/')]);
    for (const one of again) expect((await one.see()).text).toContain('Start');
    expect(await backend.browsers.pids()).toHaveLength(1);
    for (const one of again) await one[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
  });

  it('lets nobody wait for a page of a browser that is killed while it opens', { timeout: 60_000 }, async () => {
    for (const delay of [10, 40, 80]) {
      await using _warm = await open('/');
      const [pid = 0] = await backend.browsers.pids();
      const opening = [open('/'), open('/'), open('/')];
      setTimeout(() => process.kill(pid, 'SIGKILL'), delay);
      for (const result of await Promise.allSettled(opening)) {
        if (result.status === 'fulfilled') await result.value[Symbol.asyncDispose]();
        else expect(result.reason).toBeInstanceOf(AgogeError);
      }
    }
  });
});

/** A page that tries every way out. */
function reach(host: string): string {
  return `<title>Reach</title><link rel=preconnect href="http://${host}"><link rel=dns-prefetch href="http://${host}">
<img src="http://${host}/img"><iframe src="http://${host}/frame"></iframe><iframe src="file:///etc/passwd"></iframe>
<script>
fetch('http://${host}/fetch').catch(()=>0); navigator.sendBeacon('http://${host}/beacon','x');
new WebSocket('ws://${host}/socket'); new EventSource('http://${host}/events');
const x=new XMLHttpRequest(); x.open('GET','http://${host}/xhr'); x.send();
new Worker(URL.createObjectURL(new Blob(["fetch('http://${host}/worker').catch(()=>0)"])));
try { const c=new RTCPeerConnection({iceServers:[{urls:'stun:${host}'}]}); c.createDataChannel('a'); c.createOffer().then(o=>c.setLocalDescription(o)); } catch {}
</script>`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
