import { createStore } from '../page/store.ts';
import { inBrowser } from '../page/stored.ts';
import { loadCatalogue } from './catalogues.ts';
import type { Language } from './define-words.ts';

export const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch' };

const KEY = 'platform.language';

const isLanguage = (tag: string | null | undefined): tag is Language =>
  typeof tag === 'string' && Object.hasOwn(LANGUAGES, tag);

export const toLanguage = (tag: string | null): Language | undefined => (isLanguage(tag) ? tag : undefined);

/** The first language of the browser that the pages have, else English. */
const matchLanguage = (tags: readonly string[]): Language =>
  tags.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';

/** Undefined if the person has chosen none, or the storage is switched off. */
const readChosen = (): Language | undefined => toLanguage(inBrowser.read(KEY));

const toCurrent = (chosen: Language | undefined): Language => chosen ?? matchLanguage(navigator.languages);

/** A store, because messages of errors and requests, which are no components, need the language, too. */
const languages = createStore({ chosen: readChosen(), current: toCurrent(readChosen()) });

export const getLanguage = (): Language => languages.get().current;
export const useLanguage = (): Language => languages.use(({ current }) => current);

/** For the header Accept-Language. Without a choice, the browser sends its own list. */
export const getChosenLanguage = (): Language | undefined => languages.get().chosen;

const show = (language: Language): void => {
  document.documentElement.lang = language;
  languages.set({ current: language });
};
show(getLanguage());

/** Without a connection, the page stays in the language that it has. */
const change = async (): Promise<void> => {
  const language = toCurrent(getChosenLanguage());
  try {
    await loadCatalogue(language);
  } catch {
    return;
  }
  // The person may have chosen again meanwhile.
  if (language === toCurrent(getChosenLanguage())) show(language);
};

// Another tab has chosen a language.
window.addEventListener('storage', ({ key }) => {
  if (key !== KEY) return;
  languages.set({ chosen: readChosen() });
  void change();
});

/** Resolves when the page is in the language. One that a link names does not replace the person's choice. */
export const chooseLanguage = async (language: Language, { isOfLink = false } = {}): Promise<void> => {
  languages.set({ chosen: language });
  if (!(isOfLink && readChosen())) inBrowser.save(KEY, language);
  await change();
};
