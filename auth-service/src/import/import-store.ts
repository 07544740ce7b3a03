import { type Database, query } from '@platform/shared/db/database';
import { ROLES_COLUMN } from '../accounts/account-mapper.ts';
import { KIND_CONFIGS } from '../kinds.ts';
import type { ImportedUser } from './import.ts';

const insertProfiles = (table: string, role: string): string => `
  insert into ${table} (user_id, first_name, last_name, phone)
  select id, first_name, last_name, phone from created join given using (email) where role = '${role}'`;

const { customer, employee } = KIND_CONFIGS;
/** One statement for a batch of users; a known e-mail is skipped. The ids are in the order of the lines. */
const INSERT = `
  with given as (
    select * from unnest(
      $1::text[], $2::text[], $3::boolean[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[]
    ) with ordinality as line (
      email, password_hash, is_email_verified, language, created_at, role, first_name, last_name, phone, position
    )
  ), created as (
    insert into users (email, password_hash, is_email_verified, language, created_at)
    select email, password_hash, is_email_verified, language, coalesce(created_at, now()) from given order by position
    on conflict (email) do nothing returning id, email, created_at
  ), roles as (
    insert into user_roles (user_id, role, user_created_at)
    select c.id, g.role, c.created_at from created c join given g using (email)
  ), customers as (${insertProfiles(customer.profile.table, customer.profile.role)}
  ), employees as (${insertProfiles(employee.profile.table, employee.profile.role)}
  )
  select id, email from created`;

export const createImportStore = (database: Database) => ({
  /** The roles of the users who have one of these e-mails. */
  findRoles: async (emails: readonly string[]): Promise<Map<string, string[]>> => {
    const text = `select u.email, ${ROLES_COLUMN} from users u where u.email = any($1)`;
    const users = await query<{ email: string; roles: string[] }>(database, { text, values: [emails] });
    return new Map(users.map(({ email, roles }) => [email, roles]));
  },

  /** Creates accounts with role and profile, except those whose e-mail is known; returns those that were created. */
  insert: async (users: readonly ImportedUser[]): Promise<{ id: string; email: string }[]> => {
    const column = <Name extends keyof ImportedUser>(name: Name) => users.map((user) => user[name]);
    const values = [
      column('email'),
      column('passwordHash'),
      column('isEmailVerified'),
      column('language'),
      column('createdAt'),
      users.map(({ kind }) => KIND_CONFIGS[kind].profile.role),
      column('firstName'),
      column('lastName'),
      column('phone'),
    ];
    // Unnamed: a generic plan would not know how many lines there are.
    return await query(database, { text: INSERT, values });
  },
});
