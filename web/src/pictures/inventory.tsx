/** TextCraft's inventory as a row of things and their counts. */
import { usePhrases } from '../language.ts';

export function InventoryPicture({ state }: { readonly state: unknown }) {
  const t = usePhrases();
  const items = Object.entries(inventoryOf(state));
  return (
    <ul class="chips picture" aria-label={t('Inventory')}>
      {items.length === 0 ? <li class="muted">∅</li> : items.map(([name, count]) => <li key={name}>{`${String(count)} × ${name}`}</li>)}
    </ul>
  );
}

function inventoryOf(state: unknown): Readonly<Record<string, number>> {
  if (typeof state !== 'object' || state === null || !('inventory' in state)) return {};
  const { inventory } = state;
  return typeof inventory === 'object' && inventory !== null ? (inventory as Record<string, number>) : {};
}
