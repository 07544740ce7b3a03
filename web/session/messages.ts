import { createMessages } from '@platform/client/messages';
import { GERMAN } from '@platform/client/messages/de';
import { ENGLISH } from '@platform/client/messages/en';
import { getLanguage } from '../words/language.ts';

/** The sentences for the API's errors, in the language of the page. */
export const { messageOf, fieldErrors } = createMessages(
  {
    get language() {
      return getLanguage();
    },
  },
  { en: ENGLISH, de: GERMAN },
);
