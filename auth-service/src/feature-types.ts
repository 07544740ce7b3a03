import type { SignInMethod } from '@platform/shared/access/second-factor-requirement';
import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { Account, AccountWithPassword } from './accounts/account.ts';
import type { Kind } from './kinds.ts';
import type { Ceremony, FactorMethod, FactorProof, PasskeyAssertion } from './second-factor/second-factor.ts';
import type { Device, Session } from './sessions/session.ts';
import type { Stores } from './stores.ts';

// The functions that services.ts passes from one feature to another, and their parameters.

/** The session that changes the account; it keeps its token record, `tokenId`. */
export type ConfirmingCaller = {
  kind: Kind;
  account: Account;
  session: { fingerprint: string };
  tokenId: string;
};

/** `if-enabled`: of an account that has a second factor. */
type FactorRequirement = 'never' | 'if-enabled' | 'always';

/**
 * Verifies the password and then the second factor, each as one limited attempt, then runs `change` in the transaction that
 * consumed the proof and has locked the user. An error of `change` rolls back the proof too, and counts as no attempt. A proof
 * that is not required is ignored.
 * @throws AppError 400: CURRENT_PASSWORD_WRONG, VALIDATION_FAILED without a required proof; 401 SECOND_FACTOR_INVALID; 429
 */
export type ConfirmIdentity = <Result>(
  caller: ConfirmingCaller,
  confirmation: { currentPassword: string; proof?: FactorProof | undefined },
  requirement: { requiresFactor: FactorRequirement },
  context: RequestContext,
  change: (stores: Stores) => Promise<Result>,
) => Promise<Result>;

/**
 * Verifies the proof and makes it unusable, within the transaction of `stores`, in which the user is locked. Undefined when it
 * is wrong, replayed or expired. The use of a recovery code is audited and mailed.
 * @throws AppError 400 VALIDATION_FAILED without a proof
 */
export type ConsumeProof = (
  stores: Stores,
  owner: { kind: Kind; account: Account },
  proof: FactorProof | undefined,
  ceremony: Ceremony,
  context: RequestContext,
) => Promise<FactorMethod | undefined>;

/** ConsumeProof of an assertion; false when it is wrong, replayed or expired. */
export type ConsumePasskey = (
  stores: Stores,
  userId: string,
  assertion: PasskeyAssertion,
  ceremony: Ceremony,
  context: RequestContext,
) => Promise<boolean>;

/** The device of a sign-in request. */
export type SignInDevice = Device & { requestId: string };

export type SignedIn = { account: Account; session: Session; accessToken: string; refreshToken: string };

/**
 * Opens the session of a sign-in whose proofs are verified, within the transaction of `stores`. Undefined when the user is
 * blocked, or password or factors have changed since the account was read.
 */
export type OpenSession = (
  stores: Stores,
  kind: Kind,
  account: AccountWithPassword,
  device: SignInDevice,
  methods: SignInMethod[],
) => Promise<SignedIn | undefined>;

/** Called in the transaction that has opened the session. */
export type OnSessionOpened = (
  stores: Stores,
  opened: {
    kind: Kind;
    account: Account;
    session: Session;
    /** The account had sessions before, and none from this fingerprint. */
    isNewDevice: boolean;
    device: SignInDevice;
  },
) => Promise<void>;
