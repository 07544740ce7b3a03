import type { RequestContext } from '../../http/request-context.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { maskAddress } from '../mail/mail.ts';
import type { AccountChangeStore } from './account-changes-store.ts';

type Stores = { accountChanges: AccountChangeStore; audit: AuditLog };

type Withdrawal = {
  reason: 'inviter-blocked' | 'inviter-role-removed';
  actorId?: string | undefined;
  context: RequestContext;
};

/** The caller has locked the inviter, and an invitation that is sent meanwhile waits for this lock. */
export const withdrawInvitationsOf = async (
  { accountChanges, audit }: Stores,
  inviterId: string,
  { reason, actorId, context }: Withdrawal,
): Promise<void> => {
  const withdrawn = await accountChanges.removeInvitations(inviterId);
  await audit.addAll(
    withdrawn.map(({ id, role, email }) => ({
      ...context,
      action: 'INVITATION_WITHDRAWN',
      actorId,
      targetType: 'INVITATION',
      targetId: id,
      details: { role, recipient: maskAddress(email), reason },
    })),
  );
};
