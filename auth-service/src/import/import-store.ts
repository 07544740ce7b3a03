import { type Database, query } from '@platform/shared/db/database';
import { ROLES_COLUMN } from '../accounts/account-mapper.ts';
import { KIND_CONFIGS, type ProfileKind } from '../kinds.ts';
import type { ImportedUser, StoredUser } from './import.ts';

const KINDS: readonly ProfileKind[] = ['customer', 'employee'];

export const createImportStore = (database: Database) => ({
  /** The users who have one of these e-mails, by e-mail. */
  findStored: async (emails: readonly string[]): Promise<Map<string, StoredUser>> => {
    const text = `select u.email, u.is_email_verified, u.password_hash, ${ROLES_COLUMN} from users u where u.email = any($1)`;
    const users = await query<StoredUser>(database, { text, values: [emails] });
    return new Map(users.map((user) => [user.email, user]));
  },

  /** Creates accounts with role and profile, except if the e-mail is known; returns the created ones. */
  insert: async <User extends ImportedUser>(
    users: readonly User[],
  ): Promise<(User & { userId: string })[]> => {
    if (users.length === 0) return [];
    const rows = users.map(({ email, passwordHash, isEmailVerified, language, createdAt }) => ({
      email,
      passwordHash,
      isEmailVerified,
      language,
      createdAt,
    }));
    const inserted = await database('users').insert(rows, ['id', 'email']).onConflict('email').ignore();
    const ids = new Map<string, string>(inserted.map(({ id, email }) => [email, id]));
    const created = users.flatMap((user) => {
      const userId = ids.get(user.email);
      return userId === undefined ? [] : [{ ...user, userId }];
    });
    for (const kind of KINDS) {
      const { role, table } = KIND_CONFIGS[kind].profile;
      const ofKind = created.filter((user) => user.kind === kind);
      if (ofKind.length === 0) continue;
      await database('user_roles').insert(
        ofKind.map(({ userId, createdAt: userCreatedAt }) => ({ userId, role, userCreatedAt })),
      );
      await database(table).insert(
        ofKind.map(({ userId, firstName, lastName, phone }) => ({ userId, firstName, lastName, phone })),
      );
    }
    return created;
  },

  /** Without statistics, plans are those of the table before the import, until autovacuum analyzes it. */
  analyze: async (): Promise<void> => {
    await database.raw('analyze users, user_roles, customer_profiles, employee_profiles');
  },
});

export type ImportStore = ReturnType<typeof createImportStore>;
