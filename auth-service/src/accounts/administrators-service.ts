import { findPlatformRole, type PlatformRole } from '@platform/shared/access/platform-role';
import type { RequestContext } from '@platform/shared/audit/audit-log';
import { forbidden, tokenInvalid } from '@platform/shared/errors/app-error';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { InTransaction, Stores } from '../stores.ts';
import {
  type Account,
  emailNotVerified,
  emailTaken,
  normaliseEmail,
  type RegistrationCaller,
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

type Registration = { email: string; password: string };

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
      { email: emailInput, password }: Registration,
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
        const administrator = await stores.registration.create(email, passwordHash, 'ADMIN');
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

type RoleDependencies = { inTransaction: InTransaction; requireAllowedDomain: (email: string) => void };

export const createRoleService = ({ inTransaction, requireAllowedDomain }: RoleDependencies) => ({
  /**
   * The e-mail must be verified: a sign-up does not prove that the user owns the mailbox, so an attacker could have signed
   * up with the e-mail of a future administrator.
   * @throws AppError DOMAIN_NOT_ALLOWED, USER_NOT_FOUND, EMAIL_NOT_VERIFIED, PLATFORM_ROLE_TAKEN
   */
  assignRole: async (emailInput: string, role: PlatformRole, context: RequestContext): Promise<void> => {
    const email = normaliseEmail(emailInput);
    requireAllowedDomain(email);
    await inTransaction(async (stores) => {
      const user = await stores.roles.lockUserByEmail(email);
      if (!user) throw userNotFound();
      if (!user.isEmailVerified) throw emailNotVerified();
      await stores.roles.assign(user.id, role);
      await stores.audit.add({
        ...context,
        action: 'ROLE_ASSIGNED',
        targetType: 'USER',
        targetId: user.id,
        details: { role },
      });
    });
  },
});
