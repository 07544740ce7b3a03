import { lockUntilCommit } from '@platform/shared/db/advisory-locks';
import { type Database, query } from '@platform/shared/db/database';
import { isUniqueViolation } from '@platform/shared/db/database-errors';
import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import { PLATFORM_ROLES, type PlatformRole } from '@platform/shared/platform/access/platform-role';
import { PROFILE_FIELDS, type Profile } from '@platform/shared/platform/profile';
import type { GuessedAccount } from '../guess-limits/guess-limits.ts';
import { KIND_CONFIGS, type Kind, PROFILE_KINDS, type ProfileKind } from '../kinds.ts';
import { emailTaken, type FactorState, type NewUser } from './account.ts';
import {
  ACCOUNT_COLUMNS,
  type AccountWithPasswordRow,
  FACTOR_COLUMNS,
  type FactorRow,
  profileJoin,
  ROLES_COLUMN,
  toAccountWithPassword,
  toFactors,
} from './account-mapper.ts';
import type { AccountState } from './account-state.ts';
import type { ClearedProfile, NewProfile, ProfileChanges } from './profile.ts';
import type { SignInMethods } from './sign-in-method.ts';

/** The state while the user is locked. */
type LockedAccount = AccountState & { email: string };

const selectWithPassword = (kind: Kind) =>
  `select u.password_hash, u.factor_version, ${FACTOR_COLUMNS}, ${ACCOUNT_COLUMNS} from users u ${profileJoin(kind)}`;

/** Postgres computes this from the index of costs alone. */
const HIGHEST_PASSWORD_COST = `
  select max(substr(password_hash, 5, 2))::int as cost from users where password_hash like '$2_$__$%'`;

const GUESSED = `
  select id as user_id, email, is_email_verified, language from users where email = $1 and deleted_at is null`;

const EMPTY_PROFILE = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, null]));
const PROFILE_PROPERTIES = ['id', 'userId', ...PROFILE_FIELDS, 'createdAt', 'updatedAt'];

const throwEmailTaken = (error: unknown): never => {
  throw isUniqueViolation(error, 'users_email_key') ? emailTaken() : error;
};

