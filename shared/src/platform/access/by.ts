import type { RequestContext } from '../../http/request-context.ts';
import type { AuditAction, AuditRecord } from '../audit/audit-log.ts';

/** The session in which an ADMIN acts: its token record is kept by every refresh. */
export type ActingAdministrator = { userId: string; tokenId: string };

/** The actor of a change, and its request. */
export type ByAdministrator = { administrator: ActingAdministrator; context: RequestContext };
export type ByService = { service: string; context: RequestContext };
/** Somebody who is not signed in. */
export type ByAnybody = { anonymous: true; context: RequestContext };
export type By = ByAdministrator | ByService | ByAnybody;

type Target = Pick<AuditRecord, 'targetType' | 'targetId'>;

/** The audit record of the change. */
export const toAuditRecord = (
  by: By,
  action: AuditAction,
  target: Target,
  details: Record<string, unknown> = {},
): AuditRecord => ({
  ...by.context,
  action,
  ...('administrator' in by && { actorId: by.administrator.userId }),
  ...('service' in by && { service: by.service }),
  ...target,
  details,
});
