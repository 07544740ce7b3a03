import { defineWords } from './define-words.ts';

export const FOR_SEVERAL = defineWords({
  en: {
    progress: (what: string, current: string, total: string) => `${what} ${current} of ${total} …`,
    failed: (failed: string, total: string) => `${failed} of ${total} did not work`,
    notTried: 'Not tried.',
    again: (count: string) => `Try ${count} again`,
    typeCount: (count: number) => `Type ${count} to confirm`,
  },
  de: {
    progress: (what, current, total) => `${what}: ${current} von ${total} …`,
    failed: (failed, total) => `Bei ${failed} von ${total} hat es nicht geklappt`,
    notTried: 'Nicht versucht.',
    again: (count) => `${count} erneut versuchen`,
    typeCount: (count) => `Zur Bestätigung ${count} eingeben`,
  },
});
