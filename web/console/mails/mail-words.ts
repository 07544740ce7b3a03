import { defineWords, plural } from '../../words/define-words.ts';

type Names = Readonly<Record<string, string>>;

export const MAILS = defineWords({
  en: {
    title: 'Mails',
    mail: 'Mail',
    recipient: 'To',
    state: 'State',
    states: { waiting: 'Waiting', failed: 'Failed' },
    causes: {
      'mailbox-full': 'Mailbox full',
      'unknown-address': 'Unknown address',
      refused: 'Refused',
      busy: 'Server busy',
      unreachable: 'Server not reachable',
      other: 'Failed',
    } as Names,
    waits: (cause: string) => `Waits: ${cause.toLowerCase()}`,
    attempts: (text: string, count: number) =>
      plural.en(count, { one: `${text} attempt`, other: `${text} attempts` }),
    created: 'Since',
    nextAttempt: 'next attempt',
    next: 'Next step',
    newest: 'Only the newest 1,000 mails are listed.',
    retry: 'Send now',
    retrying: 'Sending …',
    sendSeveral: 'Send now …',
    sendQuestion: (text: string, count: number) =>
      plural.en(count, { one: `Send ${text} mail now?`, other: `Send ${text} mails now?` }),
    sendText:
      'Each is tried at once. A code that is no longer valid is not sent: the person has to ask for a new one.',
    sendingThem: 'Sending',
    areBeingSent: (text: string, count: number) =>
      plural.en(count, { one: 'The mail is being sent.', other: `${text} mails are being sent.` }),
    areSent: (text: string, count: number) =>
      plural.en(count, { one: 'The mail is sent.', other: `${text} mails are sent.` }),
    areNotSent: (text: string, count: number, causes: string) =>
      plural.en(count, {
        one: `The mail could not be sent: ${causes}.`,
        other: `${text} mails could not be sent: ${causes}.`,
      }),
    expired: 'The person has to ask for a new code.',
    delete: 'Delete …',
    deleteQuestion: (mail: string, recipient: string) => `Delete “${mail}” to ${recipient}?`,
    deleteText: 'The mail is not sent. Nobody is told.',
    deleteMail: 'Delete mail',
    deleting: 'Deleting …',
    deleted: 'The mail is deleted.',
    none: 'Every mail has been sent.',
    noneFailed: 'No mail has failed.',
    noneWaiting: 'No mail waits.',
  },
  de: {
    title: 'E-Mails',
    mail: 'E-Mail',
    recipient: 'An',
    state: 'Zustand',
    states: { waiting: 'Wartet', failed: 'Fehlgeschlagen' },
    causes: {
      'mailbox-full': 'Postfach voll',
      'unknown-address': 'Adresse unbekannt',
      refused: 'Abgelehnt',
      busy: 'Server ausgelastet',
      unreachable: 'Server nicht erreichbar',
      other: 'Fehlgeschlagen',
    },
    waits: (cause) => `Wartet: ${cause}`,
    attempts: (text, count) => plural.de(count, { one: `${text} Versuch`, other: `${text} Versuche` }),
    created: 'Seit',
    nextAttempt: 'nächster Versuch',
    next: 'Nächster Schritt',
    newest: 'Nur die neuesten 1.000 E-Mails werden aufgeführt.',
    retry: 'Jetzt senden',
    retrying: 'Wird gesendet …',
    sendSeveral: 'Jetzt senden …',
    sendQuestion: (text, count) =>
      plural.de(count, { one: `${text} E-Mail jetzt senden?`, other: `${text} E-Mails jetzt senden?` }),
    sendText:
      'Jede wird sofort versucht. Ein Code, der nicht mehr gilt, wird nicht gesendet: Die Person muss einen neuen anfordern.',
    sendingThem: 'Wird gesendet',
    areBeingSent: (text, count) =>
      plural.de(count, { one: 'Die E-Mail wird gesendet.', other: `${text} E-Mails werden gesendet.` }),
    areSent: (text, count) =>
      plural.de(count, { one: 'Die E-Mail ist gesendet.', other: `${text} E-Mails sind gesendet.` }),
    areNotSent: (text, count, causes) =>
      plural.de(count, {
        one: `Die E-Mail konnte nicht gesendet werden: ${causes}.`,
        other: `${text} E-Mails konnten nicht gesendet werden: ${causes}.`,
      }),
    expired: 'Die Person muss einen neuen Code anfordern.',
    delete: 'Löschen …',
    deleteQuestion: (mail, recipient) => `„${mail}“ an ${recipient} löschen?`,
    deleteText: 'Die E-Mail wird nicht gesendet. Niemand wird benachrichtigt.',
    deleteMail: 'E-Mail löschen',
    deleting: 'Wird gelöscht …',
    deleted: 'Die E-Mail ist gelöscht.',
    none: 'Alle E-Mails sind gesendet.',
    noneFailed: 'Keine E-Mail ist fehlgeschlagen.',
    noneWaiting: 'Keine E-Mail wartet.',
  },
});
