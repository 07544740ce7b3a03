import { createMessages, type Messages } from '@platform/client/messages';
import { catalogues } from '../words/catalogues.ts';
import { getLanguage } from '../words/language.ts';

/** The sentences for the API's errors, in the language of the page. */
export const { messageOf, fieldErrors } = createMessages(
  {
    get language() {
      return getLanguage();
    },
  },
  catalogues as Record<string, Messages>,
);
