import { createMessages, type Messages } from '@platform/client/messages';
import { getLanguage, type Language, subscribeToLanguage } from '../words/language.ts';

const LOADERS: Record<Language, () => Promise<Messages>> = {
  en: async () => (await import('@platform/client/messages/en')).ENGLISH,
  de: async () => (await import('@platform/client/messages/de')).GERMAN,
};

/** Those of the languages that were shown. */
const catalogues: Partial<Record<Language, Messages>> = {};

export const loadMessages = async (language: Language): Promise<void> => {
  catalogues[language] ??= await LOADERS[language]();
};
// Another tab may have chosen the language.
subscribeToLanguage(() => void loadMessages(getLanguage()));

/** The sentences for the API's errors, in the language of the page. */
export const { messageOf, fieldErrors } = createMessages(
  {
    get language() {
      return getLanguage();
    },
  },
  catalogues as Record<string, Messages>,
);
