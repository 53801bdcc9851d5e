/** All that the command line says in Chinese. Tests hold it to the commands and errors that there are. */
import { diagnosisTexts } from './diagnosis.ts';
import { doctorTexts } from './doctor.ts';
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
};

let translator = new Translator(chineseTexts);

/** A text of one or several lines; what is not in the catalogue stays English. */
export function inChinese(text: string): string {
  return translator.text(text);
}

/** What errors say, which is as much as all the rest: loaded when a command begins to work, not for its help. */
export async function learnErrors(): Promise<void> {
  const { errorTexts } = await import('./errors/errors.ts');
  translator = new Translator(chineseTexts, errorTexts);
}
