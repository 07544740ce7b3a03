import { useSyncExternalStore } from 'react';
import type { Language } from './define-words.ts';

export const LANGUAGES: Record<Language, string> = { en: 'English', de: 'Deutsch' };

const KEY = 'platform.language';

const isLanguage = (tag: string | null | undefined): tag is Language =>
  typeof tag === 'string' && Object.hasOwn(LANGUAGES, tag);

/** The first language of the browser that the pages have, else English. */
const matchLanguage = (tags: readonly string[]): Language =>
  tags.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';

/** Undefined if the person has chosen none, or the storage is switched off. */
const readChosen = (): Language | undefined => {
  try {
    const stored = localStorage.getItem(KEY);
    return isLanguage(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
};

let chosen = readChosen();
let current = chosen ?? matchLanguage(navigator.languages);
const listeners = new Set<() => void>();

const show = (language: Language): void => {
  current = language;
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
};
show(current);

type Loader = (language: Language) => Promise<unknown>;
const loaders: Loader[] = [];

/** Registers the loading of words that must be there before a language is shown. */
export const beforeLanguage = (load: Loader): void => {
  loaders.push(load);
};

export const loadLanguage = async (language: Language): Promise<void> => {
  await Promise.all(loaders.map((load) => load(language)));
};

/** Without a connection, the page stays in the language that it has. */
const change = async (language: Language): Promise<void> => {
  await loadLanguage(language);
  // The person may have chosen again meanwhile.
  if (language === (chosen ?? matchLanguage(navigator.languages))) show(language);
};

// Another tab has chosen a language.
window.addEventListener('storage', ({ key }) => {
  if (key !== KEY) return;
  chosen = readChosen();
  void change(chosen ?? matchLanguage(navigator.languages));
});

export const getLanguage = (): Language => current;

/** For the header Accept-Language. Without a choice, the browser sends its own list. */
export const getChosenLanguage = (): Language | undefined => chosen;

export const chooseLanguage = (language: Language): void => {
  chosen = language;
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The choice lasts until the page is left.
  }
  void change(language);
};

const subscribeToLanguage = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLanguage = (): Language => useSyncExternalStore(subscribeToLanguage, getLanguage);
