import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditAction, AuditRecord } from '@platform/shared/platform/audit/audit-log';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import { KIND_CONFIGS, type Kind, type ProfileKind } from '../kinds.ts';

/** The record contains no e-mail, so that it can outlive the account. */
export const toAccountAudit = (
  action: AuditAction,
  { kind, userId }: { kind: Kind; userId: string | null },
  { requestId, address }: RequestContext,
  details: object = {},
): AuditRecord => ({
  requestId,
  address,
  action,
  targetType: userId === null ? null : 'USER',
  targetId: userId,
  details: { kind, ...details },
});

/** The record of an action of a user on the user's account. */
export const toOwnAudit = (
  action: AuditAction,
  { kind, account: { userId }, context }: Pick<ConfirmingCaller, 'kind' | 'account' | 'context'>,
  details?: object,
): AuditRecord => ({ ...toAccountAudit(action, { kind, userId }, context, details), actorId: userId });

/** The details of a record whose action has ended other sessions; empty if there were none. */
export const toEndedDetails = (count: number): { count?: number } => (count > 0 ? { count } : {});

/** The record of an account that was created with the role of its kind. */
export const toNewAccountAudit = (
  action: 'ACCOUNT_REGISTERED' | 'ACCOUNT_IMPORTED',
  { kind, userId }: { kind: ProfileKind; userId: string },
  context: RequestContext,
  { isEmailVerified }: { isEmailVerified: boolean },
): AuditRecord =>
  toAccountAudit(action, { kind, userId }, context, {
    role: KIND_CONFIGS[kind].profile.role,
    isEmailVerified,
  });
