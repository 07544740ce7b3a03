import type { AuditAction } from '@platform/client';
import type { Language } from '../../words/define-words.ts';

/**
 * `{actor}`, `{target}` and `{user}`, whom a record about something else concerns, become links, and
 * `{detail}` the one fact that the action depends on. German also has `{targetDative}`. The second text is for
 * the page of the user whom it concerns: what the user did without naming them, and what was done to them. The
 * third is for users who did it to themselves.
 */
export type Sentence = readonly [inLog: string, aboutUser: string, toThemselves?: string];

/** A new action is shown by its name until it has a sentence. */
export type Sentences = Partial<Record<AuditAction, Sentence>>;

const en: Sentences = {
  ACCOUNT_DELETED: [
    '{actor} deleted the account of {target}',
    '{actor} deleted this account',
    '{actor} deleted their own account',
  ],
  ACCOUNT_EXPORTED: ['{actor} exported the data of their account', 'Exported the data of the account'],
  ACCOUNT_IMPORTED: ['{target} was imported', 'Was imported'],
  ACCOUNT_REGISTERED: ['{target} signed up', 'Signed up'],
  ADMINISTRATOR_REGISTERED: ['{target} registered as an administrator', 'Registered as an administrator'],
  CONTACT_REQUEST_DONE: ['{actor} marked a contact form as done', 'Marked a contact form as done'],
  CONTACT_REQUEST_REOPENED: ['{actor} reopened a contact form', 'Reopened a contact form'],
  EMAIL_CHANGED: ['{actor} changed their e-mail address', 'Changed the e-mail address'],
  EMAIL_CHANGE_REQUESTED: ['{actor} asked for another e-mail address', 'Asked for another e-mail address'],
  EMAIL_VERIFIED: ['{target} verified their e-mail address', 'Verified the e-mail address'],
  IDENTITY_LINKED: ['{target} connected {detail}', 'Connected {detail}'],
  IDENTITY_UNLINKED: ['{target} disconnected {detail}', 'Disconnected {detail}'],
  IDENTITY_USED: ['{target} signed in with {detail}', 'Signed in with {detail}'],
  INVITATION_ACCEPTED: ['{actor} accepted an invitation', 'Accepted an invitation'],
  INVITATION_REJECTED: ['An invitation could not be accepted', 'Could not accept an invitation'],
  INVITATION_SENT: ['{actor} invited a colleague', 'Invited a colleague'],
  INVITATION_WITHDRAWN: ['{actor} withdrew an invitation', 'Withdrew an invitation'],
  MAIL_DELETED: ['{actor} deleted a mail to {user} that was not sent', 'Deleted a mail to {user}'],
  MAIL_RETRIED: ['{actor} sent a mail to {user} again', 'Sent a mail to {user} again'],
  PASSKEY_ADDED: ['{actor} added a passkey', 'Added a passkey'],
  PASSKEY_REMOVED: ['{actor} removed a passkey', 'Removed a passkey'],
  PASSKEY_RENAMED: ['{actor} renamed a passkey', 'Renamed a passkey'],
  PASSWORD_CHANGED: ['{actor} changed the password of their account', 'Changed the password'],
  PASSWORD_RESET: ['{target} reset the password with a code', 'Reset the password with a code'],
  PROFILE_CHANGED: ['{actor} changed their profile', 'Changed the profile'],
  PROJECT_CREATED: ['{actor} created the project {target}', 'Created the project {target}'],
  PROJECT_DELETED: ['{actor} deleted the project {target}', 'Deleted the project {target}'],
  PROJECT_EDITED: ['{actor} changed {detail} of {target}', 'Changed {detail} of {target}'],
  PROJECT_RESTORED: ['{actor} restored the project {target}', 'Restored the project {target}'],
  PROJECT_STATUS_CHANGED: ['{actor} moved {target} to “{detail}”', 'Moved {target} to “{detail}”'],
  PROVIDER_LOGOUT: ['{detail} signed {target} out', '{detail} signed this user out'],
  RECOVERY_CODES_REPLACED: ['{actor} created new recovery codes', 'Created new recovery codes'],
  RECOVERY_CODE_USED: ['{actor} used a recovery code', 'Used a recovery code'],
  REFRESH_TOKEN_REUSED: [
    'An old token of {target} was used again, and the session ended',
    'An old token was used again, and the session ended',
  ],
  ROLE_ASSIGNED: ['{actor} gave the role {detail} to {target}', '{actor} gave this user the role {detail}'],
  ROLE_REMOVED: [
    '{actor} took the role {detail} from {target}',
    '{actor} took the role {detail} from this user',
  ],
  SECOND_FACTOR_RESET: [
    '{actor} removed app, passkeys and codes of {target}',
    '{actor} removed app, passkeys and codes',
  ],
  SESSION_ENDED: [
    '{actor} signed {target} out on one device',
    '{actor} signed this user out on one device',
    '{actor} signed out one of their devices',
  ],
  SECOND_STEP_DISABLED: ['{actor} switched the second step off', 'Switched the second step off'],
  SECOND_STEP_ENABLED: ['{actor} switched the second step on', 'Switched the second step on'],
  SESSIONS_ENDED: [
    '{actor} ended all sessions of {target}',
    '{actor} ended all sessions',
    '{actor} signed out their devices',
  ],
  SIGNED_IN: ['{actor} signed in{detail}', 'Signed in{detail}'],
  SIGN_IN_FAILED: ['A sign-in as {target} failed{detail}', 'A sign-in failed{detail}'],
  TEAM_CREATED: ['{actor} created the team {target}', 'Created the team {target}'],
  TEAM_EDITED: ['{actor} changed {detail} of the team {target}', 'Changed {detail} of the team {target}'],
  TEAM_MEMBER_ADDED: ['{actor} added a member to the team {target}', 'Added a member to the team {target}'],
  TEAM_MEMBER_CHANGED: [
    '{actor} changed a member of the team {target}',
    'Changed a member of the team {target}',
  ],
  TEAM_MEMBER_REMOVED: [
    '{actor} removed a member from the team {target}',
    'Removed a member from the team {target}',
  ],
  TEAM_VERIFIED: ['{actor} verified the team {target}', 'Verified the team {target}'],
  TOTP_DISABLED: ['{actor} removed the authenticator app', 'Removed the authenticator app'],
  TOTP_ENABLED: ['{actor} set up an authenticator app', 'Set up an authenticator app'],
  USER_BLOCKED: ['{actor} blocked {target}', '{actor} blocked this user'],
  USER_NOTE_ADDED: ['{actor} added a note about {target}', '{actor} added a note'],
  USER_UNBLOCKED: ['{actor} unblocked {target}', '{actor} unblocked this user'],
};

