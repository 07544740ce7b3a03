import type { Words } from './define-words.ts';
import { getLanguage, useLanguage } from './language.ts';

/** Renders again when the person chooses another language. */
export const useWords = <Entries>(words: Words<Entries>): Entries => words[useLanguage()];

/** For code outside of components. */
export const getWords = <Entries>(words: Words<Entries>): Entries => words[getLanguage()];
