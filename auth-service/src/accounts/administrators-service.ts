import { findPlatformRole, type PlatformRole } from '@platform/shared/access/platform-role';
import type { RequestContext } from '@platform/shared/audit/audit-log';
import { forbidden, tokenInvalid } from '@platform/shared/errors/app-error';
import type { InTransaction, Stores } from '../stores.ts';
import {
  type Account,
  emailNotVerified,
  emailTaken,
  normaliseEmail,
  type Registrar,
  userNotFound,
} from './account.ts';
import type { Administrator } from './administrators-store.ts';
import type { PasswordPolicy } from './password-policy.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  hashPassword: (password: string) => Promise<string>;
  requireAllowedDomain: (email: string) => void;
  requireGoodPassword: PasswordPolicy;
  /** Whether the first administrator may still register without a token. */
  isBootstrapOpen: boolean;
};

type Registration = { email: string; password: string };

const notAnAdmin = () => forbidden('WORKSPACE_FORBIDDEN', 'Only an ADMIN registers administrators');
const registrationClosed = () =>
  forbidden('REGISTRATION_CLOSED', 'Registration of the first administrator is closed');

export const createRegistrationService = (dependencies: Dependencies) => {
  const { stores, inTransaction, hashPassword, isBootstrapOpen } = dependencies;
  const { requireAllowedDomain, requireGoodPassword } = dependencies;

  return {
    /** @throws AppError 403 WORKSPACE_FORBIDDEN */
    requireRegistrar: ({ account }: { account: Account }): Registrar => {
      if (findPlatformRole(account.roles) !== 'ADMIN') throw notAnAdmin();
      return { administratorId: account.userId };
    },

    /** @throws AppError 401 TOKEN_INVALID once the platform has an ADMIN, 403 REGISTRATION_CLOSED */
    requireBootstrap: async (): Promise<void> => {
      if (await stores.registration.hasAdmin()) throw tokenInvalid();
      if (!isBootstrapOpen) throw registrationClosed();
    },

    /** @throws AppError 403 DOMAIN_NOT_ALLOWED, 409 EMAIL_TAKEN, 401 TOKEN_INVALID when another first one was faster */
    registerAdministrator: async (
      { administratorId }: Registrar,
      { email: given, password }: Registration,
      origin: RequestContext,
    ): Promise<Administrator> => {
      const email = normaliseEmail(given);
      requireAllowedDomain(email);
      requireGoodPassword(password, email, 'password');
      if (await stores.accounts.emailExists(email)) throw emailTaken();
      const passwordHash = await hashPassword(password);
      return await inTransaction(async (stores) => {
        if (administratorId === undefined) {
          await stores.registration.lockBootstrap();
          if (await stores.registration.hasAdmin()) throw tokenInvalid();
        }
        const administrator = await stores.registration.create(email, passwordHash, 'ADMIN');
        await stores.audit.add({
          ...origin,
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
   * Gives an existing user a platform role. The address must be verified: a sign-up proves no mailbox, so anybody could
   * have taken the address of a future administrator.
   * @throws AppError DOMAIN_NOT_ALLOWED, USER_NOT_FOUND, EMAIL_NOT_VERIFIED, PLATFORM_ROLE_TAKEN
   */
  assignRole: async (given: string, role: PlatformRole, origin: RequestContext): Promise<void> => {
    const email = normaliseEmail(given);
    requireAllowedDomain(email);
    await inTransaction(async (stores) => {
      const user = await stores.roles.lockUserByEmail(email);
      if (!user) throw userNotFound();
      if (!user.isEmailVerified) throw emailNotVerified();
      await stores.roles.assign(user.id, role);
      await stores.audit.add({
        ...origin,
        action: 'ROLE_ASSIGNED',
        targetType: 'USER',
        targetId: user.id,
        details: { role },
      });
    });
  },
});

export type RoleService = ReturnType<typeof createRoleService>;
