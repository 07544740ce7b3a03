import { defineWords, plural } from '../../words/define-words.ts';

export const AUDIT_LOG = defineWords({
  en: {
    title: 'Audit log',
    time: 'Time',
    what: 'What happened',
    from: 'From',
    to: 'To',
    address: 'Address',
    actor: 'Done by',
    target: 'Concerns',
    older: 'Older',
    newest: 'Back to the newest',
    none: 'Nothing has been recorded yet.',
    noneFiltered: 'No record matches these filters.',
    noneOlder: 'There are no older records.',
    export: 'Export CSV',
    exportMore: 'Export CSV …',
    exportQuestion: 'Export the audit log?',
    exportExplained:
      'The file has a sentence for each record, with names and network addresses: it is personal data. It contains what is filtered, at most 10,000 records.',
    include: 'Include them',
    leftOut: (count: string, number: number) =>
      plural.en(number, { one: `${count} sign-in is left out.`, other: `${count} sign-ins are left out.` }),
    exporting: (count: string) => `Reading … ${count}`,
    exported: (count: string) => `${count} records are exported.`,
    exportedSome: (count: string) =>
      `The newest ${count} records are exported. Narrow the time to get older ones.`,
    details: 'Details',
    requestId: 'Request id',
  },
  de: {
    title: 'Protokoll',
    time: 'Zeit',
    what: 'Vorgang',
    from: 'Von',
    to: 'Bis',
    address: 'Adresse',
    actor: 'Ausgeführt von',
    target: 'Betrifft',
    older: 'Ältere',
    newest: 'Zurück zu den neuesten',
    none: 'Noch wurde nichts aufgezeichnet.',
    noneFiltered: 'Zu diesen Filtern gibt es keinen Eintrag.',
    noneOlder: 'Ältere Einträge gibt es nicht.',
    export: 'Als CSV exportieren',
    exportMore: 'Als CSV exportieren …',
    exportQuestion: 'Protokoll exportieren?',
    exportExplained:
      'Die Datei hat einen Satz für jeden Eintrag, mit Namen und Netzwerkadressen: Sie enthält personenbezogene Daten. Darin steht, was gefiltert ist, höchstens 10.000 Einträge.',
    include: 'Einbeziehen',
    leftOut: (count, number) =>
      plural.de(number, {
        one: `${count} Anmeldung ist ausgelassen.`,
        other: `${count} Anmeldungen sind ausgelassen.`,
      }),
    exporting: (count) => `Wird gelesen … ${count}`,
    exported: (count) => `${count} Einträge wurden exportiert.`,
    exportedSome: (count) =>
      `Die neuesten ${count} Einträge wurden exportiert. Für ältere schränken Sie die Zeit ein.`,
    details: 'Einzelheiten',
    requestId: 'Anfrage-ID',
  },
});
