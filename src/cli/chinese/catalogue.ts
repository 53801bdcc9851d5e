/** All that the command line says in Chinese. A test holds it to the commands and errors that there are. */
import { diagnosisTexts } from './diagnosis.ts';
import { doctorTexts } from './doctor.ts';
import { commandErrors } from './errors-command.ts';
import { dataErrors } from './errors-data.ts';
import { runErrors } from './errors-run.ts';
import { worldErrors } from './errors-world.ts';
import { machineHelp } from './help-machine.ts';
import { playHelp } from './help-play.ts';
import { trainHelp } from './help-train.ts';
import { progressTexts } from './progress.ts';
import { Translator, type Texts } from './translator.ts';

export const chineseTexts: Texts = {
  ...playHelp,
  ...trainHelp,
  ...machineHelp,
  ...progressTexts,
  ...doctorTexts,
  ...diagnosisTexts,
  ...commandErrors,
  ...dataErrors,
  ...runErrors,
  ...worldErrors,
};

const translator = new Translator(chineseTexts);

/** A text of one or several lines; what is not in the catalogue stays English. */
export function inChinese(text: string): string {
  return translator.text(text);
}
