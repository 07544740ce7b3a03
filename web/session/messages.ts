import { createMessages, type Messages } from '@platform/client/messages';
import type { Language } from '../words/define-words.ts';
import { beforeLanguage, getLanguage } from '../words/language.ts';

const LOADERS: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('@platform/client/messages/en')).ENGLISH,
  de: async () => (await import('@platform/client/messages/de')).GERMAN,
};

/** The catalogues of the languages shown so far. */
const catalogues: Partial<Record<Language, Messages>> = {};

beforeLanguage(async (language) => {
  catalogues[language] ??= await LOADERS[language]();
});

/** The sentences for the API's errors, in the language of the page. */
export const { messageOf, fieldErrors } = createMessages(
  {
    get language() {
      return getLanguage();
    },
  },
  catalogues as Record<string, Messages>,
);
