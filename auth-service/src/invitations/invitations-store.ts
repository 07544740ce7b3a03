import type { Database } from '@platform/shared/db/database';
import type { Language } from '@platform/shared/http/language';
import { ROLES_COLUMN } from '../accounts/account-mapper.ts';
import type { Invitation, InvitedAccount } from './invitation.ts';

type Inviter = { id: string; email: string; isEmailVerified: boolean; language: Language };

const COLUMNS = ['id', 'email', 'role', 'language', 'invitedBy', 'expiresAt'];

export const createInvitationStore = (database: Database) => ({
  /** `codeHashes`: of one code, with the current and the previous secrets. */
  find: async (codeHashes: readonly string[]): Promise<Invitation | undefined> =>
    await database('invitations')
      .whereIn('codeHash', [...codeHashes])
      .first(COLUMNS),

  /** The account may be of any kind. */
  findAccount: async ({ email }: Invitation): Promise<InvitedAccount | undefined> =>
    await database('users as u')
      .where('u.email', email)
      .first(database.raw(`u.is_email_verified, u.is_blocked, ${ROLES_COLUMN}`)),

  /** Only one of concurrent acceptances, withdrawals and replacements finds the invitation. */
  consume: async ({ id }: Invitation): Promise<boolean> =>
    (await database('invitations').where({ id }).where('expiresAt', '>', database.fn.now()).delete()) === 1,

  /** Undefined if the account was deleted. */
  findInviter: async ({ invitedBy }: Invitation): Promise<Inviter | undefined> =>
    await database('users')
      .where({ id: invitedBy, deletedAt: null })
      .first('id', 'email', 'isEmailVerified', 'language'),
});

export type InvitationStore = ReturnType<typeof createInvitationStore>;
