/** The state of an environment that the dashboard has no picture of: the one it brings itself, else the state as it was written down. */
import { visible } from '../components/visible.ts';

/** Characters; a state may be a whole world. */
const longest = 4000;

/** An SVG that the environment drew itself stands as an image, so that nothing in it runs. */
export function StatePicture({ state }: { readonly state: unknown }) {
  const drawn = typeof state === 'object' && state !== null && 'picture' in state ? state.picture : undefined;
  if (typeof drawn === 'string' && drawn.trimStart().startsWith('<svg')) {
    return (
      <div class="picture">
        <img src={`data:image/svg+xml;utf8,${encodeURIComponent(drawn)}`} alt="" />
      </div>
    );
  }
  const text = JSON.stringify(state, null, 2);
  return (
    <div class="picture">
      <pre class="file">{visible(text.length > longest ? `${text.slice(0, longest)} …` : text)}</pre>
    </div>
  );
}
