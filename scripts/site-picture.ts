/** The six sites that ship with WebArena, in one picture: signed in, each with something on it. */
import type { Browser } from 'playwright-core';
import { SiteServer } from '../src/envs/webarena/sites/server.ts';
import type { Site } from '../src/envs/webarena/tasks/sites.ts';

const pages: readonly (readonly [Site, string])[] = [
  ['shopping', '/'],
  ['shopping_admin', ''],
  ['reddit', '/'],
  ['gitlab', '/maren/tide-tables'],
  ['map', '/directions?from=The+Anchor&to=Town+Hall&mode=bike'],
  ['wikipedia', '/wiki/merrow-bay'],
];
const one = { width: 1060, height: 600 };

/** Three beside each other, two rows of them, as WebP of this many pixels across. */
export async function sitesPicture(browser: Browser, width: number, quality: number): Promise<Buffer> {
  await using server = await SiteServer.start();
  const context = await browser.newContext({ viewport: one });
  const cookies = server.cookies(pages.map(([site]) => site));
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: server.addresses.shopping })));
  const page = await context.newPage();
  const pictures: string[] = [];
  for (const [site, path] of pages) {
    const answer = await page.goto(`${server.addresses[site].replace(/\/$/, '')}${path}`);
    if (answer?.ok() !== true) throw new Error(`${site}${path} answered ${String(answer?.status())}`);
    pictures.push(`data:image/png;base64,${(await page.screenshot()).toString('base64')}`);
  }
  const height = Math.round((width / 3) * (one.height / one.width)) * 2;
  await page.setViewportSize({ width, height });
  await page.setContent(
    `<body style="margin:0;display:grid;grid-template-columns:1fr 1fr 1fr;background:#d8dbe2">${pictures
      .map((source) => `<img src="${source}" alt="" style="width:100%;padding:8px;border-radius:16px;box-sizing:border-box">`)
      .join('')}</body>`,
  );
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  await context.close();
  return Buffer.from(data, 'base64');
}
