/**
 * The language that people are told things in: English as the source says it, or Chinese (`AGOGE_LANG=zh`, or a locale that says so).
 * It is chosen once, before the first word; the catalogue is loaded only where it is needed. What machines read (JSON, files, codes)
 * never comes through here.
 */
let translate: ((text: string) => string) | undefined;
/** What is still to be loaded for errors. */
let errors: (() => Promise<void>) | undefined;

/** AGOGE_LANG decides; without it the locale, in the order that POSIX gives its variables. Anything but Chinese is English. */
export function languageOf(environment: NodeJS.ProcessEnv): 'en' | 'zh' {
  const named = ['AGOGE_LANG', 'LC_ALL', 'LC_MESSAGES', 'LANG'].map((name) => environment[name]).find(Boolean) ?? '';
  return /^zh(?:$|[-_.@])/i.test(named) ? 'zh' : 'en';
}

/** Before the first word is said. */
export async function useLanguage(language = languageOf(process.env)): Promise<void> {
  const chinese = language === 'zh' ? await import('../chinese/catalogue.ts') : undefined;
  translate = chinese?.inChinese;
  errors = chinese?.learnErrors;
}

/** Before a command begins to work, and before an error is told. */
export async function useErrors(): Promise<void> {
  const learn = errors;
  errors = undefined;
  await learn?.();
}

/** A text of one or several lines as it is told; what has no translation stays as it is. */
export function say(text: string): string {
  return translate === undefined ? text : translate(text);
}

/** For commands that run this program and keep its words in files: those are always English. */
export function englishChild(): NodeJS.ProcessEnv {
  return { ...process.env, AGOGE_LANG: 'en' };
}
