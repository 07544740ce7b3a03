export type Language = 'en' | 'de';

/** The words of one part of the pages, in each language. A missing word does not compile. */
export type Words<Entries> = Record<Language, Entries>;

/** Needs no browser, so tests read the words that they look for. */
export const defineWords = <Entries extends object>(words: {
  en: Entries;
  de: NoInfer<Entries>;
}): Words<Entries> => words;
