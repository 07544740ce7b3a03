import { defineWords } from './define-words.ts';

export const LOST_ANSWERS = defineWords({
  en: {
    whetherDone: 'whether this was done',
    notKnown: (whether: string) => `No answer. It is not known ${whether}.`,
    notDone: (time: string) => `The server says that it was not done, as of ${time}. You can try again.`,
    noAnswer: 'The server does not answer. Try again in a moment.',
    offline: 'This device is offline. Try again when it is connected.',
  },
  de: {
    whetherDone: 'ob das ausgeführt wurde',
    notKnown: (whether) => `Keine Antwort. Es ist nicht bekannt, ${whether}.`,
    notDone: (time) =>
      `Laut Server wurde es nicht ausgeführt (Stand ${time} Uhr). Sie können es erneut versuchen.`,
    noAnswer: 'Der Server antwortet nicht. Bitte versuchen Sie es gleich noch einmal.',
    offline: 'Dieses Gerät ist offline. Bitte versuchen Sie es erneut, wenn es verbunden ist.',
  },
});
