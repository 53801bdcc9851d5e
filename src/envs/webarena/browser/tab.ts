/** One tab: a page, its connection to Chromium's own protocol, and the requests it has under way. */
import type { CDPSession, Page } from 'playwright-core';
import { AgogeError } from '../../../core/error.ts';
import { limited } from '../../../core/deadline.ts';
import { accessibilityTree } from '../observation/accessibility-tree.ts';
import { plainTree } from '../observation/plain.ts';
import { domText } from '../observation/dom-text.ts';
import type { Box, TreeText, Viewport } from '../observation/nodes.ts';
import { accessibilityNodes, boxesOf, takeSnapshot, unplacedNodes } from './page-nodes.ts';
import { settle, Traffic, type Settling } from './settle.ts';

export interface Look {
  /** The original's two texts, and the one of the shipped sites, which every backend writes alike. */
  readonly observation: 'accessibility_tree' | 'html' | 'plain';
  /** Show only what is in this part of the page; undefined shows all of it. */
  readonly viewport: Viewport | undefined;
}

/** Reading more than that would take minutes and gigabytes. */
const MOST_ELEMENTS = 50_000;

export class Tab {
  private readonly traffic: Traffic;
  private session: CDPSession | undefined;

  constructor(readonly page: Page) {
    this.traffic = new Traffic(page);
    // Dialogs would stop the page for good: they are dismissed, and leaving a page is always allowed.
    page.on('dialog', (dialog) => {
      void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
    });
  }

  /** Its renderer died; nothing can be asked of it any more. */
  get crashed(): boolean {
    return this.traffic.crashed;
  }

  async title(): Promise<string> {
    return this.crashed ? '' : this.page.title().catch(() => '');
  }

  /** False where the page is still on its way at that time. */
  settle(how: Settling, last: number): Promise<boolean> {
    return settle(this.page, this.traffic, how, last);
  }

  /** Where an element is now; undefined where it is nowhere. */
  async boxOf(backendNodeId: number): Promise<Box | undefined> {
    const boxes = await boxesOf(await this.client(), [backendNodeId], new AbortController().signal);
    return boxes.get(backendNodeId);
  }

  /** The text of the page. A document that goes away meanwhile is looked at again; throws ENV_PAGE_SILENT after `patience`. */
  async look({ observation, viewport }: Look, patience: number): Promise<TreeText> {
    const end = Date.now() + patience;
    for (;;) {
      try {
        return await limited(
          Math.max(1, end - Date.now()),
          (signal) => this.read(observation, viewport, signal),
          'ENV_PAGE_SILENT',
          'reading the page',
        );
      } catch (thrown) {
        if (this.crashed || this.page.isClosed() || Date.now() >= end) {
          throw AgogeError.from(thrown, 'ENV_PAGE_SILENT', 'the page could not be read; play the task again');
        }
        await this.page.waitForLoadState('load', { timeout: 500 }).catch(() => undefined);
      }
    }
  }

  private async read(observation: Look['observation'], viewport: Viewport | undefined, signal: AbortSignal): Promise<TreeText> {
    const client = await this.client();
    const elements = await this.page.evaluate<number>('document.getElementsByTagName("*").length');
    if (elements > MOST_ELEMENTS) {
      return {
        text: `This page has ${elements} elements, more than can be read. Go back or visit another page.`,
        nodes: new Map(),
      };
    }
    if (observation === 'plain') return plainTree(await unplacedNodes(client));
    const snapshot = await takeSnapshot(client);
    if (observation === 'accessibility_tree') {
      // Only while it is looked at: otherwise Chromium numbers nodes while a page loads, as chance has it, and not in reading order.
      await client.send('Accessibility.enable');
      try {
        return accessibilityTree(await accessibilityNodes(client, signal), { viewport });
      } finally {
        await client.send('Accessibility.disable').catch(() => undefined);
      }
    }
    const ids = snapshot.documents[0]?.nodes.backendNodeId ?? [];
    return domText(snapshot, await boxesOf(client, ids, signal), { viewport });
  }

  private async client(): Promise<CDPSession> {
    this.session ??= await this.page.context().newCDPSession(this.page);
    return this.session;
  }
}
