/** Responses that may be gone on from by their id: the newest ones, in memory only. */
import { AgogeError } from '../../core/error.ts';
import type { ResponseItem } from './responses-schema.ts';

const most = 1000;

export class ResponseMemory {
  private readonly items = new Map<string, readonly ResponseItem[]>();

  /** The conversation up to a response. */
  upTo(id: string): readonly ResponseItem[] {
    const found = this.items.get(id);
    if (found) return found;
    throw new AgogeError('ENGINE_BAD_REQUEST', `the response "${id}" is not known here (any more): send its items as input`);
  }

  keep(id: string, items: readonly ResponseItem[]): void {
    this.items.set(id, items);
    if (this.items.size <= most) return;
    const [oldest] = this.items.keys();
    if (oldest !== undefined) this.items.delete(oldest);
  }
}
