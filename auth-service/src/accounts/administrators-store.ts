import {
  ADMINISTRATORS_LOCK,
  PLATFORM_ROLES,
  type PlatformRole,
} from '@platform/shared/access/platform-role';
import { type Database, query } from '@platform/shared/db/database';
import { isUniqueViolation } from '@platform/shared/db/database-errors';
import type { Language } from '@platform/shared/mail/mail';
import { emailTaken, platformRoleTaken } from './account.ts';

export type Administrator = { id: string; email: string; createdAt: Date };

const INSERT = `
  with u as (
    insert into users (email, password_hash, language) values ($1, $2, $4) returning id, email, created_at
  ), r as (
    insert into user_roles (user_id, role) select id, $3 from u
  )
  select id, email, created_at from u`;

export const createRegistrationStore = (database: Database) => ({
  hasAdmin: async (): Promise<boolean> => {
    const rows = await query(database, {
      name: 'has-admin',
      text: `select 1 from user_roles where role = 'ADMIN' limit 1`,
      values: [],
    });
    return rows.length > 0;
  },

  /** Held until the transaction ends: of concurrent first registrations, all but one find an ADMIN afterwards. */
  lockBootstrap: async (): Promise<void> => {
    await query(database, {
      name: 'lock-bootstrap',
      text: 'select pg_advisory_xact_lock($1)',
      values: [ADMINISTRATORS_LOCK],
    });
  },

  /** @throws AppError 409 EMAIL_TAKEN */
  create: async (
    email: string,
    passwordHash: string,
    { role, language }: { role: PlatformRole; language: Language },
  ): Promise<Administrator> => {
    try {
      const [administrator] = await query<Administrator>(database, {
        name: 'create-administrator',
        text: INSERT,
        values: [email, passwordHash, role, language],
      });
      if (!administrator) throw new Error('The insert returned no administrator');
      return administrator;
    } catch (error) {
      throw isUniqueViolation(error, 'users_email_key') ? emailTaken() : error;
    }
  },
});

export const createRoleStore = (database: Database) => ({
  /** Locks the user until the transaction ends, to serialize the assignment of ADMIN and a block. */
  lockUserByEmail: async (email: string): Promise<{ id: string; isEmailVerified: boolean } | undefined> => {
    const [user] = await query<{ id: string; isEmailVerified: boolean }>(database, {
      name: 'lock-user-by-email',
      text: 'select id, is_email_verified from users where email = $1 for no key update',
      values: [email],
    });
    return user;
  },

  hasPlatformRole: async (userId: string): Promise<boolean> => {
    const rows = await query(database, {
      name: 'has-platform-role',
      text: 'select 1 from user_roles where user_id = $1 and role = any($2)',
      values: [userId, PLATFORM_ROLES],
    });
    return rows.length > 0;
  },

  /** @throws AppError 409 PLATFORM_ROLE_TAKEN: a unique index allows one platform role per user */
  assign: async (userId: string, role: PlatformRole): Promise<void> => {
    try {
      await query(database, {
        name: 'assign-role',
        text: 'insert into user_roles (user_id, role) values ($1, $2)',
        values: [userId, role],
      });
    } catch (error) {
      const isTaken =
        isUniqueViolation(error, 'user_roles_one_platform_role') ||
        isUniqueViolation(error, 'user_roles_pkey');
      throw isTaken ? platformRoleTaken() : error;
    }
  },
});
