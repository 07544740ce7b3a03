import type { Secret } from '@platform/shared/config/secrets';
import { userBlocked } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import { type LockedAccount, requireAllowedDomain } from '@platform/shared/platform/accounts/account';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import {
  createInvitationCipher,
  createInvitationCodeHash,
  generateInvitationCode,
} from '@platform/shared/platform/codes/invitation-code';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { type AdminCaller, workspaceForbidden } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import {
  INVITATIONS_PER_HOUR,
  type Invitation,
  type InvitationRequest,
  invitationNotFound,
  invitedEmailTaken,
  tooManyInvitations,
} from './invitation.ts';
import type { InvitationStore } from './invitations-store.ts';

export type InvitationStores = {
  accountChanges: AccountChangeStore;
  invitations: InvitationStore;
  outbox: MailOutbox;
  audit: AuditLog;
};

type Dependencies = {
  config: { adminAllowedDomains: readonly string[]; codeSecret: Secret };
  stores: Pick<InvitationStores, 'invitations'>;
  inTransaction: InTransaction<InvitationStores>;
  /** Counts a sent invitation. */
  countSent: () => void;
};

/**
 * Locks the inviter, so that the invitation is either committed before a block or a loss of the role, which
 * then deletes it, or is rejected. @throws AppError 401 USER_BLOCKED, 403 WORKSPACE_FORBIDDEN
 */
const lockInviter = async (
  { accountChanges }: InvitationStores,
  { account: { userId } }: AdminCaller,
): Promise<LockedAccount> => {
  const inviter = await accountChanges.lock(userId);
  if (!inviter?.roles.includes('ADMIN')) throw workspaceForbidden();
  if (inviter.isBlocked) throw userBlocked();
  return inviter;
};

const toAudit = (
  action: 'INVITATION_SENT' | 'INVITATION_WITHDRAWN',
  targetId: string,
  { account }: AdminCaller,
  context: RequestContext,
  details: Record<string, unknown>,
) => ({ ...context, action, actorId: account.userId, targetType: 'INVITATION', targetId, details }) as const;

export const createInvitationService = ({ config, stores, inTransaction, countSent }: Dependencies) => {
  const hashCode = createInvitationCodeHash(config.codeSecret);
  const cipher = createInvitationCipher(config.codeSecret);

  const send = async (
    own: InvitationStores,
    { role, language, ...request }: InvitationRequest,
    caller: AdminCaller,
    context: RequestContext,
  ): Promise<Invitation> => {
    const email = request.email.toLowerCase();
    const inviter = await lockInviter(own, caller);
    await own.invitations.lock();
    if (await own.invitations.isOwned(email)) throw invitedEmailTaken();
    const sentBy = { actorId: inviter.id };
    const seconds = await own.audit.secondsUntilBelow(INVITATIONS_PER_HOUR, sentBy, ['INVITATION_SENT']);
    if (seconds > 0) throw tooManyInvitations(seconds);
    const replaced = await own.invitations.removeByEmail(email);
    const code = generateInvitationCode();
    const [codeHash = ''] = hashCode(code);
    const mailed = { email, role, language: language ?? inviter.language };
    const added = await own.invitations.add({ ...mailed, codeHash, invitedBy: inviter.id });
    const mail = {
      template: 'invitation',
      to: email,
      language: mailed.language,
      role,
      sealedCode: cipher.encrypt(code),
      expiresAt: added.expiresAt.toISOString(),
    } as const;
    await own.outbox.addInvitation(mail, context.requestId, added.id);
    // Without the address, because the audit log outlives the invitation.
    const details = { role, ...(replaced !== undefined && { replaced }) };
    await own.audit.add(toAudit('INVITATION_SENT', added.id, caller, context, details));
    return { ...added, email, role, invitedBy: { id: inviter.id, email: inviter.email } };
  };

  return {
    list: (): Promise<Invitation[]> => stores.invitations.list(),

    /**
     * Replaces an invitation of the same address. @throws AppError 403 DOMAIN_NOT_ALLOWED, 409 EMAIL_TAKEN, 429
     */
    invite: async (
      request: InvitationRequest,
      caller: AdminCaller,
      context: RequestContext,
    ): Promise<Invitation> => {
      requireAllowedDomain(request.email, config.adminAllowedDomains);
      const invitation = await inTransaction((own) => send(own, request, caller, context));
      countSent();
      return invitation;
    },

    /** @throws AppError 404 */
    withdraw: (id: string, caller: AdminCaller, context: RequestContext): Promise<void> =>
      inTransaction(async ({ invitations, audit }) => {
        const removed = await invitations.remove(id);
        if (!removed) throw invitationNotFound();
        await audit.add(toAudit('INVITATION_WITHDRAWN', id, caller, context, removed));
      }),
  };
};

export type InvitationService = ReturnType<typeof createInvitationService>;
