import type { Secret } from '@platform/shared/config/secrets';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { type ByAdministrator, toAuditRecord } from '@platform/shared/platform/access/by';
import { type LockedAccount, requireAllowedDomain } from '@platform/shared/platform/accounts/account';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { requireRoleGrantAllowed } from '@platform/shared/platform/accounts/role-grants';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import {
  createInvitationCipher,
  createInvitationCodeHash,
  generateInvitationCode,
} from '@platform/shared/platform/codes/invitation-code';
import { maskAddress } from '@platform/shared/platform/mail/mail';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AsAdministrator } from '../infrastructure.ts';
import {
  type Invitation,
  type InvitationRequest,
  invitationNotFound,
  invitedEmailTaken,
} from './invitation.ts';
import type { InvitationStore } from './invitations-store.ts';

type InvitationStores = {
  accountChanges: AccountChangeStore;
  invitations: InvitationStore;
  outbox: MailOutbox;
  audit: AuditLog;
};

type Dependencies = {
  config: { adminAllowedDomains: readonly string[]; codeSecret: Secret };
  stores: Pick<InvitationStores, 'invitations'>;
  asAdministrator: AsAdministrator<InvitationStores>;
  metrics: Pick<Metrics, 'counter'>;
};

const toTarget = (id: string) => ({ targetType: 'INVITATION', targetId: id }) as const;

export const createInvitationService = ({ config, stores, asAdministrator, metrics }: Dependencies) => {
  const countSent = metrics.counter('invitations_sent_total', 'Invitations to the back office', {});
  const hashCode = createInvitationCodeHash(config.codeSecret);
  const cipher = createInvitationCipher(config.codeSecret);

  const send = async (
    own: InvitationStores,
    { role, language, ...request }: InvitationRequest,
    inviter: LockedAccount,
    by: ByAdministrator,
  ): Promise<Invitation> => {
    const email = request.email.toLowerCase();
    await requireRoleGrantAllowed(own, inviter.id);
    requireAllowedDomain(email, config.adminAllowedDomains);
    await own.invitations.lock();
    if (await own.invitations.isOwned(email)) throw invitedEmailTaken();
    const replaced = await own.invitations.removeByEmail(email);
    const code = generateInvitationCode();
    const [codeHash = ''] = hashCode(code);
    const mailed = { email, role, language: language ?? inviter.language };
    const { inviterName: name, ...added } = await own.invitations.add({
      ...mailed,
      codeHash,
      invitedBy: inviter.id,
    });
    const mail = {
      template: 'invitation',
      to: email,
      language: mailed.language,
      role,
      sealedCode: cipher.encrypt(code),
      expiresAt: added.expiresAt.toISOString(),
      invitedBy: inviter.email,
    } as const;
    await own.outbox.addInvitation(mail, by.context.requestId, added.id);
    // The masked address tells colleagues whom, because the audit log outlives the invitation.
    const details = { role, recipient: maskAddress(email), ...(replaced !== undefined && { replaced }) };
    await own.audit.add(toAuditRecord(by, 'INVITATION_SENT', toTarget(added.id), details));
    return { ...added, ...mailed, invitedBy: { id: inviter.id, email: inviter.email, name } };
  };

  return {
    list: async () => ({
      data: await stores.invitations.list(),
      allowedDomains: [...config.adminAllowedDomains],
    }),

    /**
     * Replaces an invitation of the same address.
     * @throws AppError 429 RATE_LIMITED, 403 DOMAIN_NOT_ALLOWED, 409 EMAIL_TAKEN
     */
    invite: async (request: InvitationRequest, by: ByAdministrator): Promise<Invitation> => {
      const invitation = await asAdministrator(by, (own, { administrator }) =>
        send(own, request, administrator, by),
      );
      countSent({});
      return invitation;
    },

    /** @throws AppError 404 */
    withdraw: (id: string, by: ByAdministrator): Promise<void> =>
      asAdministrator(by, async ({ invitations, audit }) => {
        const removed = await invitations.remove(id);
        if (!removed) throw invitationNotFound();
        const details = { role: removed.role, recipient: maskAddress(removed.email) };
        await audit.add(toAuditRecord(by, 'INVITATION_WITHDRAWN', toTarget(id), details));
      }),
  };
};

export type InvitationService = ReturnType<typeof createInvitationService>;
