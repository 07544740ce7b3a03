import { tooManyRequests } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { SecondFactorRequirement } from '@platform/shared/platform/access/caller';
import type { AuditAction } from '@platform/shared/platform/audit/audit-log';
import type { Kind } from '../kinds.ts';
import type { Stores } from '../stores.ts';
import {
  type Account,
  type ConfirmingCaller,
  lastSignInMethod,
  toAccountAudit,
  toOwnAudit,
} from './account.ts';

// The consequences of a change of an account, in a transaction that has locked the user.

/** The owner gets a mail for each change, and a stolen session must not fill the mailbox. */
const CHANGES_PER_HOUR = 10;

/** Changes of factors by their owner, as named in the audit log and in the mail to the owner. */
const FACTOR_CHANGES = {
  TOTP_ENABLED: 'totp-enabled',
  TOTP_DISABLED: 'totp-disabled',
  PASSKEY_ADDED: 'passkey-added',
  PASSKEY_REMOVED: 'passkey-removed',
  RECOVERY_CODES_REPLACED: 'recovery-codes-replaced',
} as const satisfies Partial<Record<AuditAction, string>>;

/**
 * The changes that count together. A password reset by code is not limited here, because its codes are
 * limited.
 */
const LIMITED_CHANGES = {
  password: ['PASSWORD_CHANGED'],
  email: ['EMAIL_CHANGED'],
  factors: Object.keys(FACTOR_CHANGES) as (keyof typeof FACTOR_CHANGES)[],
  identities: ['IDENTITY_LINKED', 'IDENTITY_UNLINKED'],
} satisfies Record<string, AuditAction[]>;

/** @throws AppError 429 RATE_LIMITED */
const requireChangeAllowed = async (
  { audit }: Stores,
  userId: string,
  change: keyof typeof LIMITED_CHANGES,
): Promise<void> => {
  const seconds = await audit.secondsUntilBelow(CHANGES_PER_HOUR, userId, LIMITED_CHANGES[change]);
  if (seconds > 0)
    throw tooManyRequests('RATE_LIMITED', 'Too many changes of this account; retry later.', seconds);
};

type Owner = {
  kind: Kind;
  /** The account whose e-mail is proved. */
  account: Account;
  /** The session that proves the address; absent if only a code proves it. */
  tokenId?: string;
  /** True if a provider proves the address, because the provider does not know who has set the password. */
  removesPassword?: boolean;
  context: RequestContext;
};

/**
 * Ends and forgets everything that others may have set up: all sessions except the one that proves, their
 * devices and networks, waiting sign-ins and pending changes. Before the first proof, also factors and
 * identities: the account does not own an unverified address yet, because whoever signed up with it may be a
 * stranger.
 */
const forgetOthers = async (
  stores: Stores,
  { account: { userId, email, language }, tokenId, removesPassword = false, context: { requestId } }: Owner,
  isFirstProof: boolean,
): Promise<void> => {
  await stores.sessions.forgetSessionsOfUser(userId, tokenId);
  await stores.secondFactor.raiseVersion(userId);
  if (!isFirstProof) return;
  const hadFactors = await stores.secondFactor.removeAll(userId);
  const hadIdentities = await stores.identities.removeOthers(userId, tokenId);
  const hadPassword = removesPassword && (await stores.accounts.removePassword(userId));
  if (tokenId !== undefined) await stores.tokenRecords.resetMethods(tokenId);
  if (!(hadFactors || hadIdentities || hadPassword)) return;
  const changedAt = new Date().toISOString();
  const mail = { template: 'setup-removed', to: email, language, isEmailVerified: true, changedAt } as const;
  await stores.outbox.add(mail, requestId, userId);
};

/** Marks the e-mail as verified. In a session, nothing changes if it is already verified. */
const proveEmail = async (stores: Stores, owner: Owner): Promise<void> => {
  const { kind, account, tokenId, context } = owner;
  const { userId } = account;
  const isFirstProof = await stores.accounts.markEmailVerified(userId);
  if (isFirstProof || tokenId === undefined) await forgetOthers(stores, owner, isFirstProof);
  if (!isFirstProof) return;
  const record = toAccountAudit('EMAIL_VERIFIED', { kind, userId }, context);
  await stores.audit.add(tokenId === undefined ? record : { ...record, actorId: userId });
};

/**
 * Invalidates waiting sign-ins, ends the user's other sessions, and audits and mails the change.
 * @throws AppError 429 RATE_LIMITED, 403 SECOND_FACTOR_ENROLMENT_REQUIRED for the last factor of a user whose
 * role requires one
 */
const recordFactorChange =
  (requireSecondFactor: SecondFactorRequirement) =>
  async (
    stores: Stores,
    caller: ConfirmingCaller,
    action: keyof typeof FACTOR_CHANGES,
    details?: object,
  ): Promise<void> => {
    const { userId, email: to, language, isEmailVerified } = caller.account;
    await requireChangeAllowed(stores, userId, 'factors');
    await stores.secondFactor.raiseVersion(userId);
    await stores.sessions.removeTokensOfUser(userId, caller.tokenId);
    if (!(await stores.secondFactor.isEnabled(userId))) {
      const account = await stores.accounts.findById(caller.kind, userId);
      requireSecondFactor({ account: account ?? caller.account, methods: [] });
      // The user must prove a factor again that is added later.
      await stores.tokenRecords.resetMethods(caller.tokenId);
    }
    const changedAt = new Date().toISOString();
    const change = FACTOR_CHANGES[action];
    const notice = { to, language, isEmailVerified, changedAt };
    const mail = { template: 'second-factor-changed', ...notice, change } as const;
    await stores.outbox.add(mail, caller.context.requestId, userId);
    await stores.audit.add(toOwnAudit(action, caller, details));
  };

/** Call this after a removal, which the error rolls back. @throws AppError 409 LAST_SIGN_IN_METHOD */
const requireSignInMethod = async ({ accounts }: Stores, userId: string): Promise<void> => {
  if (!(await accounts.hasSignInMethod(userId))) throw lastSignInMethod();
};

type ChangedIdentity = { kind: Kind; account: Account; context: RequestContext };

/** Audits and mails the change. @throws AppError 429 RATE_LIMITED */
const recordIdentityChange = async (
  stores: Stores,
  { kind, account, context }: ChangedIdentity,
  action: 'IDENTITY_LINKED' | 'IDENTITY_UNLINKED',
  provider: { id: string; name: string },
): Promise<void> => {
  const { userId, email: to, language, isEmailVerified } = account;
  await requireChangeAllowed(stores, userId, 'identities');
  const template = action === 'IDENTITY_LINKED' ? 'identity-linked' : 'identity-unlinked';
  const changedAt = new Date().toISOString();
  const mail = { template, to, language, isEmailVerified, changedAt, provider: provider.name } as const;
  await stores.outbox.add(mail, context.requestId, userId);
  await stores.audit.add(toOwnAudit(action, { kind, account, context }, { provider: provider.id }));
};

export const createAccountChanges = (requireSecondFactor: SecondFactorRequirement) => ({
  requireChangeAllowed,
  forgetOthers,
  proveEmail,
  recordFactorChange: recordFactorChange(requireSecondFactor),
  requireSignInMethod,
  recordIdentityChange,
});
export type AccountChanges = ReturnType<typeof createAccountChanges>;
