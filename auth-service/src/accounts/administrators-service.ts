import { findPlatformRole, type PlatformRole } from '@platform/shared/access/platform-role';
import type { RequestContext } from '@platform/shared/audit/audit-log';
import { forbidden, tokenInvalid } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/mail/mail';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { InTransaction, Stores } from '../stores.ts';
import {
  type Account,
  emailTaken,
  normaliseEmail,
  platformRoleTaken,
  type RegistrationCaller,
  requireVerifiedEmail,
  userNotFound,
} from './account.ts';
import type { Administrator } from './administrators-store.ts';
import type { ValidatePassword } from './password-policy.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  hasher: PasswordHasher;
  requireAllowedDomain: (email: string) => void;
  validatePassword: ValidatePassword;
  /** Whether the first administrator may register without a token. */
  isBootstrapOpen: boolean;
};

type Registration = { email: string; password: string; language: Language };

const adminRequired = () => forbidden('WORKSPACE_FORBIDDEN', 'Only an ADMIN can register administrators');
const registrationClosed = () =>
  forbidden('REGISTRATION_CLOSED', 'Registration of the first administrator is closed');

export const createRegistrationService = (dependencies: Dependencies) => {
  const { stores, inTransaction, hasher, requireAllowedDomain, validatePassword, isBootstrapOpen } =
    dependencies;

  return {
    /** @throws AppError 403 WORKSPACE_FORBIDDEN */
    toRegistrationCaller: ({ account }: { account: Account }): RegistrationCaller => {
      if (findPlatformRole(account.roles) !== 'ADMIN') throw adminRequired();
      return { administratorId: account.userId };
    },

    /** @throws AppError 401 TOKEN_INVALID once the platform has an ADMIN; 403 REGISTRATION_CLOSED */
    requireBootstrapOpen: async (): Promise<void> => {
      if (await stores.registration.hasAdmin()) throw tokenInvalid();
      if (!isBootstrapOpen) throw registrationClosed();
    },

    /** @throws AppError 403 DOMAIN_NOT_ALLOWED, 409 EMAIL_TAKEN, 401 TOKEN_INVALID when another first administrator was registered concurrently */
    registerAdministrator: async (
      { administratorId }: RegistrationCaller,
      { email: emailInput, password, language }: Registration,
      context: RequestContext,
    ): Promise<Administrator> => {
      const email = normaliseEmail(emailInput);
      requireAllowedDomain(email);
      await validatePassword(password, email, 'password');
      if (await stores.accounts.emailExists(email)) throw emailTaken();
      const passwordHash = await hasher.hash(password);
      return await inTransaction(async (stores) => {
        if (administratorId === undefined) {
          await stores.registration.lockBootstrap();
          if (await stores.registration.hasAdmin()) throw tokenInvalid();
        }
        const administrator = await stores.registration.create(email, passwordHash, {
          role: 'ADMIN',
          language,
        });
        await stores.audit.add({
          ...context,
          action: 'ADMINISTRATOR_REGISTERED',
          actorId: administratorId ?? administrator.id,
          targetType: 'USER',
          targetId: administrator.id,
        });
        return administrator;
      });
    },
  };
};

export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** The names of the passkeys are the user's. */
type OwnFactors = { hasTotp: boolean; passkeys: string[] };

type RoleDependencies = { inTransaction: InTransaction; requireAllowedDomain: (email: string) => void };

export const createRoleService = ({ inTransaction, requireAllowedDomain }: RoleDependencies) => ({
  /**
   * Ends the user's sessions; returns the factors of the account, which the operator should know of. The e-mail must be verified: a
   * sign-up does not prove that the user owns the mailbox.
   * @throws AppError PLATFORM_ROLE_TAKEN, EMAIL_NOT_VERIFIED, DOMAIN_NOT_ALLOWED, USER_NOT_FOUND
   */
  assignRole: (emailInput: string, role: PlatformRole, context: RequestContext): Promise<OwnFactors> => {
    const email = normaliseEmail(emailInput);
    return inTransaction(async (stores) => {
      const user = await stores.roles.lockUserByEmail(email);
      if (!user) throw userNotFound();
      if (await stores.roles.hasPlatformRole(user.id)) throw platformRoleTaken();
      requireVerifiedEmail(user);
      requireAllowedDomain(email);
      await stores.roles.assign(user.id, role);
      await stores.sessions.removeTokensOfUser(user.id);
      await stores.audit.add({
        ...context,
        action: 'ROLE_ASSIGNED',
        targetType: 'USER',
        targetId: user.id,
        details: { role },
      });
      const { totpEnabledAt } = await stores.secondFactor.findState(user.id);
      const passkeys = await stores.secondFactor.listPasskeys(user.id);
      return { hasTotp: totpEnabledAt !== null, passkeys: passkeys.map(({ name }) => name) };
    });
  },
});
