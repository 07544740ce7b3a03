import type { Secret } from '@platform/shared/config/secrets';
import type { Language } from '@platform/shared/http/language';
import type { RequestContext } from '@platform/shared/http/request-context';
import { requireAllowedDomain } from '@platform/shared/platform/accounts/account';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { createInvitationCodeHash } from '@platform/shared/platform/codes/invitation-code';
import { maskAddress } from '@platform/shared/platform/mail/mail';
import type { PasswordHasher } from '../passwords/password-hasher-adapter.ts';
import type { ValidatePassword } from '../passwords/password-policy.ts';
import type { AcceptanceService, InvitedAdministrator } from './acceptance-service.ts';
import { findObstacle, type Invitation, invitationInvalid, readObstacle } from './invitation.ts';
import type { InvitationStore } from './invitations-store.ts';

type Dependencies = {
  config: { adminAllowedDomains: readonly string[]; codeSecret: Secret };
  stores: { invitations: InvitationStore; audit: AuditLog };
  hasher: PasswordHasher;
  validatePassword: ValidatePassword;
  acceptance: AcceptanceService;
  countAcceptance: (outcome: 'accepted' | 'rejected') => void;
};

/** `language`: the one that the client prefers; if undefined, that of the invitation. */
type Acceptance = {
  code: string;
  password: string;
  name?: string | null | undefined;
  language: Language | undefined;
  timeZone: string | null;
};

export const createInvitationService = (dependencies: Dependencies) => {
  const { config, stores, hasher, validatePassword, acceptance, countAcceptance } = dependencies;
  const hashCode = createInvitationCodeHash(config.codeSecret);

  /** @throws AppError 400 CODE_INVALID */
  const find = async (code: string): Promise<Invitation> => {
    const invitation = await stores.invitations.find(hashCode(code));
    if (!invitation) throw invitationInvalid();
    return invitation;
  };

  /** @throws AppError 400 CODE_INVALID, 403 DOMAIN_NOT_ALLOWED */
  const requireAcceptable = async (invitation: Invitation): Promise<void> => {
    if (invitation.expiresAt.getTime() <= Date.now()) throw invitationInvalid('expired');
    const obstacle = findObstacle(await stores.invitations.findAccount(invitation));
    if (obstacle) throw invitationInvalid(obstacle);
    requireAllowedDomain(invitation.email, config.adminAllowedDomains);
  };

  /** The response does not name the obstacle, so that a stranger with a code learns nothing of the account. */
  const auditObstacle = async <Result>(
    { id, role, email }: Invitation,
    context: RequestContext,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      const reason = readObstacle(error);
      if (reason)
        await stores.audit.addFailure({
          ...context,
          action: 'INVITATION_REJECTED',
          targetType: 'INVITATION',
          targetId: id,
          details: { reason, role, recipient: maskAddress(email) },
        });
      throw error;
    }
  };

  const accept = async (
    { code, password, name, language, timeZone }: Acceptance,
    context: RequestContext,
  ): Promise<InvitedAdministrator> => {
    const invitation = await find(code);
    return await auditObstacle(invitation, context, async () => {
      // The code comes first: passwords are looked up in another provider's API, whose quota anonymous
      // requests must not use up.
      await requireAcceptable(invitation);
      await validatePassword(password, invitation.email, 'password');
      const passwordHash = await hasher.hash(password, context);
      const user = { passwordHash, name, language: language ?? invitation.language, timeZone };
      return await acceptance.accept(invitation, user, context);
    });
  };

  return {
    /** @throws AppError 400 CODE_INVALID, 403 DOMAIN_NOT_ALLOWED */
    check: async (
      code: string,
      context: RequestContext,
    ): Promise<Pick<Invitation, 'email' | 'role' | 'expiresAt'>> => {
      const invitation = await find(code);
      await auditObstacle(invitation, context, () => requireAcceptable(invitation));
      const { email, role, expiresAt } = invitation;
      return { email, role, expiresAt };
    },

    /** @throws AppError 400 CODE_INVALID, VALIDATION_FAILED; 403 DOMAIN_NOT_ALLOWED; 503 */
    accept: async (acceptance: Acceptance, context: RequestContext): Promise<InvitedAdministrator> => {
      try {
        const administrator = await accept(acceptance, context);
        countAcceptance('accepted');
        return administrator;
      } catch (error) {
        countAcceptance('rejected');
        throw error;
      }
    },
  };
};

export type InvitationService = ReturnType<typeof createInvitationService>;
