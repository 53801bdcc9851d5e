/** TextCraft's inventory as a row of things and their counts. */
import type { TextCraftState } from '../../../src/envs/textcraft/textcraft.ts';
import { usePhrases } from '../language.ts';
import { visible } from '../components/visible.ts';

export function InventoryPicture({ state }: { readonly state: unknown }) {
  const t = usePhrases();
  const items = inventoryOf(state);
  return (
    <div class="picture">
      <span class="who">{t('Inventory')}</span>
      <ul class="chips">
        {items.length === 0 ? (
          <li class="muted">{t('Nothing yet')}</li>
        ) : (
          items.map(({ item, count }) => <li key={item}>{visible(`${String(count)} × ${item}`)}</li>)
        )}
      </ul>
    </div>
  );
}

/** Recorded state may be of another version: what does not look like an inventory is shown as an empty one. */
function inventoryOf(state: unknown): TextCraftState['inventory'] {
  const { inventory } = state as Partial<TextCraftState>;
  return Array.isArray(inventory) ? (inventory as TextCraftState['inventory']) : [];
}
