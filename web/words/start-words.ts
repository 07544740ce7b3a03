import type { Language } from './define-words.ts';
import { beforeLanguage } from './language.ts';

/** The words of the first screen. Only the languages that were shown are loaded. */
type StartWords = typeof import('./start-en.ts');

const LOADERS: Record<Language, () => Promise<StartWords>> = {
  en: () => import('./start-en.ts'),
  de: () => import('./start-de.ts'),
};

const loaded: Partial<Record<Language, StartWords>> = {};

beforeLanguage(async (language) => {
  loaded[language] ??= await LOADERS[language]();
});

const read = <Part extends keyof StartWords>(language: Language, part: Part): StartWords[Part] => {
  const words = loaded[language];
  if (!words) throw new Error(`The words of ${language} are not loaded`);
  return words[part];
};

/** One part of these words, for `useWords`. */
export const startWords = <Part extends keyof StartWords>(
  part: Part,
): Record<Language, StartWords[Part]> => ({
  get en() {
    return read('en', part);
  },
  get de() {
    return read('de', part);
  },
});
