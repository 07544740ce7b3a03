// Every duration of the settings and of the code that knows accounts, beside the rules of time that depend on it.

/** The names of rules, or why none depends on the duration. */
type Decision = readonly string[] | string;

const PROCESS = 'a timeout or an interval of a process';
const CLEANUP = 'rows are deleted at night, by the real clock, and no response depends on their age before';
const PROVIDER = 'belongs to the session of a provider, and not to an account';
const SHOWN = 'decides only what a page of the back office shows together';
const UNIT = 'a unit, of which the durations below consist';

const ACCESS = ['access token of a customer: an hour', 'access token at another service: an hour'];
const CODES = [
  'code that verifies the address: 15 minutes',
  'code that resets the password: 15 minutes',
  'code that signs in: 15 minutes',
  'code that changes the address: 15 minutes',
  'requested change of the address: 15 minutes',
];
const LOCKS = [
  'next code that verifies the address: after 2 minutes',
  'next code that resets the password: after 2 minutes',
  'next code that signs in: after 2 minutes',
  'next code to the same new address: after 2 minutes',
  'next code of a new device: after 2 minutes',
];
const CODES_AN_HOUR = [
  'eleventh code to an address: an hour after the first',
  'eleventh code of a user for new addresses: an hour after the first',
  'fourth further code to a known device: an hour after the first',
];
const CODES_A_DAY = ['thirty-first code to an address: a day after the first'];
const CHANGES = ['changes of the password: ten an hour', 'changes of the second factors: ten an hour'];
const FAILURES = ['failed sign-ins in the log: twenty an hour'];
const ROLES = ['platform roles that an ADMIN gives: twenty an hour'];
const NOTES = ['notes about a user: sixty an hour'];
const MAILS = ['mails of another service to a user: twenty an hour'];
const FORM_NOTES = ['notes about a contact form: sixty an hour'];
const REPLIES = ['replies of an ADMIN: sixty an hour'];
const DIALOGS = [
  'dialog of a passkey as second step: 5 minutes',
  'dialog of a new passkey: 5 minutes',
  'dialog of a passkey that confirms a change: 5 minutes',
];

/** Settings with a number, by name. */
export const SETTINGS: Readonly<Record<string, Decision>> = {
  JWT_CUSTOMER_ACCESS_EXPIRES_IN: ACCESS,
  JWT_CUSTOMER_REFRESH_EXPIRES_IN: [
    'refresh token of a customer: two hours',
    'session of a refresh token: ends with it in the list of sessions',
  ],
  JWT_EMPLOYEE_ACCESS_EXPIRES_IN: ['access token of an employee: an hour'],
  JWT_EMPLOYEE_REFRESH_EXPIRES_IN: ['refresh token of an employee: two hours'],
  JWT_ADMIN_ACCESS_EXPIRES_IN: ['access token of an ADMIN at the back office: an hour'],
  JWT_ADMIN_REFRESH_EXPIRES_IN: ['refresh token of an ADMIN: two hours'],
  JWT_CUSTOMER_STAY_EXPIRES_IN: [
    'session of a customer that stays signed in: 30 days',
    'session that stays signed in: 30 days from its last refresh',
  ],
  JWT_EMPLOYEE_STAY_EXPIRES_IN: ['session of an employee that stays signed in: 30 days'],
  REFRESH_REUSE_LEEWAY_SECONDS: ['reuse of an exchanged refresh token: ten seconds'],
  SESSION_MAX_AGE: [
    'session with SESSION_MAX_AGE: ten hours from the sign-in, however often it is refreshed',
  ],
  ADMIN_PROOF_SECONDS: [
    'recent proof by a sign-in: 15 minutes',
    'recent proof: 15 minutes from the last one',
  ],
  AUDIT_RETENTION_DAYS: CLEANUP,
  SESSION_RETENTION_DAYS: CLEANUP,
  CONTACT_RETENTION_DAYS: CLEANUP,
  FAILED_MAIL_RETENTION_DAYS: CLEANUP,
  SENT_MAIL_RETENTION_DAYS: CLEANUP,
  EVENT_RETENTION_DAYS: CLEANUP,
  DRAIN_SECONDS: PROCESS,
  SHUTDOWN_SECONDS: PROCESS,
  KEEP_ALIVE_SECONDS: PROCESS,
  UPSTREAM_TIMEOUT_SECONDS: PROCESS,
  MAIL_RATE_PER_SECOND: 'mails of all accounts together',
};

/** Settings with a number that is no duration. */
export const NO_DURATION = /_(PORT|CONNECTIONS|COST|LIMIT|CONCURRENCY|HOPS|SCALE|ARG)$/;

