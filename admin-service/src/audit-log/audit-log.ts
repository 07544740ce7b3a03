import { notFound } from '@platform/shared/errors/app-error';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import type { AuditAction, AuditTargetType } from '@platform/shared/platform/audit/audit-log';

export type AuditEntry = {
  id: string;
  action: AuditAction;
  actorId: string | null;
  /** Null for a deleted user, and if nobody was signed in. */
  actorEmail: string | null;
  /** Null without a name, too. */
  actorName: string | null;
  /** The one that the actor holds now. */
  actorPlatformRole: PlatformRole | null;
  /** Both are null for a record without a target. */
  targetType: AuditTargetType | null;
  targetId: string | null;
  /** The name, title or e-mail as it is now; of a mail which one, with its masked recipient; null if the target is gone. */
  targetName: string | null;
  /** The user whom a record about something else concerns, such as the recipient of a mail. */
  user: { id: string; name: string | null } | null;
  requestId: string;
  address: string;
  details: Record<string, unknown>;
  createdAt: Date;
};

/** `from` is inclusive, `until` is exclusive. */
export type AuditFilter = {
  /** The user who acted, who is the target, or whom a record about a team or a mail concerns. */
  userId?: string | undefined;
  actorId?: string | undefined;
  action?: readonly AuditAction[] | undefined;
  hideSignIns?: boolean | undefined;
  targetId?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
};

export type AuditQuery = AuditFilter & { perPage?: number | undefined; cursor?: string | undefined };
export type AuditPage = { data: AuditEntry[]; nextCursor: string | null };

export const auditRecordNotFound = () => notFound('AUDIT_RECORD_NOT_FOUND', 'Audit record not found');
