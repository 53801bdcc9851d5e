/** All that errors say in Chinese: their sentences, and the parts that stand in them. */
import type { Texts } from '../translator.ts';
import { commandErrors } from './command.ts';
import { dataErrors } from './data.ts';
import { engineErrors } from './engine.ts';
import { envErrors } from './env.ts';
import { learnErrors } from './learn.ts';
import { modelErrors } from './model.ts';
import { parts } from './parts.ts';
import { engineParts } from './parts-engine.ts';
import { envParts } from './parts-env.ts';
import { modelParts } from './parts-model.ts';
import { reportErrors } from './report.ts';
import { runErrors } from './run.ts';
import { tinkerErrors } from './tinker.ts';
import { webarenaErrors } from './webarena.ts';
import { worldErrors } from './world.ts';

export const errorTexts: Texts = {
  ...commandErrors,
  ...dataErrors,
  ...runErrors,
  ...worldErrors,
  ...engineErrors,
  ...tinkerErrors,
  ...modelErrors,
  ...learnErrors,
  ...reportErrors,
  ...envErrors,
  ...webarenaErrors,
  ...parts,
  ...engineParts,
  ...modelParts,
  ...envParts,
};