export const createAccountStore = (database: Database) => {
  const users = (where: { id?: string; email?: string }) => database('users').where(where);
  const platformRole = (userId: string) =>
    database('user_roles')
      .where({ userId })
      .whereIn('role', [...PLATFORM_ROLES]);
  const now = () => database.fn.now();
  const find = async (kind: Kind, by: 'email' | 'id', value: string) => {
    const [row] = await query<AccountWithPasswordRow>(database, {
      name: `account-by-${by}-${kind}`,
      text: `${selectWithPassword(kind)} where u.${by} = $1 and u.deleted_at is null`,
      values: [value],
    });
    return row && toAccountWithPassword(row);
  };

  return {
    emailExists: async (email: string): Promise<boolean> =>
      (await users({ email }).first('id')) !== undefined,

    /** The user with this e-mail, of any kind. */
    findIdByEmail: async (email: string): Promise<string | undefined> =>
      (await users({ email }).first('id'))?.id,

    /**
     * The user with this e-mail, of any kind. A guess counts at this user although the kind has no such account,
     * so that the limits do not show of which kinds a user is. It is read for each guess, which then takes the
     * same time.
     */
    findGuessed: async (email: string): Promise<GuessedAccount | undefined> => {
      const statement = { name: 'guessed-account', text: GUESSED, values: [email] };
      return (await query<GuessedAccount>(database, statement))[0];
    },

    /** The language of the user with this e-mail, of any kind. */
    findLanguage: async (email: string): Promise<Language | undefined> =>
      (await users({ email }).first('language'))?.language,

    /** Also undefined if the user exists but is not of this kind, or was deleted. */
    findByEmail: (kind: Kind, email: string) => find(kind, 'email', email),
    /** Undefined in the same cases as findByEmail. */
    findById: (kind: Kind, userId: string) => find(kind, 'id', userId),

    /** @throws AppError 409 EMAIL_TAKEN */
    create: async (user: NewUser): Promise<{ id: string; createdAt: Date }> => {
      const [created] = await database('users').insert(user, ['id', 'createdAt']).catch(throwEmailTaken);
      return created;
    },

    /** Gives a new user its first role. */
    addRole: async (userId: string, role: PlatformRole | 'CUSTOMER' | 'EMPLOYEE'): Promise<void> => {
      const userCreatedAt = users({ id: userId }).select('createdAt');
      await database('user_roles').insert({ userId, role, userCreatedAt });
    },

    /** Returns undefined if an account has the e-mail, even one that was created concurrently. */
    createUnlessTaken: async (user: NewUser): Promise<{ id: string } | undefined> =>
      (await database('users').insert(user, ['id']).onConflict('email').ignore())[0],

    addProfile: async (kind: ProfileKind, userId: string, profile: NewProfile): Promise<void> => {
      await database(KIND_CONFIGS[kind].profile.table).insert({ userId, ...profile });
    },

    /** Returns the complete profile. */
    updateProfile: async (kind: ProfileKind, userId: string, changes: ProfileChanges): Promise<Profile> => {
      const [profile] = await database(KIND_CONFIGS[kind].profile.table)
        .where({ userId })
        .update({ ...changes, updatedAt: now() }, PROFILE_PROPERTIES);
      return profile;
    },

    /** Deletes names and phone numbers of all kinds of the user, who is locked. */
    clearProfiles: async (userId: string): Promise<ClearedProfile[]> => {
      const cleared: ClearedProfile[] = [];
      for (const kind of PROFILE_KINDS) {
        const profile = () => database(KIND_CONFIGS[kind].profile.table).where({ userId });
        const stored: Profile | undefined = await profile().first(PROFILE_FIELDS);
        const fields = PROFILE_FIELDS.filter((field) => (stored?.[field] ?? null) !== null);
        if (fields.length === 0) continue;
        await profile().update({ ...EMPTY_PROFILE, updatedAt: now() });
        cleared.push({ kind, fields });
      }
      return cleared;
    },

    /** The user is locked, and has no profile and no role of the returned kinds any more. */
    removeUnusedKinds: async (userId: string): Promise<ProfileKind[]> => {
      const text = 'select remove_unused_kinds($1) as kinds';
      const statement = { name: 'remove-unused-kinds', text, values: [userId] };
      return (await query<{ kinds: ProfileKind[] }>(database, statement)).flatMap(({ kinds }) => kinds);
    },

    /**
     * Locks the user until the transaction ends, which serializes sign-ins, blocks and changes. Undefined if
     * the user was deleted.
     */
    lock: async (id: string): Promise<LockedAccount | undefined> =>
      await users({ id })
        .whereNull('deletedAt')
        .forNoKeyUpdate()
        .first('email', 'passwordHash', 'factorVersion', 'isEmailVerified'),

    /** Locks the user like `lock`. */
    lockByEmail: async (
      email: string,
    ): Promise<{ id: string; isEmailVerified: boolean; isBlocked: boolean } | undefined> =>
      await users({ email }).forNoKeyUpdate().first('id', 'isEmailVerified', 'isBlocked'),

    /** @throws AppError 401 TOKEN_INVALID if the account was deleted in the meantime */
    getFactors: async (id: string): Promise<FactorState> => {
      const row: (FactorRow & { roles: string[] }) | undefined = await database('users as u')
        .where('u.id', id)
        .whereNull('u.deletedAt')
        .first(database.raw(`${FACTOR_COLUMNS}, ${ROLES_COLUMN}`));
      if (!row) throw tokenInvalid();
      return { factors: toFactors(row), isSecondStepOn: row.isSecondStepOn, roles: row.roles };
    },

    /** Null for an account without a password; undefined for a deleted account. */
    findPasswordHash: async (id: string): Promise<string | null | undefined> =>
      (await users({ id }).whereNull('deletedAt').first('passwordHash'))?.passwordHash,

    /** Reads which ways to sign in the account has, whether or not this deployment offers them. */
    findSignInMethods: async (userId: string): Promise<SignInMethods> => ({
      hasPassword: (await users({ id: userId }).whereNotNull('passwordHash').first('id')) !== undefined,
      hasPasskey:
        (await database('passkeys').where({ userId, verifiesUser: true }).first('id')) !== undefined,
      issuers: await database('identities').where({ userId }).pluck('issuer'),
    }),

    /** The highest cost of all stored bcrypt hashes; undefined if there is none. */
    findHighestPasswordCost: async (): Promise<number | undefined> => {
      const [row] = await query<{ cost: number | null }>(database, {
        name: 'highest-password-cost',
        text: HIGHEST_PASSWORD_COST,
        values: [],
      });
      return row?.cost ?? undefined;
    },

    setPassword: async (id: string, passwordHash: string): Promise<void> => {
      await users({ id }).update({ passwordHash, updatedAt: now() });
    },

    /** False if there was none. */
    removePassword: async (id: string): Promise<boolean> =>
      (await users({ id }).whereNotNull('passwordHash').update({ passwordHash: null, updatedAt: now() })) ===
      1,

    /** False if the stored hash is no longer `oldHash`. */
    replaceHash: async (id: string, oldHash: string | null, newHash: string): Promise<boolean> =>
      (await users({ id }).where({ passwordHash: oldHash }).update({ passwordHash: newHash })) === 1,

    /** The new e-mail counts as verified. @throws AppError 409 EMAIL_TAKEN */
    changeEmail: async (id: string, email: string): Promise<void> => {
      await users({ id }).update({ email, isEmailVerified: true, updatedAt: now() }).catch(throwEmailTaken);
    },

    /** False if it was already verified, or the user was deleted. Of concurrent calls, one returns true. */
    markEmailVerified: async (id: string): Promise<boolean> =>
      (await users({ id })
        .where({ isEmailVerified: false, deletedAt: null })
        .update({ isEmailVerified: true, updatedAt: now() })) === 1,

    /** Null without a name or a platform role. */
    findAdministratorName: async (userId: string): Promise<string | null> =>
      (await platformRole(userId).first('name'))?.name ?? null,

    /** False without a platform role. */
    setAdministratorName: async (userId: string, name: string | null): Promise<boolean> =>
      (await platformRole(userId).update({ name })) === 1,

    hasAdmin: async (): Promise<boolean> =>
      (await database('user_roles').where({ role: 'ADMIN' }).first('userId')) !== undefined,

    /**
     * The lock lasts until the transaction ends, so that of concurrent first registrations all but one find an ADMIN
     * afterwards.
     */
    lockBootstrap: async (): Promise<void> => {
      await lockUntilCommit(database, 'administrators');
    },
  };
};

export type AccountStore = ReturnType<typeof createAccountStore>;
