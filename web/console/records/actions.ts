import type { AuditAction } from '@platform/client';
import type { Language } from '../../words/define-words.ts';
import { GERMAN_ACTIONS } from './actions-de.ts';
import { type ActionTexts, ENGLISH_ACTIONS } from './actions-en.ts';

/** An action of a later release has no texts, and is shown by its name in the API. */
type OfActions<Value> = Partial<Record<AuditAction, Value>>;

type Sentence = readonly [
  inLog: string,
  aboutUser: string,
  toThemselves: string,
  aboutUserToThemselves: string,
];
export type Sentences = OfActions<Sentence>;

/** Matches the start of a sentence that the page of a person omits: the person, in German also the verb and the article. */
const PERSON: Record<Language, RegExp> = {
  en: /^\{(?:actor|target)\} /,
  de: /^\{(?:actor|target)\} hat (?:(?:das|den|die|ein|eine|einen) (?:eigene )?)?/,
};

/** Two texts for one place: that of the log, and that of the page of the user. */
const CHOICE = /\[([^|\]]*)\|?([^\]]*)\]/g;

const toSentence = ([, sentence, toThemselves = sentence]: ActionTexts, language: Language): Sentence => {
  const inLog = (text: string): string => text.replace(CHOICE, '$1');
  const aboutUser = (text: string): string =>
    text.includes('[') ? text.replace(CHOICE, '$2') : text.replace(PERSON[language], '');
  return [inLog(sentence), aboutUser(sentence), inLog(toThemselves), aboutUser(toThemselves)];
};

const TEXTS: Record<Language, OfActions<ActionTexts>> = {
  en: Object.assign({}, ...Object.values(ENGLISH_ACTIONS)),
  de: GERMAN_ACTIONS,
};

const fromTexts = <Value>(toValue: (texts: ActionTexts, language: Language) => Value) => {
  const of = (language: Language): OfActions<Value> =>
    Object.fromEntries(
      Object.entries(TEXTS[language]).map(([action, texts]) => [action, toValue(texts, language)]),
    );
  return { en: of('en'), de: of('de') };
};

export const ACTION_NAMES = fromTexts(([name]) => name);
export const SENTENCES = fromTexts(toSentence);
