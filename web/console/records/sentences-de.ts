import type { Sentences } from './sentence.ts';

export const GERMAN_SENTENCES: Sentences = {
  ACCOUNT_DELETED: [
    '{actor} hat das Konto von {targetDative} gelöscht',
    '{actor} hat dieses Konto gelöscht',
    '{actor} hat das eigene Konto gelöscht',
    'Eigenes Konto gelöscht',
  ],
  ACCOUNT_EXPORTED: [
    '{actor} hat die Daten von {targetDative} exportiert',
    '{actor} hat die Daten des Kontos exportiert',
    '{actor} hat die eigenen Daten exportiert',
    'Eigene Daten exportiert',
  ],
  ACCOUNT_IMPORTED: ['{target} wurde importiert', 'Importiert'],
  ACCOUNT_REGISTERED: ['{target} hat ein Konto erstellt', 'Konto erstellt'],
  ADMINISTRATOR_NAME_CHANGED: [
    '{actor} hat den Namen geändert, den Kollegen sehen',
    'Namen geändert, den Kollegen sehen',
  ],
  ADMINISTRATOR_REGISTERED: [
    '{target} hat ein Konto für die Verwaltung erstellt',
    'Konto für die Verwaltung erstellt',
  ],
  CONTACT_REQUEST_ASSIGNED: [
    '{actor} hat die Anfrage von {targetDative} zugewiesen: {user}',
    'Anfrage von {targetDative} zugewiesen: {user}',
  ],
  CONTACT_REQUEST_DONE: [
    '{actor} hat die Anfrage von {targetDative} erledigt',
    'Anfrage von {targetDative} erledigt',
  ],
  CONTACT_REQUEST_NOTE_ADDED: [
    '{actor} hat eine Notiz zur Anfrage von {targetDative} geschrieben',
    'Notiz zur Anfrage von {targetDative} geschrieben',
  ],
  CONTACT_REQUEST_REOPENED: [
    '{actor} hat die Anfrage von {targetDative} wieder geöffnet',
    'Anfrage von {targetDative} wieder geöffnet',
  ],
  CONTACT_REQUEST_REPLIED: [
    '{actor} hat die Anfrage von {targetDative} beantwortet',
    'Anfrage von {targetDative} beantwortet',
  ],
  EMAIL_CHANGED: ['{actor} hat die eigene E-Mail-Adresse geändert', 'E-Mail-Adresse geändert'],
  EMAIL_CHANGE_REQUESTED: ['{actor} möchte eine andere E-Mail-Adresse', 'Andere E-Mail-Adresse angefragt'],
  EMAIL_VERIFIED: ['{target} hat die E-Mail-Adresse bestätigt', 'E-Mail-Adresse bestätigt'],
  IDENTITY_LINKED: ['{target} hat {detail} verbunden', '{detail} verbunden'],
  IDENTITY_UNLINKED: [
    '{actor} hat {detail} von {targetDative} getrennt',
    '{actor} hat {detail} getrennt',
    '{actor} hat {detail} getrennt',
    '{detail} getrennt',
  ],
  IDENTITY_USED: ['{target} hat sich mit {detail} angemeldet', 'Mit {detail} angemeldet'],
  INVITATION_ACCEPTED: [
    '{actor} hat die Einladung von {userDative}{detail} angenommen',
    'Einladung von {userDative}{detail} angenommen',
  ],
  INVITATION_REJECTED: [
    'Eine Einladung für {target} konnte nicht angenommen werden{detail}',
    'Einladung konnte nicht angenommen werden{detail}',
  ],
  INVITATION_SENT: ['{actor} hat {target}{detail} eingeladen', '{target}{detail} eingeladen'],
  INVITATION_WITHDRAWN: [
    '{actor} hat die Einladung für {target} zurückgezogen{detail}',
    'Einladung für {target} zurückgezogen{detail}',
  ],
  MAIL_DELETED: [
    '{actor} hat eine nicht gesendete E-Mail an {user} gelöscht{detail}',
    'E-Mail an {user} gelöscht{detail}',
  ],
  MAIL_RETRIED: [
    '{actor} hat eine E-Mail an {user} erneut gesendet{detail}',
    'E-Mail an {user} erneut gesendet{detail}',
  ],
  PASSKEY_ADDED: ['{actor} hat einen Passkey hinzugefügt', 'Passkey hinzugefügt'],
  PASSKEY_REMOVED: ['{actor} hat einen Passkey entfernt', 'Passkey entfernt'],
  PASSKEY_RENAMED: ['{actor} hat einen Passkey umbenannt', 'Passkey umbenannt'],
  PASSWORD_CHANGED: ['{actor} hat das eigene Passwort geändert', 'Passwort geändert'],
  PASSWORD_RESET: [
    '{target} hat das Passwort mit einem Code zurückgesetzt',
    'Passwort mit einem Code zurückgesetzt',
  ],
  PAUSE_ENDED: [
    '{actor} hat eine Pause von {targetDative} beendet',
    '{actor} hat eine Pause des Kontos beendet',
  ],
  PROFILE_CHANGED: ['{actor} hat das eigene Profil geändert', 'Profil geändert'],
  PROJECT_CREATED: ['{actor} hat das Projekt {target} angelegt', 'Projekt {target} angelegt'],
  PROJECT_DELETED: ['{actor} hat das Projekt {target} gelöscht', 'Projekt {target} gelöscht'],
  PROJECT_EDITED: [
    '{actor} hat beim Projekt {target} geändert: {detail}',
    'Beim Projekt {target} geändert: {detail}',
  ],
  PROJECT_RESTORED: [
    '{actor} hat das Projekt {target} wiederhergestellt',
    'Projekt {target} wiederhergestellt',
  ],
  PROJECT_STATUS_CHANGED: [
    '{actor} hat das Projekt {target} auf „{detail}“ gesetzt',
    'Projekt {target} auf „{detail}“ gesetzt',
  ],
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
  RESET_MAIL_SENT: [
    '{actor} hat {targetDative} einen Code zum Zurücksetzen des Passworts gesendet',
    '{actor} hat dieser Person einen Code zum Zurücksetzen des Passworts gesendet',
  ],
  ROLE_ASSIGNED: [
    '{actor} hat {targetDative} die Rolle {detail} gegeben',
    '{actor} hat dieser Person die Rolle {detail} gegeben',
  ],
  ROLE_REMOVED: [
    '{actor} hat {targetDative} die Rolle {detail} entzogen',
    '{actor} hat dieser Person die Rolle {detail} entzogen',
  ],
  SECOND_FACTOR_RESET: ['{actor} hat {detail} von {targetDative} entfernt', '{actor} hat {detail} entfernt'],
  SESSION_ENDED: [
    '{actor} hat {target} auf einem Gerät abgemeldet',
    '{actor} hat diese Person auf einem Gerät abgemeldet',
    '{actor} hat ein eigenes Gerät abgemeldet',
    'Ein eigenes Gerät abgemeldet',
  ],
  SECOND_STEP_DISABLED: ['{actor} hat den zweiten Schritt ausgeschaltet', 'Zweiten Schritt ausgeschaltet'],
  SECOND_STEP_ENABLED: ['{actor} hat den zweiten Schritt eingeschaltet', 'Zweiten Schritt eingeschaltet'],
  SESSIONS_ENDED: [
    '{actor} hat {target} überall abgemeldet',
    '{actor} hat diese Person überall abgemeldet',
    '{actor} hat eigene Geräte abgemeldet',
    'Eigene Geräte abgemeldet',
  ],
  SIGNED_IN: ['{actor} hat sich{detail} angemeldet', 'Anmeldung{detail}'],
  SIGN_IN_FAILED: ['Fehlgeschlagene Anmeldung als {target}{detail}', 'Fehlgeschlagene Anmeldung{detail}'],
  TEAM_CREATED: ['{actor} hat das Team {target} angelegt', 'Team {target} angelegt'],
  TEAM_EDITED: ['{actor} hat beim Team {target} geändert: {detail}', 'Beim Team {target} geändert: {detail}'],
  TEAM_MEMBER_ADDED: [
    '{actor} hat {user} zum Team {target} hinzugefügt',
    '{user} zum Team {target} hinzugefügt',
  ],
  TEAM_MEMBER_CHANGED: ['{actor} hat {user} im Team {target} geändert', '{user} im Team {target} geändert'],
  TEAM_MEMBER_REMOVED: [
    '{actor} hat {user} aus dem Team {target} entfernt',
    '{user} aus dem Team {target} entfernt',
  ],
  TEAM_VERIFIED: ['{actor} hat das Team {target} freigegeben', 'Team {target} freigegeben'],
  TOTP_DISABLED: ['{actor} hat die Authenticator-App entfernt', 'Authenticator-App entfernt'],
  TOTP_ENABLED: ['{actor} hat eine Authenticator-App eingerichtet', 'Authenticator-App eingerichtet'],
  USER_BLOCKED: ['{actor} hat {target} gesperrt', '{actor} hat diese Person gesperrt'],
  USER_NOTE_ADDED: ['{actor} hat eine Notiz über {target} geschrieben', '{actor} hat eine Notiz geschrieben'],
  USER_UNBLOCKED: ['{actor} hat {target} entsperrt', '{actor} hat diese Person entsperrt'],
  VERIFICATION_MAIL_SENT: [
    '{actor} hat {targetDative} einen Code zum Bestätigen der Adresse gesendet',
    '{actor} hat dieser Person einen Code zum Bestätigen der Adresse gesendet',
  ],
};
