import { userBlocked } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { normaliseEmail, platformRoleTaken, userNotFound } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import { requireAllowedDomain, requireVerifiedEmail } from '../accounts/eligibility.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { SecondFactorStore } from '../second-factor/second-factor-store.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';

type Stores = {
  accounts: AccountStore;
  sessions: SessionStore;
  secondFactor: SecondFactorStore;
  passkeys: PasskeyStore;
  audit: AuditLog;
};

/** The user has chosen the names of the passkeys. */
type OwnFactors = { hasTotp: boolean; passkeys: string[] };

type RoleDependencies = { inTransaction: InTransaction<Stores>; adminAllowedDomains: readonly string[] };

export const createRoleService = ({ inTransaction, adminAllowedDomains }: RoleDependencies) => ({
  /**
   * Ends the user's sessions, and returns the factors of the account for the operator to check. The e-mail
   * must be verified, because a sign-up does not prove that the user owns the mailbox.
   * @throws AppError in this order: USER_NOT_FOUND, PLATFORM_ROLE_TAKEN, USER_BLOCKED, EMAIL_NOT_VERIFIED,
   * DOMAIN_NOT_ALLOWED
   */
  assignRole: (emailInput: string, role: PlatformRole, context: RequestContext): Promise<OwnFactors> => {
    const email = normaliseEmail(emailInput);
    return inTransaction(async ({ accounts, sessions, audit, secondFactor, passkeys }) => {
      const user = await accounts.lockByEmail(email);
      if (!user) throw userNotFound();
      if (await accounts.hasPlatformRole(user.id)) throw platformRoleTaken();
      if (user.isBlocked) throw userBlocked();
      requireVerifiedEmail(user);
      requireAllowedDomain(email, adminAllowedDomains);
      await accounts.addRole(user.id, role);
      await sessions.removeTokensOfUser(user.id);
      await audit.add({
        ...context,
        action: 'ROLE_ASSIGNED',
        targetType: 'USER',
        targetId: user.id,
        details: { role },
      });
      const { totpEnabledAt } = await secondFactor.findState(user.id);
      const names = (await passkeys.listByUser(user.id)).map(({ name }) => name);
      return { hasTotp: totpEnabledAt !== null, passkeys: names };
    });
  },
});
