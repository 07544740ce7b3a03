import type { AuditAction } from '@platform/client';

/**
 * The name of an action in the filter, and its sentence. `{actor}`, `{target}` and `{user}`, whom a record about
 * something else concerns, become links, and `{detail}` the one fact that the action depends on. German also has
 * `{targetDative}` and `{userDative}`. Between brackets is what the page of the user whom it concerns says
 * otherwise, behind the bar, or leaves out. A sentence without brackets stands there without the person at its start.
 * The last text is for users who did it to themselves.
 */
export type ActionTexts = readonly [name: string, sentence: string, toThemselves?: string];

/** The actions are in the order of the groups of the filter. */
export const ENGLISH_ACTIONS = {
  signIns: {
    SIGNED_IN: ['Signed in', '{actor} signed in{detail}'],
    SIGN_IN_FAILED: ['Sign-in failed', 'A sign-in[ as {target}] failed{detail}'],
    IDENTITY_USED: ['Provider used', '{target} signed in with {detail}'],
    PAUSE_ENDED: ['Pause ended', '{actor} ended a pause of [{target}|the account]'],
    PROVIDER_LOGOUT: ['Signed out by a provider', '{detail} signed [{target}|this user] out'],
    REFRESH_TOKEN_REUSED: [
      'Old token used again',
      'An old token[ of {target}] was used again, and the session ended',
    ],
  },
  accounts: {
    ACCOUNT_REGISTERED: ['Signed up', '{target} signed up'],
    ACCOUNT_IMPORTED: ['User imported', '{target} was imported'],
    ACCOUNT_EXPORTED: [
      'Data exported',
      '{actor} exported the data of [{target}|the account]',
      '[{actor} exported|Exported] the data of [their|the] account',
    ],
    ACCOUNT_DELETED: [
      'Account deleted',
      '{actor} deleted [the account of {target}|this account]',
      '{actor} deleted their own account',
    ],
    EMAIL_CHANGE_REQUESTED: ['Other address requested', '{actor} asked for another email address'],
    EMAIL_CHANGED: ['Address changed', '[{actor} changed their|Changed the] email address'],
    EMAIL_VERIFIED: ['Address verified', '[{target} verified their|Verified the] email address'],
    PASSWORD_CHANGED: ['Password changed', '[{actor} changed|Changed] the password[ of their account]'],
    PASSWORD_RESET: ['Password reset', '{target} reset the password with a code'],
    PROFILE_CHANGED: ['Profile changed', '[{actor} changed their|Changed the] profile'],
    RESET_MAIL_SENT: ['Reset code sent', '{actor} sent [{target}|this user] a code to reset the password'],
    VERIFICATION_MAIL_SENT: [
      'Verification code sent',
      '{actor} sent [{target}|this user] a code to verify the address',
    ],
  },
  factors: {
    TOTP_ENABLED: ['Authenticator app set up', '{actor} set up an authenticator app'],
    TOTP_DISABLED: ['Authenticator app removed', '{actor} removed the authenticator app'],
    PASSKEY_ADDED: ['Passkey added', '{actor} added a passkey'],
    PASSKEY_RENAMED: ['Passkey renamed', '{actor} renamed a passkey'],
    PASSKEY_REMOVED: ['Passkey removed', '{actor} removed a passkey'],
    RECOVERY_CODES_REPLACED: ['Recovery codes replaced', '{actor} created new recovery codes'],
    RECOVERY_CODE_USED: ['Recovery code used', '{actor} used a recovery code'],
    SECOND_FACTOR_RESET: ['Factors removed', '{actor} removed {detail}[ of {target}]'],
    SECOND_STEP_ENABLED: ['Second step switched on', '{actor} switched the second step on'],
    SECOND_STEP_DISABLED: ['Second step switched off', '{actor} switched the second step off'],
    IDENTITY_LINKED: ['Provider connected', '{target} connected {detail}'],
    IDENTITY_UNLINKED: [
      'Provider disconnected',
      '{actor} disconnected {detail}[ from {target}]',
      '{actor} disconnected {detail}',
    ],
  },
  blocks: {
    USER_BLOCKED: ['User blocked', '{actor} blocked [{target}|this user]'],
    USER_UNBLOCKED: ['User unblocked', '{actor} unblocked [{target}|this user]'],
    ROLE_ASSIGNED: ['Role given', '{actor} gave [the role {detail} to {target}|this user the role {detail}]'],
    ROLE_REMOVED: ['Role taken', '{actor} took the role {detail} from [{target}|this user]'],
    ADMINISTRATOR_NAME_CHANGED: ['Colleague’s name changed', '{actor} changed the name that colleagues see'],
    ADMINISTRATOR_REGISTERED: ['Administrator registered', '{target} registered as an administrator'],
    SESSION_ENDED: [
      'Session ended',
      '{actor} signed [{target}|this user] out on one device',
      '[{actor} signed|Signed] out one [of their devices|device]',
    ],
    SESSIONS_ENDED: [
      'All sessions ended',
      '{actor} ended all sessions[ of {target}]',
      '{actor} signed out their devices',
    ],
    USER_NOTE_ADDED: ['Note added', '{actor} added a note[ about {target}]'],
  },
  projects: {
    PROJECT_CREATED: ['Project created', '{actor} created the project {target}'],
    PROJECT_EDITED: ['Project changed', '{actor} changed {detail} of the project {target}'],
    PROJECT_STATUS_CHANGED: ['Project moved', '{actor} moved the project {target} to “{detail}”'],
    PROJECT_DELETED: ['Project deleted', '{actor} deleted the project {target}'],
    PROJECT_RESTORED: ['Project restored', '{actor} restored the project {target}'],
  },
  teams: {
    TEAM_CREATED: ['Team created', '{actor} created the team {target}'],
    TEAM_EDITED: ['Team changed', '{actor} changed {detail} of the team {target}'],
    TEAM_VERIFIED: ['Team verified', '{actor} verified the team {target}'],
    TEAM_MEMBER_ADDED: ['Member added', '{actor} added {user} to the team {target}'],
    TEAM_MEMBER_CHANGED: ['Member changed', '{actor} changed {user} in the team {target}'],
    TEAM_MEMBER_REMOVED: ['Member removed', '{actor} removed {user} from the team {target}'],
  },
  work: {
    CONTACT_REQUEST_ASSIGNED: ['Request assigned', '{actor} assigned the request of {target} to {user}'],
    CONTACT_REQUEST_DONE: ['Request done', '{actor} finished the request of {target}'],
    CONTACT_REQUEST_REOPENED: ['Request reopened', '{actor} reopened the request of {target}'],
    CONTACT_REQUEST_NOTE_ADDED: [
      'Note about a request',
      '{actor} added a note about the request of {target}',
    ],
    CONTACT_REQUEST_REPLIED: ['Reply to a request', '{actor} replied to the request of {target}'],
    MAIL_RETRIED: ['Mail sent again', '{actor} sent a mail to {user} again{detail}'],
    MAIL_DELETED: ['Mail deleted', '[{actor} deleted|Deleted] a mail to {user}[ that was not sent]{detail}'],
    INVITATION_SENT: ['Invitation sent', '{actor} invited {target}{detail}'],
    INVITATION_WITHDRAWN: ['Invitation withdrawn', '{actor} withdrew the invitation for {target}{detail}'],
    INVITATION_ACCEPTED: ['Invitation accepted', '{actor} accepted the invitation of {user}{detail}'],
    INVITATION_REJECTED: [
      'Invitation rejected',
      '[An invitation for {target} could not be accepted|Could not accept an invitation]{detail}',
    ],
  },
} as const satisfies Record<string, Partial<Record<AuditAction, ActionTexts>>>;

type Groups = typeof ENGLISH_ACTIONS;
export type Action = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];