const de: Sentences = {
  ACCOUNT_DELETED: [
    '{actor} hat das Konto von {targetDative} gelöscht',
    '{actor} hat dieses Konto gelöscht',
    '{actor} hat das eigene Konto gelöscht',
  ],
  ACCOUNT_EXPORTED: ['{actor} hat die eigenen Daten exportiert', 'Eigene Daten exportiert'],
  ACCOUNT_IMPORTED: ['{target} wurde importiert', 'Importiert'],
  ACCOUNT_REGISTERED: ['{target} hat ein Konto erstellt', 'Konto erstellt'],
  ADMINISTRATOR_REGISTERED: [
    '{target} hat ein Konto für die Verwaltung erstellt',
    'Konto für die Verwaltung erstellt',
  ],
  CONTACT_REQUEST_DONE: ['{actor} hat eine Anfrage erledigt', 'Anfrage erledigt'],
  CONTACT_REQUEST_REOPENED: ['{actor} hat eine Anfrage wieder geöffnet', 'Anfrage wieder geöffnet'],
  EMAIL_CHANGED: ['{actor} hat die eigene E-Mail-Adresse geändert', 'E-Mail-Adresse geändert'],
  EMAIL_CHANGE_REQUESTED: ['{actor} möchte eine andere E-Mail-Adresse', 'Andere E-Mail-Adresse angefragt'],
  EMAIL_VERIFIED: ['{target} hat die E-Mail-Adresse bestätigt', 'E-Mail-Adresse bestätigt'],
  IDENTITY_LINKED: ['{target} hat {detail} verbunden', '{detail} verbunden'],
  IDENTITY_UNLINKED: ['{target} hat {detail} getrennt', '{detail} getrennt'],
  IDENTITY_USED: ['{target} hat sich mit {detail} angemeldet', 'Mit {detail} angemeldet'],
  INVITATION_ACCEPTED: ['{actor} hat eine Einladung angenommen', 'Einladung angenommen'],
  INVITATION_REJECTED: [
    'Eine Einladung konnte nicht angenommen werden',
    'Einladung konnte nicht angenommen werden',
  ],
  INVITATION_SENT: ['{actor} hat eine Einladung verschickt', 'Einladung verschickt'],
  INVITATION_WITHDRAWN: ['{actor} hat eine Einladung zurückgezogen', 'Einladung zurückgezogen'],
  MAIL_DELETED: ['{actor} hat eine nicht gesendete E-Mail an {user} gelöscht', 'E-Mail an {user} gelöscht'],
  MAIL_RETRIED: ['{actor} hat eine E-Mail an {user} erneut gesendet', 'E-Mail an {user} erneut gesendet'],
  PASSKEY_ADDED: ['{actor} hat einen Passkey hinzugefügt', 'Passkey hinzugefügt'],
  PASSKEY_REMOVED: ['{actor} hat einen Passkey entfernt', 'Passkey entfernt'],
  PASSKEY_RENAMED: ['{actor} hat einen Passkey umbenannt', 'Passkey umbenannt'],
  PASSWORD_CHANGED: ['{actor} hat das eigene Passwort geändert', 'Passwort geändert'],
  PASSWORD_RESET: [
    '{target} hat das Passwort mit einem Code zurückgesetzt',
    'Passwort mit einem Code zurückgesetzt',
  ],
  PROFILE_CHANGED: ['{actor} hat das eigene Profil geändert', 'Profil geändert'],
  PROJECT_CREATED: ['{actor} hat das Projekt {target} angelegt', 'Projekt {target} angelegt'],
  PROJECT_DELETED: ['{actor} hat das Projekt {target} gelöscht', 'Projekt {target} gelöscht'],
  PROJECT_EDITED: ['{actor} hat bei {target} geändert: {detail}', 'Bei {target} geändert: {detail}'],
  PROJECT_RESTORED: [
    '{actor} hat das Projekt {target} wiederhergestellt',
    'Projekt {target} wiederhergestellt',
  ],
  PROJECT_STATUS_CHANGED: ['{actor} hat {target} auf „{detail}“ gesetzt', '{target} auf „{detail}“ gesetzt'],
  PROVIDER_LOGOUT: ['{detail} hat {target} abgemeldet', '{detail} hat diese Person abgemeldet'],
  RECOVERY_CODES_REPLACED: [
    '{actor} hat neue Wiederherstellungscodes erzeugt',
    'Neue Wiederherstellungscodes erzeugt',
  ],
  RECOVERY_CODE_USED: [
    '{actor} hat einen Wiederherstellungscode verwendet',
    'Wiederherstellungscode verwendet',
  ],
  REFRESH_TOKEN_REUSED: [
    'Ein altes Token von {targetDative} wurde noch einmal verwendet; die Sitzung wurde beendet',
    'Ein altes Token wurde noch einmal verwendet; die Sitzung wurde beendet',
  ],
  ROLE_ASSIGNED: [
    '{actor} hat {targetDative} die Rolle {detail} gegeben',
    '{actor} hat die Rolle {detail} gegeben',
  ],
  ROLE_REMOVED: [
    '{actor} hat {targetDative} die Rolle {detail} entzogen',
    '{actor} hat die Rolle {detail} entzogen',
  ],
  SECOND_FACTOR_RESET: [
    '{actor} hat App, Passkeys und Codes von {targetDative} entfernt',
    '{actor} hat App, Passkeys und Codes entfernt',
  ],
  SESSION_ENDED: [
    '{actor} hat {target} auf einem Gerät abgemeldet',
    '{actor} hat diese Person auf einem Gerät abgemeldet',
    '{actor} hat ein eigenes Gerät abgemeldet',
  ],
  SECOND_STEP_DISABLED: ['{actor} hat den zweiten Schritt ausgeschaltet', 'Zweiten Schritt ausgeschaltet'],
  SECOND_STEP_ENABLED: ['{actor} hat den zweiten Schritt eingeschaltet', 'Zweiten Schritt eingeschaltet'],
  SESSIONS_ENDED: [
    '{actor} hat {target} überall abgemeldet',
    '{actor} hat diese Person überall abgemeldet',
    '{actor} hat eigene Geräte abgemeldet',
  ],
  SIGNED_IN: ['{actor} hat sich{detail} angemeldet', 'Anmeldung{detail}'],
  SIGN_IN_FAILED: [
    'Eine Anmeldung als {target} ist fehlgeschlagen{detail}',
    'Anmeldung fehlgeschlagen{detail}',
  ],
  TEAM_CREATED: ['{actor} hat das Team {target} angelegt', 'Team {target} angelegt'],
  TEAM_EDITED: ['{actor} hat beim Team {target} geändert: {detail}', 'Beim Team {target} geändert: {detail}'],
  TEAM_MEMBER_ADDED: [
    '{actor} hat ein Mitglied zum Team {target} hinzugefügt',
    'Mitglied zum Team {target} hinzugefügt',
  ],
  TEAM_MEMBER_CHANGED: [
    '{actor} hat ein Mitglied des Teams {target} geändert',
    'Mitglied des Teams {target} geändert',
  ],
  TEAM_MEMBER_REMOVED: [
    '{actor} hat ein Mitglied aus dem Team {target} entfernt',
    'Mitglied aus dem Team {target} entfernt',
  ],
  TEAM_VERIFIED: ['{actor} hat das Team {target} freigegeben', 'Team {target} freigegeben'],
  TOTP_DISABLED: ['{actor} hat die Authenticator-App entfernt', 'Authenticator-App entfernt'],
  TOTP_ENABLED: ['{actor} hat eine Authenticator-App eingerichtet', 'Authenticator-App eingerichtet'],
  USER_BLOCKED: ['{actor} hat {target} gesperrt', '{actor} hat diese Person gesperrt'],
  USER_NOTE_ADDED: ['{actor} hat eine Notiz über {target} geschrieben', '{actor} hat eine Notiz geschrieben'],
  USER_UNBLOCKED: ['{actor} hat {target} entsperrt', '{actor} hat diese Person entsperrt'],
};

export const SENTENCES: Record<Language, Sentences> = { en, de };
