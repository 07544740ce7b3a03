import { isPlatformError } from '@platform/client';
import { createMessages, type Messages } from '@platform/client/messages';
import { catalogues } from '../words/catalogues.ts';
import { formatTime } from '../words/formats.ts';
import { getLanguage } from '../words/language.ts';
import { LOST_ANSWERS } from '../words/lost-answers.ts';
import { getWords } from '../words/words.ts';
import { isLostAnswer, NotDoneError } from './lost-answers.ts';

const messages = createMessages(
  {
    get language() {
      return getLanguage();
    },
  },
  catalogues as Record<string, Messages>,
);

export const fieldErrors: typeof messages.fieldErrors = (error) =>
  Object.keys(catalogues).length === 0 ? {} : messages.fieldErrors(error);

/** The sentence for an error, in the language of the page. Only the browser knows whether its network is down. */
export const messageOf = (error: unknown): string => {
  const words = getWords(LOST_ANSWERS);
  if (error instanceof NotDoneError) return words.notDone(formatTime(error.at));
  // The catalogues could not be loaded, so there is no connection.
  if (Object.keys(catalogues).length === 0) return words.noAnswer;
  if (!isPlatformError(error, 'GATEWAY_UNREACHABLE')) return messages.messageOf(error);
  if (!navigator.onLine) return words.offline;
  return isLostAnswer(error) ? words.notKnown(words.whetherDone) : words.noAnswer;
};
