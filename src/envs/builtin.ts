/** Registers the environments that ship. An environment's index.ts is light: its data is loaded when the environment is. */
import { alfWorldEntry } from './alfworld/index.ts';
import { babyAIEntry } from './babyai/index.ts';
import { dataEntry } from './data/index.ts';
import { inventedEntry } from './invented/index.ts';
import { mazeEntry } from './maze/index.ts';
import type { EnvironmentEntry } from './registry.ts';
import { registerEnvironment } from './registry.ts';
import { sciWorldEntry } from './sciworld/index.ts';
import { searchQAEntry } from './searchqa/index.ts';
import { sqlGymEntry } from './sqlgym/index.ts';
import { textCraftEntry } from './textcraft/index.ts';
import { toolEntries } from './tools/index.ts';
import { webArenaEntry } from './webarena/index.ts';
import { webShopEntry } from './webshop/index.ts';
import { wordleEntry } from './wordle/index.ts';

const builtin: readonly EnvironmentEntry[] = [
  textCraftEntry,
  babyAIEntry,
  webShopEntry,
  alfWorldEntry,
  sciWorldEntry,
  mazeEntry,
  wordleEntry,
  sqlGymEntry,
  searchQAEntry,
  ...toolEntries,
  dataEntry,
  webArenaEntry,
  inventedEntry,
];

for (const entry of builtin) registerEnvironment(entry);
