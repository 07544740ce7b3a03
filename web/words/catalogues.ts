import type { Messages } from '@platform/client/messages';
import type { Language } from './define-words.ts';

const LOADERS: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('@platform/client/messages/en')).ENGLISH,
  de: async () => (await import('@platform/client/messages/de')).GERMAN,
};

/**
 * The sentences for the API's errors, in the languages that were shown. In memory, because a page that renders cannot
 * wait for an import.
 */
export const catalogues: Partial<Record<Language, Messages>> = {};

/** Must be there before a language is shown. */
export const loadCatalogue = async (language: Language): Promise<void> => {
  catalogues[language] ??= await LOADERS[language]();
};
