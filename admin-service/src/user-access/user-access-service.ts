import type { Secret } from '@platform/shared/config/secrets';
import { type ByAdministrator, toAuditRecord } from '@platform/shared/platform/access/by';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import { isSecondStepDue } from '@platform/shared/platform/access/second-step';
import type { LockedAccount } from '@platform/shared/platform/accounts/account';
import type { AccountChangeStore } from '@platform/shared/platform/accounts/account-changes-store';
import { createChangeUser } from '@platform/shared/platform/accounts/administrator-transaction';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { createKeyedHashes } from '@platform/shared/platform/codes/keyed-hashes';
import type { SecondFactorChange } from '@platform/shared/platform/mail/mail';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import type { AsAdministrator } from '../infrastructure.ts';
import { type PausedSecret, toGuessedSecret, toPausedAddress } from '../users/user.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import {
  pauseNotFound,
  requireOtherUser,
  totpNotFound,
  userIdentityNotFound,
  userLastSignInMethod,
  userPasskeyNotFound,
} from './user-access.ts';
import type { UserIdentityStore } from './user-identities-store.ts';

type UserAccessStores = {
  accountChanges: AccountChangeStore;
  secondFactors: SecondFactorStore;
  userIdentities: UserIdentityStore;
  audit: AuditLog;
  outbox: MailOutbox;
};

type Dependencies = {
  asAdministrator: AsAdministrator<UserAccessStores>;
  config: { secondFactorRequiredFor: readonly PlatformRole[]; codeSecret: Secret };
};

/** A removal of a factor, as the audit log and the mail to its owner name it. */
type Removal = { details?: Record<string, unknown>; change: SecondFactorChange };

const toTarget = (id: string) => ({ targetType: 'USER', targetId: id }) as const;

const toNotice = ({ email: to, isEmailVerified, language }: LockedAccount) => ({
  to,
  language,
  isEmailVerified,
  changedAt: new Date().toISOString(),
});

/** How an ADMIN helps somebody who cannot sign in. */
export const createUserAccessService = ({ asAdministrator, config }: Dependencies) => {
  const [hash] = createKeyedHashes(config.codeSecret);
  const changeUser = createChangeUser(asAdministrator);

  /** Switches the second step off if no factor is left, and deletes the recovery codes if no second step is due. */
  const settle = async ({ secondFactors }: UserAccessStores, { id, roles }: LockedAccount): Promise<void> => {
    const { hasTotp, hasFactor, isSecondStepOn } = await secondFactors.findState(id);
    if (!hasFactor) await secondFactors.switchSecondStepOff(id);
    const facts = { hasTotp, isSecondStepOn: isSecondStepOn && hasFactor, roles };
    if (!hasFactor || !isSecondStepDue(facts, config.secondFactorRequiredFor))
      await secondFactors.removeRecoveryCodes(id);
  };

  /** Ends all sessions of the user, and mails the owner. */
  const completeRemoval = async (
    stores: UserAccessStores,
    user: LockedAccount,
    by: ByAdministrator,
    { details = {}, change }: Removal,
  ): Promise<void> => {
    await settle(stores, user);
    await stores.secondFactors.raiseVersion(user.id);
    await stores.accountChanges.removeTokens(user.id);
    await stores.audit.add(toAuditRecord(by, 'SECOND_FACTOR_RESET', toTarget(user.id), details));
    const mail = { template: 'second-factor-changed', ...toNotice(user), change } as const;
    await stores.outbox.add(mail, by.context.requestId, user.id);
  };

  return {
    /**
     * For a user who has lost every factor. Does nothing for a user without a factor.
     * @throws AppError 404, 403 OWN_SECOND_FACTOR
     */
    removeSecondFactor: (id: string, by: ByAdministrator): Promise<void> =>
      changeUser(id, by, async (stores, user) => {
        requireOtherUser(user, by.administrator.userId);
        if (!(await stores.secondFactors.findState(id)).hasFactor) return;
        await stores.secondFactors.removeTotp(id);
        await stores.secondFactors.removePasskeys(id);
        await completeRemoval(stores, user, by, { change: 'reset-by-administrator' });
      }),

    /** @throws AppError 404 USER_NOT_FOUND, 403 OWN_SECOND_FACTOR, 404 FACTOR_NOT_FOUND */
    removeTotp: (id: string, by: ByAdministrator): Promise<void> =>
      changeUser(id, by, async (stores, user) => {
        requireOtherUser(user, by.administrator.userId);
        if (!(await stores.secondFactors.removeTotp(id))) throw totpNotFound();
        const removal = { details: { factor: 'totp' }, change: 'totp-removed-by-administrator' } as const;
        await completeRemoval(stores, user, by, removal);
      }),

    /** @throws AppError 404 USER_NOT_FOUND, 403 OWN_SECOND_FACTOR, 404 PASSKEY_NOT_FOUND */
    removePasskey: (id: string, passkeyId: string, by: ByAdministrator): Promise<void> =>
      changeUser(id, by, async (stores, user) => {
        requireOtherUser(user, by.administrator.userId);
        if (!(await stores.secondFactors.removePasskey(id, passkeyId))) throw userPasskeyNotFound();
        const details = { factor: 'passkey', passkeyId };
        await completeRemoval(stores, user, by, { details, change: 'passkey-removed-by-administrator' });
      }),

    /**
     * Ends the sessions that the provider's account has opened.
     * @throws AppError 404 USER_NOT_FOUND, IDENTITY_NOT_FOUND, 409 LAST_SIGN_IN_METHOD
     */
    unlinkIdentity: (id: string, identityId: string, by: ByAdministrator): Promise<void> =>
      changeUser(id, by, async ({ userIdentities, secondFactors, audit, outbox }, user) => {
        const provider = await userIdentities.remove(id, identityId);
        if (provider === undefined) throw userIdentityNotFound();
        if (!(await userIdentities.hasSignInMethod(id))) throw userLastSignInMethod();
        // Invalidates sign-ins with the identity that wait for a second factor.
        await secondFactors.raiseVersion(id);
        await userIdentities.endSessions(id, provider);
        await audit.add(toAuditRecord(by, 'IDENTITY_UNLINKED', toTarget(id), { provider }));
        const notice = { ...toNotice(user), provider, byAdministrator: true } as const;
        await outbox.add({ template: 'identity-unlinked', ...notice }, by.context.requestId, id);
      }),

    /** @throws AppError 404 USER_NOT_FOUND, PAUSE_NOT_FOUND */
    endPause: (id: string, secret: PausedSecret, by: ByAdministrator): Promise<void> =>
      changeUser(id, by, async ({ userIdentities, audit }, user) => {
        const address = toPausedAddress(user, hash);
        if (!(await userIdentities.endPause(id, address, toGuessedSecret(secret)))) throw pauseNotFound();
        await audit.add(toAuditRecord(by, 'PAUSE_ENDED', toTarget(id), { secret }));
      }),
  };
};

export type UserAccessService = ReturnType<typeof createUserAccessService>;
