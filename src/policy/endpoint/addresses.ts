/**
 * Several servers of one model (`http://a:8000/v1,http://b:8000/v1`): a request goes where the fewest are in hand. One that gave no answer
 * is left alone for a while, then asked by a single request; one that announces a wait is left alone that long.
 */

export interface Address {
  readonly baseUrl: string;
  inHand: number;
  /** Failures since its last answer. */
  failures: number;
  notBefore: number;
  /** Whose server it is, as it says itself; empty where it does not say. */
  owner?: string;
}

/** The addresses in a list, each without its last slash. */
export function baseUrls(list: string): string[] {
  return list.split(/,(?=https?:\/\/)/).map((url) => url.replace(/\/$/, ''));
}

const longestRest = 30_000;

export class Addresses {
  private readonly all: readonly Address[];

  constructor(
    list: string,
    /** The rest after a first failure, in milliseconds; doubles. */
    private readonly firstRest: number,
  ) {
    this.all = baseUrls(list).map((baseUrl) => ({ baseUrl, inHand: 0, failures: 0, notBefore: 0 }));
  }

  /** The one to ask now; where all rest, the one whose rest ends first. */
  choose(now = Date.now()): Address {
    return this.all.reduce((best, other) => (before(other, best, now) ? other : best));
  }

  /** Milliseconds until one may be asked. */
  wait(now = Date.now()): number {
    return Math.max(0, Math.min(...this.all.map(({ notBefore }) => notBefore)) - now);
  }

  answered(address: Address): void {
    address.failures = 0;
  }

  /** No answer, or none that can be used. A single server rests only where it says so itself: each request waits by itself. */
  failed(address: Address, announced: number | undefined, now = Date.now()): void {
    const rest = this.all.length > 1 ? Math.min(longestRest, this.firstRest * 2 ** address.failures++) : 0;
    address.notBefore = Math.max(address.notBefore, now + (announced ?? rest));
  }

  /** Whether a request that failed may go elsewhere at once. */
  elsewhere(now = Date.now()): boolean {
    return this.all.length > 1 && this.all.some((address) => free(address, now));
  }
}

/** Rested; after a failure one request at a time finds out whether it is back. */
function free({ notBefore, failures, inHand }: Address, now: number): boolean {
  return notBefore <= now && (failures === 0 || inHand === 0);
}

function before(a: Address, b: Address, now: number): boolean {
  if (free(a, now) !== free(b, now)) return free(a, now);
  return free(a, now) ? a.inHand < b.inHand : a.notBefore < b.notBefore;
}
