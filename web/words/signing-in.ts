import { startWords } from './start-words.ts';

export const SIGNING_IN = startWords('SIGNING_IN');
