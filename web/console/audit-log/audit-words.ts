import { defineWords } from '../../words/define-words.ts';

/** The words of the sentences. */
export const AUDIT_WORDS = defineWords({
  en: {
    somebody: 'Somebody',
    commandLine: 'The command line',
    service: (name: string) => `${name} (service)`,
    aDeletedUser: 'a deleted user',
    aDeletedUserDative: 'a deleted user',
    anUnknownPerson: 'an unknown person',
    aDeletedProject: 'a deleted project',
    aDeletedTeam: 'a deleted team',
    atSecondStep: ' at the second step',
    withPasskey: ' with a passkey',
    withProvider: (name: string) => ` with ${name}`,
    fields: {
      title: 'the title',
      description: 'the description',
      category: 'the category',
      name: 'the name',
    } as Record<string, string>,
    fieldNames: { title: 'Title', description: 'Description', category: 'Category', name: 'Name' } as Record<
      string,
      string
    >,
    and: ' and ',
    unknownAction: (action: string) => `{actor}: ${action} ({target})`,
  },
  de: {
    somebody: 'Jemand',
    commandLine: 'Die Kommandozeile',
    service: (name) => `${name} (Dienst)`,
    aDeletedUser: 'eine gelöschte Person',
    aDeletedUserDative: 'einer gelöschten Person',
    anUnknownPerson: 'eine unbekannte Person',
    aDeletedProject: 'ein gelöschtes Projekt',
    aDeletedTeam: 'ein gelöschtes Team',
    atSecondStep: ' im zweiten Schritt',
    withPasskey: ' mit einem Passkey',
    withProvider: (name) => ` mit ${name}`,
    fields: { title: 'Titel', description: 'Beschreibung', category: 'Kategorie', name: 'Name' },
    fieldNames: { title: 'Titel', description: 'Beschreibung', category: 'Kategorie', name: 'Name' },
    and: ' und ',
    unknownAction: (action) => `{actor}: ${action} ({target})`,
  },
});
