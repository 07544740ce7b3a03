import { defineWords } from '../../words/define-words.ts';

export const OVERVIEW = defineWords({
  en: {
    title: 'Overview',
    waits: 'What waits',
    teams: 'Teams to verify',
    forms: 'Contact forms not done',
    mails: 'Failed mails',
    nothing: 'Nothing to do',
    look: 'Open the list',
    latest: 'Latest actions',
    log: 'Audit log',
    noActions: 'Nothing has been recorded yet.',
  },
  de: {
    title: 'Übersicht',
    waits: 'Was wartet',
    teams: 'Teams zur Freigabe',
    forms: 'Offene Anfragen',
    mails: 'Fehlgeschlagene E-Mails',
    nothing: 'Nichts zu tun',
    look: 'Liste öffnen',
    latest: 'Letzte Vorgänge',
    log: 'Protokoll',
    noActions: 'Noch wurde nichts aufgezeichnet.',
  },
});
