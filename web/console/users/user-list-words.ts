import { defineWords, plural } from '../../words/define-words.ts';

const people = (count: number) => plural.en(count, { one: 'person', other: 'people' });
const personen = (count: number) => plural.de(count, { one: 'Person', other: 'Personen' });

export const USER_LIST = defineWords({
  en: {
    name: 'Name',
    address: 'Address',
    active: 'Active',
    verified: 'Verified',
    notVerified: 'Not verified',
    lastDays: { 7: 'last 7 days', 30: 'last 30 days', 90: 'last 90 days' } as Record<string, string>,
    block: 'Block …',
    blockQuestion: (text: string, count: number) => `Block ${text} ${people(count)}?`,
    blockThem: (text: string, count: number) => `Block ${text} ${people(count)}`,
    blocking: 'Blocking',
    blocked: (text: string, count: number) =>
      plural.en(count, { one: `${text} person is blocked.`, other: `${text} people are blocked.` }),
    blockText: 'None of their devices works until somebody unblocks them. No mail is sent.',
    leftOut: 'Left out, because they are blocked already or administrators:',
    nobody: 'Nobody of the selected people can be blocked.',
    endSessions: 'End sessions …',
    endQuestion: (text: string, count: number) => `End all sessions of ${text} ${people(count)}?`,
    endThem: 'End all sessions',
    ending: 'Ending',
    ended: (text: string, count: number) => `All sessions of ${text} ${people(count)} have ended.`,
    endText: 'They are signed out on all devices at once, and can sign in again.',
    endOwn: 'You are one of them: you will be signed out, too.',
  },
  de: {
    name: 'Name',
    address: 'Adresse',
    active: 'Aktiv',
    verified: 'Bestätigt',
    notVerified: 'Nicht bestätigt',
    lastDays: { 7: 'letzte 7 Tage', 30: 'letzte 30 Tage', 90: 'letzte 90 Tage' },
    block: 'Sperren …',
    blockQuestion: (text, count) => `${text} ${personen(count)} sperren?`,
    blockThem: (text, count) => `${text} ${personen(count)} sperren`,
    blocking: 'Wird gesperrt',
    blocked: (text, count) =>
      plural.de(count, { one: `${text} Person ist gesperrt.`, other: `${text} Personen sind gesperrt.` }),
    blockText: 'Keines ihrer Geräte funktioniert, bis jemand sie entsperrt. Es wird keine E-Mail gesendet.',
    leftOut: 'Ausgelassen, weil bereits gesperrt oder Admin:',
    nobody: 'Keine der ausgewählten Personen kann gesperrt werden.',
    endSessions: 'Überall abmelden …',
    endQuestion: (text, count) => `${text} ${personen(count)} überall abmelden?`,
    endThem: 'Überall abmelden',
    ending: 'Wird abgemeldet',
    ended: (text, count) =>
      plural.de(count, {
        one: `${text} Person ist überall abgemeldet.`,
        other: `${text} Personen sind überall abgemeldet.`,
      }),
    endText: 'Sie werden auf allen Geräten sofort abgemeldet und können sich wieder anmelden.',
    endOwn: 'Sie sind selbst darunter und werden ebenfalls abgemeldet.',
  },
});
