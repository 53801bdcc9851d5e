/** A share of successes with its interval, as text. */
import type { Share } from '../../../src/dashboard/model.ts';
import { percent } from './numbers.ts';

export function ShareText({ share }: { readonly share: Share }) {
  return (
    <span class="share" title={`n = ${String(share.n)}`}>
      {percent(share.success)}
      {Number.isFinite(share.success) && Number.isFinite(share.low) && Number.isFinite(share.high) && (
        <span class="muted">
          {' '}
          [{whole(share.low)}, {whole(share.high)}]
        </span>
      )}
    </span>
  );
}

function whole(value: number): string {
  return (100 * value).toFixed(0);
}
