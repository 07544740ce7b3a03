import type { Words } from './define-words.ts';
import { getLanguage, useLanguage } from './language.ts';

/** Renders again when the person chooses another language. */
export const useWords = <Entries>(words: Words<Entries>): Entries => words[useLanguage()];

/** The words in the current language, for code outside of components. */
export const getWords = <Entries>(words: Words<Entries>): Entries => words[getLanguage()];
