import type { RequestContext } from '../../http/request-context.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { toCausedBy } from '../audit/events.ts';
import type { MailOutbox } from '../mail/mail-outbox.ts';
import { deletionRejected } from './account.ts';
import type { AccountChangeStore } from './account-changes-store.ts';

type Stores = { accountChanges: AccountChangeStore; audit: AuditLog; outbox: MailOutbox };

type Deletion = {
  /** The owner or an ADMIN; absent on the command line. */
  actorId?: string | undefined;
  context: RequestContext;
  details?: Record<string, unknown>;
};

/**
 * Ends all sessions of the account, which the caller has locked, and mails its owner. Another account may use
 * the e-mail afterwards. Returns false if the account was already deleted.
 * @throws AppError 409 PLATFORM_ROLE_TAKEN, LAST_TEAM_ADMINISTRATOR
 */
export const deleteAccount = async (
  { accountChanges, audit, outbox }: Stores,
  id: string,
  { actorId, context, details = {} }: Deletion,
): Promise<boolean> => {
  const record = { action: 'ACCOUNT_DELETED', actorId, targetId: id, details } as const;
  const deleted = await accountChanges.delete(id, toCausedBy(record));
  if (!deleted) return false;
  const { email: to, isEmailVerified, language, timeZone, rejection } = deleted;
  if (rejection) throw deletionRejected(rejection);
  const deletedAt = new Date().toISOString();
  const owner = { to, language, timeZone, isEmailVerified };
  const mail = { template: 'account-deleted', ...owner, deletedAt } as const;
  await outbox.add(mail, context.requestId, id);
  await audit.add({ ...context, ...record, targetType: 'USER' });
  return true;
};
