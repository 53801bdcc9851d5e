/** BabyAI's grid, drawn by the environment's own renderer. As an image it cannot run anything. */
import { renderSvg } from '../../../src/envs/babyai/render.ts';
import { isBabyAIState } from '../../../src/envs/babyai/state.ts';

export function GridPicture({ state }: { readonly state: unknown }) {
  if (!isBabyAIState(state)) return null;
  return <img class="picture grid" alt={state.mission} src={`data:image/svg+xml,${encodeURIComponent(renderSvg(state))}`} />;
}
