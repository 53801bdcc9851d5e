/** ScienceWorld's house as a plan, drawn by the environment's own renderer. As an image it cannot run anything. */
import { renderSvg } from '../../../src/envs/sciworld/render.ts';
import { isSciWorldState } from '../../../src/envs/sciworld/state.ts';

export function HousePicture({ state }: { readonly state: unknown }) {
  if (!isSciWorldState(state)) return null;
  return <img class="picture house" alt={state.task} src={`data:image/svg+xml,${encodeURIComponent(renderSvg(state))}`} />;
}
