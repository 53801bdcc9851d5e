/** `agoge data`: AgentGym's files, verl's parquet, chat JSONL and our own episodes, in and out. */
import type { Command } from '@commander-js/extra-typings';
import { registerConvert } from './convert.ts';
import { registerInspect, registerValidate } from './examine.ts';
import { FORMATS } from './formats.ts';
import { registerImport } from './import.ts';
import { registerDemonstrate, registerSample } from './sample.ts';
import { registerDedupe, registerSplit } from './select.ts';

export function register(data: Command): void {
  data.addHelpText(
    'after',
    `
Formats (recognised by content): ${FORMATS}
Examples:
  agoge data inspect AgentTraj-L/textcraft_train.json
  agoge data convert AgentGym-RL-Data/train/webshop_train.json webshop.parquet
  agoge data demonstrate textcraft --split train --out demonstrations.json
  agoge data import traces.jsonl --reward ./reward.ts --out support
`,
  );
  registerConvert(data);
  registerInspect(data);
  registerValidate(data);
  registerSample(data);
  registerDemonstrate(data);
  registerSplit(data);
  registerDedupe(data);
  registerImport(data);
  for (const command of data.commands) command.exitOverride();
}
