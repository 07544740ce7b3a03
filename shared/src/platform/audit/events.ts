import type { AuditAction } from './audit-actions.ts';

// Events for other services, derived from the audit record of the change that causes them.

export type EventType =
  | 'user.created'
  | 'user.email-verified'
  | 'user.email-changed'
  | 'user.profile-changed'
  | 'user.password-changed'
  | 'user.blocked'
  | 'user.unblocked'
  | 'user.role-assigned'
  | 'user.role-removed'
  | 'user.deleted'
  | 'project.created'
  | 'project.edited'
  | 'project.status-changed'
  | 'project.deleted'
  | 'project.restored'
  | 'team.created'
  | 'team.edited'
  | 'team.verified'
  | 'team.member-added'
  | 'team.member-changed'
  | 'team.member-removed';

type Cause = {
  type: EventType;
  /**
   * The details of the audit record that become the data of the event: ids and names of fields, no personal
   * data.
   */
  data?: readonly string[];
  /** Causes the event only if this detail is true. */
  when?: string;
  /** Adds an event for each element of this detail; the fields of the element are the event's data. */
  each?: string;
};

const CREATED: Cause = { type: 'user.created', data: ['kind', 'isEmailVerified'] };
const MEMBER = ['employeeId', 'userId'];
const ROLE_ASSIGNED: Cause = { type: 'user.role-assigned', data: ['role'] };

/**
 * Actions without an entry cause no event. docs/other-services.md contains this table for readers of events.
 */
const CAUSES: { readonly [Action in AuditAction]?: readonly Cause[] } = {
  ACCOUNT_REGISTERED: [CREATED],
  ACCOUNT_IMPORTED: [CREATED],
  // Only platform roles have an event: a customer or an employee has the role of its kind.
  ADMINISTRATOR_REGISTERED: [CREATED, ROLE_ASSIGNED],
  ACCOUNT_DELETED: [{ type: 'user.deleted' }],
  EMAIL_VERIFIED: [
    { type: 'user.email-verified' },
    { type: 'user.profile-changed', data: ['kind', 'fields'], each: 'clearedProfiles' },
    { type: 'user.password-changed', when: 'isPasswordRemoved' },
  ],
  EMAIL_CHANGED: [
    { type: 'user.email-changed' },
    // The code proves the new address.
    { type: 'user.email-verified', when: 'isFirstProof' },
  ],
  PASSWORD_CHANGED: [{ type: 'user.password-changed' }],
  PASSWORD_RESET: [{ type: 'user.password-changed' }],
  PROFILE_CHANGED: [{ type: 'user.profile-changed', data: ['kind', 'fields'] }],
  PROJECT_CREATED: [{ type: 'project.created', data: ['ownerId', 'status', 'contractingStage'] }],
  PROJECT_DELETED: [{ type: 'project.deleted' }],
  PROJECT_EDITED: [{ type: 'project.edited', data: ['fields'] }],
  PROJECT_RESTORED: [{ type: 'project.restored' }],
  PROJECT_STATUS_CHANGED: [{ type: 'project.status-changed', data: ['status', 'contractingStage'] }],
  ROLE_ASSIGNED: [ROLE_ASSIGNED],
  ROLE_REMOVED: [{ type: 'user.role-removed', data: ['role'] }],
  // Stands for its first administrator, too.
  TEAM_CREATED: [{ type: 'team.created', data: MEMBER }],
  TEAM_EDITED: [{ type: 'team.edited', data: ['fields'] }],
  TEAM_MEMBER_ADDED: [{ type: 'team.member-added', data: MEMBER }],
  TEAM_MEMBER_CHANGED: [{ type: 'team.member-changed', data: MEMBER }],
  // The deletion of an account causes it as well: delete_account.sql.
  TEAM_MEMBER_REMOVED: [{ type: 'team.member-removed', data: MEMBER }],
  TEAM_VERIFIED: [{ type: 'team.verified' }],
  USER_BLOCKED: [{ type: 'user.blocked' }],
  USER_UNBLOCKED: [{ type: 'user.unblocked' }],
};

type NewEvent = { type: EventType; subject: string; data: Record<string, unknown>; causedBy: string };
type Causing = {
  action: AuditAction;
  actorId?: string | undefined;
  service?: string | undefined;
  targetId: string;
  details?: Record<string, unknown>;
};

/** A code or a provider proves that it is the account itself, which is not signed in. */
const BY_PROOF: readonly AuditAction[] = ['EMAIL_VERIFIED', 'PASSWORD_RESET'];

/**
 * Whom the events of an audited action name as their cause: `user:<id>`, `service:<name>`, or `platform` for
 * commands, imports and the first administrator. After an invitation this is the person who accepts it,
 * although the audit record of the role names the inviter.
 */
export const toCausedBy = ({ action, actorId, service, targetId, details }: Causing): string => {
  if (service !== undefined) return `service:${service}`;
  if (BY_PROOF.includes(action) || details?.['invitationId'] !== undefined) return `user:${targetId}`;
  const isFirstAdministrator = action === 'ADMINISTRATOR_REGISTERED' && actorId === targetId;
  return actorId === undefined || isFirstAdministrator ? 'platform' : `user:${actorId}`;
};

const toSources = (details: Record<string, unknown>, each: string | undefined) =>
  each === undefined ? [details] : ((details[each] ?? []) as Record<string, unknown>[]);

/** Returns the events that an audited action causes, in order. */
export const toEvents = (record: Causing): NewEvent[] => {
  const { action, targetId, details = {} } = record;
  const causedBy = toCausedBy(record);
  return (CAUSES[action] ?? [])
    .filter(({ when }) => when === undefined || details[when] === true)
    .flatMap(({ type, data = [], each }) =>
      toSources(details, each).map((source) => ({
        type,
        subject: targetId,
        data: Object.fromEntries(data.map((name) => [name, source[name]])),
        causedBy,
      })),
    );
};
