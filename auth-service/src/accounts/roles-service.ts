import type { Origin } from '@platform/shared/audit/audit-trail';
import type { InTransaction } from '../stores.ts';
import { emailNotVerified, normaliseEmail, type PlatformRole, userNotFound } from './account.ts';

type Dependencies = { inTransaction: InTransaction; requireAllowedDomain: (email: string) => void };

export const createRoleService = ({ inTransaction, requireAllowedDomain }: Dependencies) => ({
  /**
   * Gives an existing user a platform role. The address must be verified: a sign-up proves no mailbox, so anybody could
   * have taken the address of a future administrator.
   * @throws AppError DOMAIN_NOT_ALLOWED, USER_NOT_FOUND, EMAIL_NOT_VERIFIED, PLATFORM_ROLE_TAKEN
   */
  assignRole: async (given: string, role: PlatformRole, origin: Origin): Promise<void> => {
    const email = normaliseEmail(given);
    requireAllowedDomain(email);
    await inTransaction(async (stores) => {
      const user = await stores.roles.lockUserByEmail(email);
      if (!user) throw userNotFound();
      if (!user.isEmailVerified) throw emailNotVerified();
      await stores.roles.assign(user.id, role);
      await stores.audit.add({
        ...origin,
        action: 'ROLE_ASSIGNED',
        targetType: 'USER',
        targetId: user.id,
        details: { role },
      });
    });
  },
});

export type RoleService = ReturnType<typeof createRoleService>;
