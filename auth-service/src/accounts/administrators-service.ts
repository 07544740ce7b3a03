import { forbidden, tokenInvalid, userBlocked } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { RequestContext } from '@platform/shared/http/request-context';
import { findPlatformRole, type PlatformRole } from '@platform/shared/platform/access/platform-role';
import type { Infrastructure } from '../infrastructure.ts';
import type { InTransaction } from '../stores.ts';
import {
  type Account,
  emailTaken,
  normaliseEmail,
  platformRoleTaken,
  type RegistrationCaller,
  requireAllowedDomain,
  requireVerifiedEmail,
  userNotFound,
} from './account.ts';
import type { ValidatePassword } from './password-policy.ts';

type Dependencies = Pick<Infrastructure, 'config' | 'stores' | 'inTransaction' | 'hasher'> & {
  validatePassword: ValidatePassword;
};

type Registration = { email: string; password: string; language: Language };
type Administrator = { id: string; email: string; createdAt: Date };

const adminRequired = () => forbidden('WORKSPACE_FORBIDDEN', 'Only an ADMIN can register administrators');
const registrationClosed = () =>
  forbidden('REGISTRATION_CLOSED', 'Registration of the first administrator is closed');

export const createRegistrationService = (dependencies: Dependencies) => {
  const { config, stores, inTransaction, hasher, validatePassword } = dependencies;

  return {
    /** @throws AppError 403 WORKSPACE_FORBIDDEN */
    toRegistrationCaller: ({ account }: { account: Account }): RegistrationCaller => {
      if (findPlatformRole(account.roles) !== 'ADMIN') throw adminRequired();
      return { administratorId: account.userId };
    },

    /** @throws AppError 401 TOKEN_INVALID if the platform has an ADMIN; 403 REGISTRATION_CLOSED */
    requireBootstrapOpen: async (): Promise<void> => {
      if (await stores.accounts.hasAdmin()) throw tokenInvalid();
      if (!config.isBootstrapOpen) throw registrationClosed();
    },

    /**
     * @throws AppError 403 DOMAIN_NOT_ALLOWED, 409 EMAIL_TAKEN, 401 TOKEN_INVALID if another first
     * administrator was registered concurrently
     */
    registerAdministrator: async (
      { administratorId }: RegistrationCaller,
      { email: emailInput, password, language }: Registration,
      context: RequestContext,
    ): Promise<Administrator> => {
      const email = normaliseEmail(emailInput);
      requireAllowedDomain(email, config.adminAllowedDomains);
      await validatePassword(password, email, 'password');
      if (await stores.accounts.emailExists(email)) throw emailTaken();
      const passwordHash = await hasher.hash(password);
      return await inTransaction(async ({ accounts, audit }) => {
        if (administratorId === undefined) {
          await accounts.lockBootstrap();
          if (await accounts.hasAdmin()) throw tokenInvalid();
        }
        const { id, createdAt } = await accounts.create({ email, passwordHash, language });
        await accounts.addRole(id, 'ADMIN');
        await audit.add({
          ...context,
          action: 'ADMINISTRATOR_REGISTERED',
          actorId: administratorId ?? id,
          targetType: 'USER',
          targetId: id,
          details: { kind: 'administrator', role: 'ADMIN', isEmailVerified: false },
        });
        return { id, email, createdAt };
      });
    },
  };
};

export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** The user has chosen the names of the passkeys. */
type OwnFactors = { hasTotp: boolean; passkeys: string[] };

type RoleDependencies = { inTransaction: InTransaction; adminAllowedDomains: readonly string[] };

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
