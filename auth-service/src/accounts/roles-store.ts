import { type Database, isUniqueViolation } from '@platform/shared/db/database';
import { type PlatformRole, platformRoleTaken } from './account.ts';

export const createRoleStore = (database: Database) => ({
  /** Locks the user until the transaction ends, so that a new ADMIN and a block come one after another. */
  lockUserByEmail: async (email: string): Promise<{ id: string; isEmailVerified: boolean } | undefined> => {
    const [user] = await database.query<{ id: string; isEmailVerified: boolean }>({
      name: 'lock-user-by-email',
      text: 'select id, is_email_verified from users where email = $1 for no key update',
      values: [email],
    });
    return user;
  },

  /** @throws AppError 409 PLATFORM_ROLE_TAKEN: the data store allows one platform role for a user */
  assign: async (userId: string, role: PlatformRole): Promise<void> => {
    try {
      await database.query({
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
