import type { Language } from '../../words/define-words.ts';
import type { Sentences } from './sentence.ts';
import { GERMAN_SENTENCES } from './sentences-de.ts';
import { ENGLISH_SENTENCES } from './sentences-en.ts';

export const SENTENCES: Record<Language, Sentences> = { en: ENGLISH_SENTENCES, de: GERMAN_SENTENCES };
