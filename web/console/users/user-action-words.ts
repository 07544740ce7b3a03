import { defineWords, plural } from '../../words/define-words.ts';

/** The questions before an action, and what the page says after it. */
export const USER_ACTIONS = defineWords({
  en: {
    blockQuestion: (name: string) => `Block ${name}?`,
    blockText: (name: string, devices: string) =>
      `${name} is locked out at once${devices}, and cannot sign in until somebody unblocks the account. Teams and projects stay as they are.`,
    onDevices: (text: string, count: number) =>
      plural.en(count, { one: ` on ${text} device`, other: ` on ${text} devices` }),
    blockAdmin: (name: string) =>
      `${name} has the role Admin, and an admin cannot be blocked. Take the role first; that ends all sessions, too.`,
    block: 'Block user',
    blocking: 'Blocking …',
    blocked: (name: string) => `${name} is blocked.`,
    unblockQuestion: (name: string) => `Unblock ${name}?`,
    unblockText: (name: string) =>
      `${name} can sign in again at once. Devices whose session has not expired are signed in again.`,
    unblock: 'Unblock user',
    unblocking: 'Unblocking …',
    unblocked: (name: string) => `${name} is unblocked.`,
    giveQuestion: (name: string) => `Give ${name} a role?`,
    giveText: (name: string) =>
      `${name} gets access to this console, is signed out everywhere at once, and is told by mail. The account as a customer or employee stays.`,
    giveUnverified: (name: string) =>
      `The email address of ${name} is not verified, so nobody knows whose it is. The person has to verify it first.`,
    giveBlocked: (name: string) => `${name} is blocked. Unblock the account first.`,
    giveForeign: (name: string, domains: string) =>
      `The address of ${name} is of another domain. Roles of this console are only for addresses of ${domains}.`,
    newRole: 'Role',
    give: 'Give role',
    giving: 'Giving …',
    given: (name: string, role: string) => `${name} has the role ${role} now.`,
    takeQuestion: (name: string, role: string) => `Take the role ${role} from ${name}?`,
    takeText: (name: string) =>
      `${name} is signed out everywhere at once, can no longer use this console, and is told by mail.`,
    takeAdmin: 'The last admin who is not blocked keeps the role.',
    takeOwn: 'This is your own account: you are signed out, too.',
    erase: 'Delete the account, too',
    eraseHint:
      'Without the role, nobody can sign in to it: it belongs to neither a customer nor an employee.',
    take: 'Take role',
    taking: 'Taking …',
    taken: (name: string, role: string) => `${name} no longer has the role ${role}.`,
    erased: (name: string) => `The account of ${name} is deleted.`,
    endAllQuestion: (name: string) => `End all sessions of ${name}?`,
    endAllText: (name: string) =>
      `${name} is signed out on every device at once, and can sign in again with the password. For a stolen password, block the account instead.`,
    endAll: 'End all sessions',
    ending: 'Ending …',
    endedAll: (name: string) => `${name} is signed out everywhere.`,
    endQuestion: (device: string) => `End the session on ${device}?`,
    endText: (name: string) => `${name} is signed out on this device at once. Other devices stay signed in.`,
    endOne: 'End session',
    endedOne: (device: string) => `The session on ${device} has ended.`,
    removeFactors: 'Remove app, passkeys and codes …',
    removeQuestion: (name: string) => `Remove app, passkeys and codes of ${name}?`,
    removeText: (name: string) =>
      `${name} is signed out everywhere at once, and needs only the password from now on. Do it only if you are sure that you talk to the owner. A mail tells them.`,
    removeOwn: 'Your own factors can only be removed on your account page, with your password and a factor.',
    remove: 'Remove factors',
    removing: 'Removing …',
    removed: (name: string) => `${name} has no second step any more.`,
    deleteQuestion: (name: string) => `Delete the account of ${name}?`,
    goes: 'Gone at once, for good:',
    goesWhat: 'name, address, phone, sign-in methods, devices, notes, and memberships of teams.',
    stays: 'Stays, without the name:',
    staysWhat: 'projects, and the audit log.',
    deleteText: (name: string) => `A mail says so to ${name}. There is no undo.`,
    downloadFirst: 'Download the data first',
    downloading: 'Reading …',
    deleteRole: (name: string, role: string) =>
      `${name} has the role ${role}. Take it first; then the account can be deleted.`,
    typeEmail: (email: string) => `Type ${email} to confirm`,
    emailDiffers: 'Type exactly this address.',
    delete: 'Delete account',
    deleting: 'Deleting …',
    noteQuestion: (name: string) => `Add a note about ${name}?`,
    note: 'Note',
    noteHint: 'Colleagues with the role Admin see it; the person does not. It is erased with the account.',
    addNote: 'Add note',
    adding: 'Adding …',
    added: 'The note is saved.',
    /** The open question while the answer to an action is lost. */
    whether: {
      blocked: (name: string) => `whether ${name} is blocked`,
      role: (name: string) => `whether the role of ${name} has changed`,
      note: 'whether the note is saved',
      ended: (name: string) => `whether ${name} is signed out`,
      factors: (name: string) => `whether the factors of ${name} are removed`,
      deleted: (name: string) => `whether the account of ${name} is deleted`,
    },
  },
  de: {
    blockQuestion: (name) => `${name} sperren?`,
    blockText: (name, devices) =>
      `${name} wird sofort${devices} abgemeldet und kann sich erst wieder anmelden, wenn jemand das Konto entsperrt. Teams und Projekte bleiben, wie sie sind.`,
    onDevices: (text, count) =>
      plural.de(count, { one: ` auf ${text} Gerät`, other: ` auf ${text} Geräten` }),
    blockAdmin: (name) =>
      `${name} hat die Rolle Admin, und ein Admin kann nicht gesperrt werden. Entziehen Sie zuerst die Rolle; damit enden auch alle Sitzungen.`,
    block: 'Person sperren',
    blocking: 'Wird gesperrt …',
    blocked: (name) => `${name} ist gesperrt.`,
    unblockQuestion: (name) => `${name} entsperren?`,
    unblockText: (name) =>
      `${name} kann sich sofort wieder anmelden. Geräte, deren Sitzung noch nicht abgelaufen ist, sind wieder angemeldet.`,
    unblock: 'Person entsperren',
    unblocking: 'Wird entsperrt …',
    unblocked: (name) => `${name} ist entsperrt.`,
    giveQuestion: (name) => `${name} eine Rolle geben?`,
    giveText: (name) =>
      `${name} erhält Zugang zu dieser Konsole, wird sofort überall abgemeldet und per E-Mail benachrichtigt. Das Konto als Kunde oder Mitarbeiter bleibt.`,
    giveUnverified: (name) =>
      `Die E-Mail-Adresse von ${name} ist nicht bestätigt; niemand weiß, wem sie gehört. Die Person muss sie zuerst bestätigen.`,
    giveBlocked: (name) => `${name} ist gesperrt. Entsperren Sie zuerst das Konto.`,
    giveForeign: (name, domains) =>
      `Die Adresse von ${name} gehört zu einer anderen Domain. Rollen in dieser Konsole sind nur für Adressen von ${domains}.`,
    newRole: 'Rolle',
    give: 'Rolle geben',
    giving: 'Wird gegeben …',
    given: (name, role) => `${name} hat jetzt die Rolle ${role}.`,
    takeQuestion: (name, role) => `${name} die Rolle ${role} entziehen?`,
    takeText: (name) =>
      `${name} wird sofort überall abgemeldet, kann diese Konsole nicht mehr verwenden und wird per E-Mail benachrichtigt.`,
    takeAdmin: 'Der letzte nicht gesperrte Admin behält die Rolle.',
    takeOwn: 'Das ist Ihr eigenes Konto: Auch Sie werden abgemeldet.',
    erase: 'Auch das Konto löschen',
    eraseHint:
      'Ohne die Rolle kann sich niemand mehr mit dem Konto anmelden: Es gehört weder einem Kunden noch einem Mitarbeiter.',
    take: 'Rolle entziehen',
    taking: 'Wird entzogen …',
    taken: (name, role) => `${name} hat die Rolle ${role} nicht mehr.`,
    erased: (name) => `Das Konto von ${name} ist gelöscht.`,
    endAllQuestion: (name) => `${name} überall abmelden?`,
    endAllText: (name) =>
      `${name} wird sofort auf allen Geräten abgemeldet und kann sich mit dem Passwort wieder anmelden. Wurde das Passwort gestohlen, sperren Sie besser das Konto.`,
    endAll: 'Überall abmelden',
    ending: 'Wird abgemeldet …',
    endedAll: (name) => `${name} ist überall abgemeldet.`,
    endQuestion: (device) => `Auf ${device} abmelden?`,
    endText: (name) => `${name} wird auf diesem Gerät sofort abgemeldet. Andere Geräte bleiben angemeldet.`,
    endOne: 'Gerät abmelden',
    endedOne: (device) => `Auf ${device} abgemeldet.`,
    removeFactors: 'App, Passkeys und Codes entfernen …',
    removeQuestion: (name) => `App, Passkeys und Codes von ${name} entfernen?`,
    removeText: (name) =>
      `${name} wird sofort überall abgemeldet und braucht ab jetzt nur noch das Passwort. Tun Sie das nur, wenn Sie sicher mit der Person selbst sprechen. Eine E-Mail benachrichtigt sie.`,
    removeOwn:
      'Ihre eigenen Faktoren können Sie nur auf der Seite Ihres Kontos entfernen, mit Passwort und einem Faktor.',
    remove: 'Faktoren entfernen',
    removing: 'Wird entfernt …',
    removed: (name) => `${name} hat keinen zweiten Schritt mehr.`,
    deleteQuestion: (name) => `Das Konto von ${name} löschen?`,
    goes: 'Sofort und endgültig gelöscht:',
    goesWhat: 'Name, Adresse, Telefon, Anmeldearten, Geräte, Notizen und Mitgliedschaften in Teams.',
    stays: 'Bleibt, ohne den Namen:',
    staysWhat: 'Projekte und das Protokoll.',
    deleteText: (name) => `Eine E-Mail teilt es ${name} mit. Rückgängig machen lässt es sich nicht.`,
    downloadFirst: 'Zuerst die Daten herunterladen',
    downloading: 'Wird gelesen …',
    deleteRole: (name, role) =>
      `${name} hat die Rolle ${role}. Entziehen Sie sie zuerst; danach kann das Konto gelöscht werden.`,
    typeEmail: (email) => `Geben Sie zur Bestätigung ${email} ein`,
    emailDiffers: 'Bitte geben Sie genau diese Adresse ein.',
    delete: 'Konto löschen',
    deleting: 'Wird gelöscht …',
    noteQuestion: (name) => `Notiz über ${name} hinzufügen?`,
    note: 'Notiz',
    noteHint:
      'Kollegen mit der Rolle Admin sehen sie, die Person selbst nicht. Sie wird mit dem Konto gelöscht.',
    addNote: 'Notiz hinzufügen',
    adding: 'Wird gespeichert …',
    added: 'Die Notiz ist gespeichert.',
    whether: {
      blocked: (name) => `ob ${name} gesperrt ist`,
      role: (name) => `ob die Rolle von ${name} geändert ist`,
      note: 'ob die Notiz gespeichert ist',
      ended: (name) => `ob ${name} abgemeldet ist`,
      factors: (name) => `ob die Faktoren von ${name} entfernt sind`,
      deleted: (name) => `ob das Konto von ${name} gelöscht ist`,
    },
  },
});
