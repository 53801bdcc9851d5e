/** ALFWorld's room as far as the player has seen it, drawn by the environment's own renderer. As an image it cannot run anything. */
import { renderSvg } from '../../../src/envs/alfworld/render.ts';
import { isAlfWorldState } from '../../../src/envs/alfworld/state.ts';

export function RoomPicture({ state }: { readonly state: unknown }) {
  if (!isAlfWorldState(state)) return null;
  return <img class="picture room" alt={state.task} src={`data:image/svg+xml,${encodeURIComponent(renderSvg(state))}`} />;
}
