/** The state of an environment that has no picture of its own, as it was written down. */
import { visible } from '../parts/visible.ts';

/** Characters; a state may be a whole world. */
const longest = 4000;

export function StatePicture({ state }: { readonly state: unknown }) {
  const text = JSON.stringify(state, null, 2);
  return (
    <div class="picture">
      <pre class="file">{visible(text.length > longest ? `${text.slice(0, longest)} …` : text)}</pre>
    </div>
  );
}
