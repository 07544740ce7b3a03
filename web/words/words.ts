import { getLanguage, type Language, useLanguage } from './language.ts';

/** The words of one part of the pages, in each language. A missing word does not compile. */
type Words<Entries> = Record<Language, Entries>;

export const defineWords = <Entries extends object>(words: {
  en: Entries;
  de: NoInfer<Entries>;
}): Words<Entries> => words;

/** Renders again when the person chooses another language. */
export const useWords = <Entries>(words: Words<Entries>): Entries => words[useLanguage()];

/** For code outside of components. */
export const getWords = <Entries>(words: Words<Entries>): Entries => words[getLanguage()];
