import { forbidden, tokenInvalid } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { RequestContext } from '@platform/shared/http/request-context';
import { findPlatformRole, workspaceForbidden } from '@platform/shared/platform/access/platform-role';
import { requireAllowedDomain } from '@platform/shared/platform/accounts/account';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { lockAdministrator } from '@platform/shared/platform/accounts/administrator-transaction';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AuthCaller, RegistrationCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import { emailTaken, normaliseEmail } from './account.ts';
import type { AccountStore } from './accounts-store.ts';
import type { PasswordHasher } from './password-hasher-adapter.ts';
import type { ValidatePassword } from './password-policy.ts';

export type RegistrationStores = {
  accounts: AccountStore;
  accountChanges: AccountChangeStore;
  audit: AuditLog;
};

type Dependencies = {
  config: { adminAllowedDomains: readonly string[]; isBootstrapOpen: boolean };
  stores: { accounts: AccountStore };
  inTransaction: InTransaction<RegistrationStores>;
  hasher: PasswordHasher;
  validatePassword: ValidatePassword;
};

type Registration = { email: string; password: string; language: Language };
type Administrator = { id: string; email: string; createdAt: Date };

const registrationClosed = () =>
  forbidden('REGISTRATION_CLOSED', 'Registration of the first administrator is closed');

/** @throws AppError 401 TOKEN_INVALID if another first administrator was registered concurrently */
const lockBootstrap = async (accounts: AccountStore): Promise<void> => {
  await accounts.lockBootstrap();
  if (await accounts.hasAdmin()) throw tokenInvalid();
};

export const createRegistrationService = (dependencies: Dependencies) => {
  const { config, stores, inTransaction, hasher, validatePassword } = dependencies;

  return {
    /** @throws AppError 403 WORKSPACE_FORBIDDEN */
    toRegistrationCaller: ({
      account,
      tokenId,
      proofAgeSeconds,
    }: Pick<AuthCaller, 'account' | 'tokenId' | 'proofAgeSeconds'>): RegistrationCaller => {
      if (findPlatformRole(account.roles) !== 'ADMIN') throw workspaceForbidden();
      return { administrator: { userId: account.userId, tokenId }, proofAgeSeconds };
    },

    /** @throws AppError 401 TOKEN_INVALID if the platform has an ADMIN; 403 REGISTRATION_CLOSED */
    requireBootstrapOpen: async (): Promise<void> => {
      if (await stores.accounts.hasAdmin()) throw tokenInvalid();
      if (!config.isBootstrapOpen) throw registrationClosed();
    },

    /**
     * @throws AppError 403 DOMAIN_NOT_ALLOWED, 409 EMAIL_TAKEN, and the errors of lockAdministrator and
     * lockBootstrap
     */
    registerAdministrator: async (
      { administrator }: RegistrationCaller,
      { email: emailInput, password, language }: Registration,
      context: RequestContext,
    ): Promise<Administrator> => {
      const email = normaliseEmail(emailInput);
      requireAllowedDomain(email, config.adminAllowedDomains);
      await validatePassword(password, email, 'password');
      if (await stores.accounts.emailExists(email)) throw emailTaken();
      const passwordHash = await hasher.hash(password, context);
      return await inTransaction(async (stores) => {
        const { accounts, audit } = stores;
        if (administrator) await lockAdministrator(stores, administrator);
        else await lockBootstrap(accounts);
        const { id, createdAt } = await accounts.create({ email, passwordHash, language });
        await accounts.addRole(id, 'ADMIN');
        await audit.add({
          ...context,
          action: 'ADMINISTRATOR_REGISTERED',
          actorId: administrator?.userId ?? id,
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
