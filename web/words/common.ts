import { startWords } from './start-words.ts';

/** The words that the components and several screens use. */
export const COMMON = startWords('COMMON');
