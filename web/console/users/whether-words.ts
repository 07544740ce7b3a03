import { defineWords } from '../../words/define-words.ts';

/** What is not known while the answer to an action is lost. */
export const WHETHER = defineWords({
  en: {
    blocked: (name: string) => `whether ${name} is blocked`,
    role: (name: string) => `whether the role of ${name} has changed`,
    note: 'whether the note is saved',
    ended: (name: string) => `whether ${name} is signed out`,
    factors: (name: string) => `whether the factors of ${name} are removed`,
    deleted: (name: string) => `whether the account of ${name} is deleted`,
  },
  de: {
    blocked: (name) => `ob ${name} gesperrt ist`,
    role: (name) => `ob die Rolle von ${name} geändert ist`,
    note: 'ob die Notiz gespeichert ist',
    ended: (name) => `ob ${name} abgemeldet ist`,
    factors: (name) => `ob die Faktoren von ${name} entfernt sind`,
    deleted: (name) => `ob das Konto von ${name} gelöscht ist`,
  },
});
