/** What an environment's recorded state looks like: its picture, or the state itself where there is none (one of the user's own). */
import type { JSX } from 'preact';
import { AnswerPicture } from './answer.tsx';
import { DatabasePicture } from './database.tsx';
import { FilmPicture } from './film.tsx';
import { GridPicture } from './grid.tsx';
import { MazePicture } from './maze.tsx';
import { HousePicture } from './house.tsx';
import { InventoryPicture } from './inventory.tsx';
import { PagePicture } from './page.tsx';
import { PapersPicture } from './papers.tsx';
import { PassagesPicture } from './passages.tsx';
import { RoomPicture } from './room.tsx';
import { SheetPicture } from './sheet.tsx';
import { ShopPicture } from './shop.tsx';
import { StatePicture } from './state.tsx';
import { TodoPicture } from './todo.tsx';
import { WeatherPicture } from './weather.tsx';
import { WordlePicture } from './wordle.tsx';

const pictures: Readonly<Record<string, (props: { readonly state: unknown }) => JSX.Element | null>> = {
  textcraft: InventoryPicture,
  babyai: GridPicture,
  webshop: ShopPicture,
  maze: MazePicture,
  wordle: WordlePicture,
  alfworld: RoomPicture,
  sciworld: HousePicture,
  sqlgym: DatabasePicture,
  searchqa: PassagesPicture,
  webarena: PagePicture,
  weather: WeatherPicture,
  movie: FilmPicture,
  academia: PapersPicture,
  todo: TodoPicture,
  sheet: SheetPicture,
  data: AnswerPicture,
};

export function Picture({ environment, state }: { readonly environment: string; readonly state: unknown }) {
  if (state === undefined || state === null) return null;
  const Drawn = pictures[environment] ?? StatePicture;
  return <Drawn state={state} />;
}
