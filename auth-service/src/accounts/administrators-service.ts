import { forbidden, tokenInvalid } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import { findPlatformRole, workspaceForbidden } from '@platform/shared/platform/access/platform-role';
import { type LockedAccount, requireAllowedDomain } from '@platform/shared/platform/accounts/account';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { lockAdministrator } from '@platform/shared/platform/accounts/administrator-transaction';
import { requireRoleGrantAllowed, toRoleGivenMail } from '@platform/shared/platform/accounts/role-grants';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AuthCaller, RegistrationCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { PasswordHasher } from '../passwords/password-hasher-adapter.ts';
import type { ValidatePassword } from '../passwords/password-policy.ts';
import { emailTaken, type MailPreferences, type NewUser, normaliseEmail } from './account.ts';
import type { AccountStore } from './accounts-store.ts';

export type RegistrationStores = {
  accounts: AccountStore;
  accountChanges: AccountChangeStore;
  audit: AuditLog;
  outbox: MailOutbox;
};

type Dependencies = {
  config: { adminAllowedDomains: readonly string[]; isBootstrapOpen: boolean };
  stores: Pick<RegistrationStores, 'accounts' | 'accountChanges'>;
  inTransaction: InTransaction<RegistrationStores>;
  hasher: PasswordHasher;
  validatePassword: ValidatePassword;
};

type Registration = MailPreferences & { email: string; password: string };
type Administrator = { id: string; email: string; createdAt: Date };

const ROLE = 'ADMIN';

const registrationClosed = () =>
  forbidden('REGISTRATION_CLOSED', 'Registration of the first administrator is closed');

/** @throws AppError 401 TOKEN_INVALID if another first administrator was registered concurrently */
const lockBootstrap = async (accounts: AccountStore): Promise<void> => {
  await accounts.lockBootstrap();
  if (await accounts.hasAdmin()) throw tokenInvalid();
};

/** Mails the new administrator, and the ADMIN who gave the role. */
const create = async (
  { accounts, audit, outbox }: RegistrationStores,
  user: NewUser,
  giver: LockedAccount | undefined,
  context: RequestContext,
): Promise<Administrator> => {
  const { id, createdAt } = await accounts.create(user);
  await accounts.addRole(id, ROLE);
  await audit.add({
    ...context,
    action: 'ADMINISTRATOR_REGISTERED',
    actorId: giver?.id ?? id,
    targetType: 'USER',
    targetId: id,
    details: { kind: 'administrator', role: ROLE, isEmailVerified: false },
  });
  const { email, language } = user;
  const grant = { role: ROLE, changedAt: createdAt.toISOString() };
  const notice = { to: email, language, isEmailVerified: false, ...grant };
  await outbox.add({ template: 'administrator-registered', ...notice }, context.requestId, id);
  if (giver) await outbox.add(toRoleGivenMail(giver, { email, ...grant }), context.requestId, giver.id);
  return { id, email, createdAt };
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
     * Further administrators need an ADMIN who registers them; the first one does not.
     * @throws AppError 429 RATE_LIMITED, 403 DOMAIN_NOT_ALLOWED, 409 EMAIL_TAKEN, and the errors of
     * lockAdministrator and lockBootstrap
     */
    registerAdministrator: async (
      { administrator }: RegistrationCaller,
      { email: emailInput, password, language, timeZone }: Registration,
      context: RequestContext,
    ): Promise<Administrator> => {
      // The transaction checks again; this comes before the hash, which is slow, and before the address.
      if (administrator) await requireRoleGrantAllowed(stores, administrator.userId);
      const email = normaliseEmail(emailInput);
      requireAllowedDomain(email, config.adminAllowedDomains);
      await validatePassword(password, email, 'password');
      if (await stores.accounts.emailExists(email)) throw emailTaken();
      const passwordHash = await hasher.hash(password, context);
      const user = { email, passwordHash, language, timeZone };
      return await inTransaction(async (own) => {
        if (!administrator) {
          await lockBootstrap(own.accounts);
          return await create(own, user, undefined, context);
        }
        const { administrator: giver } = await lockAdministrator(own, administrator);
        await requireRoleGrantAllowed(own, giver.id);
        return await create(own, user, giver, context);
      });
    },
  };
};

export type RegistrationService = ReturnType<typeof createRegistrationService>;
