import type { Origin } from '@platform/shared/audit/audit-trail';
import type { InTransaction } from '../stores.ts';
import { normaliseEmail, type PlatformRole, userNotFound } from './account.ts';

type Dependencies = { inTransaction: InTransaction; requireAllowedDomain: (email: string) => void };

export const createRoleService = ({ inTransaction, requireAllowedDomain }: Dependencies) => ({
  /** Gives an existing user a platform role. @throws AppError DOMAIN_NOT_ALLOWED, USER_NOT_FOUND, PLATFORM_ROLE_TAKEN */
  assignRole: async (given: string, role: PlatformRole, origin: Origin): Promise<void> => {
    const email = normaliseEmail(given);
    requireAllowedDomain(email);
    await inTransaction(async (stores) => {
      const userId = await stores.roles.lockUserByEmail(email);
      if (userId === undefined) throw userNotFound();
      await stores.roles.assign(userId, role);
      await stores.audit.add({
        ...origin,
        action: 'ROLE_ASSIGNED',
        targetType: 'USER',
        targetId: userId,
        details: { role },
      });
    });
  },
});

export type RoleService = ReturnType<typeof createRoleService>;
