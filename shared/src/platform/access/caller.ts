import type { Request } from 'express';
import type { Background } from '../../async/tasks.ts';
import { createKeyLoader } from '../../db/batch-loader.ts';
import { type Database, query } from '../../db/database.ts';
import { forbidden, tokenInvalid, userBlocked } from '../../errors/app-error.ts';
import { findLanguage, type Language } from '../../http/language.ts';
import { toTimeZone } from '../../http/time-zone.ts';
import type { TokenClaims } from '../../tokens/tokens.ts';
import type { PlatformRole } from './platform-role.ts';
import type { ProvedCaller } from './recent-proof.ts';
import { isSecondStepOwed } from './second-step.ts';

/** The user behind a request, as stored now. */
export type CallerAccount = {
  userId: string;
  email: string;
  isEmailVerified: boolean;
  isBlocked: boolean;
  roles: string[];
  /** The language of mails to the user. */
  language: Language;
  /** The IANA name of the time zone of mails to the user; null for UTC. */
  timeZone: string | null;
  createdAt: Date;
};

/** The authenticated caller of a request: user, session and token record. Each service extends it. */
export type Caller<
  Account extends CallerAccount = CallerAccount,
  Session extends { id: string } | null = { id: string } | null,
> = ProvedCaller & {
  account: Account;
  session: Session;
  /** The id of the token record, which is created at sign-in and kept by every refresh. */
  tokenId: string;
};

export const logCaller = (
  { state }: Request,
  { account, session }: Pick<Caller, 'account' | 'session'>,
): void => {
  state.loggedCaller = { userId: account.userId, sessionId: session?.id ?? null };
};

type CallerRow = { key: string; userId: string; isBlocked: boolean };

type AccessCheck<Row> = {
  /** The name of the prepared statement. */
  name: string;
  /** Selects the rows whose `access_token_id`, aliased as `key`, is in the array `$1`. */
  text: string;
  /** Whether to treat the row as missing. */
  isExpired?: (row: Row) => boolean;
};

/**
 * The access check of every authenticated request: the token record must exist and belong to the user of the
 * claims, who must not be blocked. One statement serves all requests that arrive in the same turn of the
 * event loop, so do not use it within a transaction.
 * @throws AppError 401 TOKEN_INVALID, USER_BLOCKED
 */
export const createAccessCheck = <Row extends CallerRow>(
  database: Database,
  { name, text, isExpired = () => false }: AccessCheck<Row>,
): ((claims: TokenClaims) => Promise<Row>) => {
  const load = createKeyLoader((ids) => query<Row>(database, { name, text, values: [ids] }));
  return async ({ storedId, userId }) => {
    const row = await load(storedId);
    if (row?.userId !== userId || isExpired(row)) throw tokenInvalid();
    if (row.isBlocked) throw userBlocked();
    return row;
  };
};

/** An OpenID Connect provider with its name. */
export type ProviderMethod = `oidc:${string}`;
/**
 * The methods of a sign-in, as stored in `token_records.methods`. `mfa`: the provider verified a second
 * factor.
 */
export type SignInMethod =
  | 'password'
  | 'email-code'
  | 'totp'
  | 'recovery-code'
  | 'passkey'
  | 'mfa'
  | ProviderMethod;

/**
 * A passkey counts as two factors, because its use requires user verification. A mailed code adds nothing to
 * a password, which a code can reset.
 */
export const isOneFactor = (methods: readonly SignInMethod[]): boolean =>
  methods.every((method) => method === 'password' || method === 'email-code' || method.startsWith('oidc:'));

/** The roles as stored now, and the methods of the session. */
type SignedInCaller = { account: { roles: readonly string[] }; methods: readonly SignInMethod[] };

/**
 * Applies to users with one of the platform roles, whatever the kind of their token. A session that was
 * signed in with one factor may only enrol a second one.
 * @returns a check that throws AppError 403 SECOND_FACTOR_ENROLMENT_REQUIRED
 */
export const createSecondFactorRequirement =
  (requiredFor: readonly PlatformRole[]) =>
  ({ account, methods }: SignedInCaller): void => {
    if (isOneFactor(methods) && isSecondStepOwed(account.roles, requiredFor))
      throw forbidden(
        'SECOND_FACTOR_ENROLMENT_REQUIRED',
        'Your platform role requires a second factor: enable one, or sign in with it',
      );
  };

export type SecondFactorRequirement = ReturnType<typeof createSecondFactorRequirement>;

export type KnownPreferences = Pick<CallerAccount, 'userId' | 'language' | 'timeZone'>;

/**
 * Stores the language and the time zone of a signed-in request, if they have changed. Mails use the stored
 * ones, because the request that causes a mail may come from an attacker.
 */
export const createPreferencesUpdate =
  (database: Database, background: Background) =>
  ({ userId, ...stored }: KnownPreferences, req: Request): void => {
    const language = findLanguage(req);
    const sent = req.get('X-Time-Zone');
    // The comparison comes first, because the lookup of a time zone is slow.
    const timeZone = sent === undefined || sent === stored.timeZone ? undefined : toTimeZone(sent);
    const changes = {
      ...(language !== undefined && language !== stored.language && { language }),
      ...(timeZone !== undefined && { timeZone }),
    };
    if (Object.keys(changes).length === 0) return;
    background.run(async () => database('users').where({ id: userId, deletedAt: null }).update(changes));
  };

export type UpdatePreferences = ReturnType<typeof createPreferencesUpdate>;