/** Durations in the code, by file and name. */
export const CONSTANTS: Readonly<Record<string, Decision>> = {
  'admin-service/src/contact/contact-entries-store.ts 1 hour': [...REPLIES, ...FORM_NOTES],
  'admin-service/src/contact/contact-request.ts MAX_REPLIES_PER_HOUR': REPLIES,
  'admin-service/src/invitations/invitations-store.ts LIFETIME_DAYS': ['invitation: 7 days'],
  'admin-service/src/mails/service-mail.ts MAILS_PER_HOUR': MAILS,
  'admin-service/src/mails/service-mails-store.ts 1 hour': MAILS,
  'admin-service/src/notes/note.ts MAX_NOTES_PER_HOUR': [...NOTES, ...FORM_NOTES],
  'admin-service/src/notes/notes-store.ts 1 hour': NOTES,
  'admin-service/src/statistics/statistics-routes.ts days': SHOWN,
  'admin-service/src/statistics/statistics-store.ts 1 hour': SHOWN,
  'admin-service/src/statistics/statistics.ts HOUR': SHOWN,
  'admin-service/src/statistics/statistics.ts MAX_DAYS': SHOWN,
  'admin-service/src/users/users-store.ts 1 minute': SHOWN,
  'auth-service/src/accounts/accounts-service.ts SIGN_UP_RETRY_SECONDS': 'there is no account yet',
  'auth-service/src/authentication/security.ts proofAgeSeconds': 'another service proves nothing',
  'auth-service/src/email-codes/reset-devices-store.ts LIFETIME_SECONDS': [
    'device that has reset the password needs no code: 15 minutes',
  ],
  'auth-service/src/guess-limits/change-limits-service.ts CHANGES_PER_HOUR': CHANGES,
  'auth-service/src/guess-limits/guess-limits.ts HOUR_SECONDS': UNIT,
  'auth-service/src/guess-limits/guess-limits.ts MAX_PENDING_SECONDS':
    'of an attempt that is lost with its process',
  'auth-service/src/guess-limits/guess-limits.ts firstWaitSeconds': [
    'wait of a network after ten wrong passwords: 32 seconds',
    'pause of an account after 100 wrong passwords: an hour',
    'pause of an account after 200 wrong passwords: two hours',
  ],
  'auth-service/src/guess-limits/guess-limits.ts longestWaitSeconds': [
    'wait of a network, at most: 15 minutes',
    'pause of an account after 600 wrong passwords: a day',
  ],
  'auth-service/src/guess-limits/guess-limits.ts forgottenAfterSeconds': [
    'wrong passwords of a network: forgotten an hour after the wait',
  ],
  'auth-service/src/oidc/logouts-store.ts LIFETIME_SECONDS': PROVIDER,
  'auth-service/src/oidc/oidc.ts AUTHORIZATION_SECONDS': PROVIDER,
  'auth-service/src/oidc/oidc.ts CLOCK_SKEW_SECONDS': PROVIDER,
  'auth-service/src/oidc/oidc.ts MAX_TOKEN_AGE_SECONDS': PROVIDER,
  'auth-service/src/oidc/oidc.ts SINGLE_SIGN_ON_SECONDS': PROVIDER,
  'auth-service/src/second-factor/confirmation.ts REAUTHENTICATION_SECONDS': [
    'sign-in as the proof of an account without a password: 5 minutes',
  ],
  'auth-service/src/second-factor/second-factor.ts TOTP_SET_UP_SECONDS': [
    'app that is set up and not confirmed: 10 minutes',
  ],
  'auth-service/src/second-factor/totp-adapter.ts STEP_SECONDS': [
    'code of an app after the one of the next step: 60 seconds',
  ],
  'auth-service/src/sign-in/challenges-store.ts LIFETIME_SECONDS': [
    'second step of a sign-in: 5 minutes',
    'code of a new device, whose sign-in ends first: 5 minutes',
  ],
  'auth-service/src/webauthn/passkey.ts CEREMONY_SECONDS': DIALOGS,
  'mailer-worker/src/cleanup/expired-rows.ts 1 day': CLEANUP,
  'mailer-worker/src/config.ts drainSeconds': PROCESS,
  'mailer-worker/src/delivery/notice-limit.ts seconds': [
    'notices of an account: ten an hour',
    'notices of the kind of an account: one a day',
  ],
  'mailer-worker/src/outbox/outbox-store.ts ENQUEUED_SECONDS': PROCESS,
  'shared/src/platform/accounts/role-grants.ts ROLE_GRANTS_PER_HOUR': ROLES,
  'shared/src/platform/audit/audit-log.ts 1 hour': [...CHANGES, ...ROLES, ...FAILURES],
  'shared/src/platform/audit/audit-log.ts FAILURES_PER_HOUR': FAILURES,
  'shared/src/platform/bot-check/bot-check.ts CHALLENGE_SECONDS':
    'belongs to a client, and not to an account',
  'shared/src/platform/codes/email-code-scripts.ts DAY_SECONDS': CODES_A_DAY,
  'shared/src/platform/codes/email-code-scripts.ts HOUR_SECONDS': CODES_AN_HOUR,
  'shared/src/platform/codes/email-code.ts CODE_LIFETIME_SECONDS': CODES,
  'shared/src/platform/codes/email-code.ts RESEND_LOCK_SECONDS': LOCKS,
  'shared/src/platform/codes/email-code.ts lockSeconds': LOCKS,
  'shared/src/platform/codes/email-code.ts perDay': CODES_A_DAY,
  'shared/src/platform/codes/email-code.ts perHour': CODES_AN_HOUR,
  'shared/src/platform/codes/email-codes-store.ts DEADLINE_SECONDS': PROCESS,
};
