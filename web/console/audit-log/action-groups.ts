import type { AuditAction } from '@platform/client';

export const ACTION_GROUPS = {
  signIns: [
    'SIGNED_IN',
    'SIGN_IN_FAILED',
    'IDENTITY_USED',
    'PAUSE_ENDED',
    'PROVIDER_LOGOUT',
    'REFRESH_TOKEN_REUSED',
  ],
  accounts: [
    'ACCOUNT_REGISTERED',
    'ACCOUNT_IMPORTED',
    'ACCOUNT_EXPORTED',
    'ACCOUNT_DELETED',
    'EMAIL_CHANGE_REQUESTED',
    'EMAIL_CHANGED',
    'EMAIL_VERIFIED',
    'PASSWORD_CHANGED',
    'PASSWORD_RESET',
    'PROFILE_CHANGED',
    'RESET_MAIL_SENT',
    'VERIFICATION_MAIL_SENT',
  ],
  factors: [
    'TOTP_ENABLED',
    'TOTP_DISABLED',
    'PASSKEY_ADDED',
    'PASSKEY_RENAMED',
    'PASSKEY_REMOVED',
    'RECOVERY_CODES_REPLACED',
    'RECOVERY_CODE_USED',
    'SECOND_FACTOR_RESET',
    'SECOND_STEP_ENABLED',
    'SECOND_STEP_DISABLED',
    'IDENTITY_LINKED',
    'IDENTITY_UNLINKED',
  ],
  blocks: [
    'USER_BLOCKED',
    'USER_UNBLOCKED',
    'ROLE_ASSIGNED',
    'ROLE_REMOVED',
    'ADMINISTRATOR_NAME_CHANGED',
    'ADMINISTRATOR_REGISTERED',
    'SESSION_ENDED',
    'SESSIONS_ENDED',
    'USER_NOTE_ADDED',
  ],
  projects: [
    'PROJECT_CREATED',
    'PROJECT_EDITED',
    'PROJECT_STATUS_CHANGED',
    'PROJECT_DELETED',
    'PROJECT_RESTORED',
  ],
  teams: [
    'TEAM_CREATED',
    'TEAM_EDITED',
    'TEAM_VERIFIED',
    'TEAM_MEMBER_ADDED',
    'TEAM_MEMBER_CHANGED',
    'TEAM_MEMBER_REMOVED',
  ],
  work: [
    'CONTACT_REQUEST_ASSIGNED',
    'CONTACT_REQUEST_DONE',
    'CONTACT_REQUEST_REOPENED',
    'CONTACT_REQUEST_NOTE_ADDED',
    'CONTACT_REQUEST_REPLIED',
    'MAIL_RETRIED',
    'MAIL_DELETED',
    'INVITATION_SENT',
    'INVITATION_WITHDRAWN',
    'INVITATION_ACCEPTED',
    'INVITATION_REJECTED',
  ],
} as const satisfies Record<string, readonly AuditAction[]>;

type ActionGroup = keyof typeof ACTION_GROUPS;

/** The API takes no more at once. */
export const MOST_ACTIONS = 50;

/** The names of an address, which a dot separates: it needs no escape there. */
export const toNames = (names: string | undefined): string[] => names?.split('.').filter(Boolean) ?? [];

/** The actions of groups and single actions; undefined for everything. The API judges what was typed wrong. */
export const actionsOf = (names: string | undefined): AuditAction[] | undefined => {
  const actions = toNames(names).flatMap((name) =>
    Object.hasOwn(ACTION_GROUPS, name) ? ACTION_GROUPS[name as ActionGroup] : [name as AuditAction],
  );
  return actions.length > 0 ? [...new Set(actions)] : undefined;
};
