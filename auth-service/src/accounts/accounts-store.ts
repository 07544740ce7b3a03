import { type Database, query } from '@platform/shared/db/database';
import { isUniqueViolation } from '@platform/shared/db/database-errors';
import { type Language, toLanguage } from '@platform/shared/mail/mail';
import { KIND_CONFIGS, type Kind, type ProfileKind } from '../kinds.ts';
import { type AccountWithPassword, type AccountWithProfile, emailTaken, type NewProfile } from './account.ts';
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  FACTOR_COLUMNS,
  type FactorRow,
  profileJoin,
  toAccount,
  toFactors,
} from './account-mapper.ts';

type NewAccount = NewProfile & { email: string; passwordHash: string; language: Language };

/** As it is while the user is locked. */
type LockedAccount = Pick<
  AccountWithPassword,
  'email' | 'passwordHash' | 'factorVersion' | 'isEmailVerified'
>;

type AccountWithPasswordRow = AccountRow & FactorRow & { passwordHash: string; factorVersion: number };

const selectWithPassword = (kind: Kind) =>
  `select u.password_hash, u.factor_version, ${FACTOR_COLUMNS}, ${ACCOUNT_COLUMNS} from users u ${profileJoin(kind)}`;

const toAccountWithPassword = (row: AccountWithPasswordRow): AccountWithPassword => ({
  ...toAccount(row),
  passwordHash: row.passwordHash,
  factorVersion: row.factorVersion,
  factors: toFactors(row),
});

const insertAccount = (kind: ProfileKind) => `
  with u as (
    insert into users (email, password_hash, language) values ($1, $2, $6)
    returning id, email, is_email_verified, is_blocked, language, created_at
  ), r as (
    insert into user_roles (user_id, role) select id, '${KIND_CONFIGS[kind].profile.role}' from u returning role
  ), p as (
    insert into ${KIND_CONFIGS[kind].profile.table} (user_id, first_name, last_name, phone) select id, $3, $4, $5 from u
    returning id, first_name, last_name, phone, created_at, updated_at
  )
  select u.id as user_id, u.email, u.is_email_verified, u.is_blocked, u.language, u.created_at as user_created_at,
    array[r.role] as roles, p.id as profile_id, p.first_name, p.last_name, p.phone,
    p.created_at as profile_created_at, p.updated_at as profile_updated_at
  from u, r, p`;

export const createAccountStore = (database: Database) => ({
  emailExists: async (email: string): Promise<boolean> => {
    const rows = await query(database, {
      name: 'email-exists',
      text: 'select 1 from users where email = $1',
      values: [email],
    });
    return rows.length > 0;
  },

  /** Of the user with this e-mail, of whatever kind. */
  findLanguage: async (email: string): Promise<Language | undefined> => {
    const [user] = await query<{ language: string }>(database, {
      name: 'language-by-email',
      text: 'select language from users where email = $1',
      values: [email],
    });
    return user && toLanguage(user.language);
  },

  /** Undefined also when the user exists but is not of this kind. */
  findByEmail: async (kind: Kind, email: string): Promise<AccountWithPassword | undefined> => {
    const [row] = await query<AccountWithPasswordRow>(database, {
      name: `account-by-email-${kind}`,
      text: `${selectWithPassword(kind)} where u.email = $1`,
      values: [email],
    });
    return row && toAccountWithPassword(row);
  },

  /** Undefined also when the user exists but is not of this kind. */
  findById: async (kind: Kind, userId: string): Promise<AccountWithPassword | undefined> => {
    const [row] = await query<AccountWithPasswordRow>(database, {
      name: `account-by-id-${kind}`,
      text: `${selectWithPassword(kind)} where u.id = $1`,
      values: [userId],
    });
    return row && toAccountWithPassword(row);
  },

  /** Inserts user, role and profile in one statement. @throws AppError 409 EMAIL_TAKEN */
  create: async (kind: ProfileKind, account: NewAccount): Promise<AccountWithProfile> => {
    const { email, passwordHash, firstName, lastName, phone, language } = account;
    try {
      const [row] = await query<AccountRow>(database, {
        name: `create-account-${kind}`,
        text: insertAccount(kind),
        values: [email, passwordHash, firstName, lastName, phone, language],
      });
      if (!row) throw new Error('The insert returned no account');
      const created = toAccount(row);
      if (!created.profile) throw new Error('The insert returned no profile');
      return { ...created, profile: created.profile };
    } catch (error) {
      throw isUniqueViolation(error, 'users_email_key') ? emailTaken() : error;
    }
  },

  /** Locks the user until the transaction ends, to serialize sign-ins, blocks and changes. Undefined when it is deleted. */
  lock: async (userId: string): Promise<LockedAccount | undefined> => {
    const [user] = await query<LockedAccount>(database, {
      name: 'lock-user',
      text: `select email, password_hash, factor_version, is_email_verified from users
        where id = $1 and deleted_at is null for no key update`,
      values: [userId],
    });
    return user;
  },

  findPasswordHash: async (userId: string): Promise<string | undefined> => {
    const [user] = await query<{ passwordHash: string }>(database, {
      name: 'password-hash',
      text: 'select password_hash from users where id = $1',
      values: [userId],
    });
    return user?.passwordHash;
  },

  /** The highest cost of all stored bcrypt hashes, read from the index of costs; undefined when there is none. */
  findHighestPasswordCost: async (): Promise<number | undefined> => {
    const [row] = await query<{ cost: number | null }>(database, {
      name: 'highest-password-cost',
      text: `select max(substr(password_hash, 5, 2))::int as cost from users where password_hash like '$2_$__$%'`,
      values: [],
    });
    return row?.cost ?? undefined;
  },

  setPassword: async (userId: string, passwordHash: string): Promise<void> => {
    await query(database, {
      name: 'set-password',
      text: 'update users set password_hash = $2, updated_at = now() where id = $1',
      values: [userId, passwordHash],
    });
  },

  /** False when the stored hash is no longer `oldHash`. */
  replaceHash: async (userId: string, oldHash: string, newHash: string): Promise<boolean> => {
    const rows = await query(database, {
      name: 'replace-hash',
      text: 'update users set password_hash = $3 where id = $1 and password_hash = $2 returning 1',
      values: [userId, oldHash, newHash],
    });
    return rows.length === 1;
  },

  /** The new e-mail counts as verified. @throws AppError 409 EMAIL_TAKEN */
  changeEmail: async (userId: string, newEmail: string): Promise<void> => {
    try {
      await query(database, {
        name: 'change-email',
        text: 'update users set email = $2, is_email_verified = true, updated_at = now() where id = $1',
        values: [userId, newEmail],
      });
    } catch (error) {
      throw isUniqueViolation(error, 'users_email_key') ? emailTaken() : error;
    }
  },

  /** False when it was already verified, or the user is deleted; of concurrent calls, one returns true. */
  markEmailVerified: async (userId: string): Promise<boolean> => {
    const rows = await query(database, {
      name: 'mark-email-verified',
      text: `update users set is_email_verified = true, updated_at = now()
        where id = $1 and not is_email_verified and deleted_at is null returning 1`,
      values: [userId],
    });
    return rows.length === 1;
  },
});
