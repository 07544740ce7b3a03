import { lockUntilCommit } from '../../db/advisory-locks.ts';
import { type Database, query } from '../../db/database.ts';
import type { Language } from '../../http/language.ts';
import type { PlatformRole } from '../access/platform-role.ts';
import { isSecondStepDue } from '../access/second-step.ts';
import { removeTokensOfUser } from '../access/user-tokens.ts';
import type { DeletionRejection, LockedAccount } from './account.ts';

/** The data for a notice of the deletion, and the reason if nothing was deleted. */
type DeletedAccount = {
  email: string;
  isEmailVerified: boolean;
  language: Language;
  timeZone: string | null;
  rejection: DeletionRejection | null;
};

const LOCKED = `u.id, u.email, u.is_email_verified, u.is_blocked, u.language, u.time_zone,
  array(select r.role from user_roles r where r.user_id = u.id order by r.role) as roles`;

/** The facts of a user whose platform role was just removed: no other role can require a second step. */
const SECOND_STEP_FACTS = `u.is_second_step_on, '{}'::text[] as roles,
  exists (select from totp_factors f where f.user_id = u.id and f.enabled_at is not null) as has_totp`;

const REMOVE_INVITATIONS = `
  with removed as (delete from invitations where invited_by = $1 returning id, role, email, expires_at)
  select id, role, email from removed where expires_at > now()`;

/**
 * Changes of accounts that both services and the command line make. Every method requires a transaction, and
 * those that change an account require its lock.
 */
export const createAccountChangeStore = (database: Database) => {
  const lockBy = async (by: { id: string } | { email: string }): Promise<LockedAccount | undefined> => {
    const [locked] = await database('users').where(by).forNoKeyUpdate().select('id');
    // A statement sees the snapshot of its start, so a second statement reads the roles after the wait for
    // the lock.
    return (
      locked &&
      (await database('users as u')
        .where('u.id', locked.id)
        .whereNull('u.deletedAt')
        .first(database.raw(LOCKED)))
    );
  };

  /** The caller changes the role, so sign-ins and pending changes that began before must not complete. */
  const raiseVersion = async (id: string): Promise<void> => {
    await database('users').where({ id }).increment('factorVersion');
  };

  return {
    /**
     * Locks several accounts like `lock`, in the order of their ids, so that transactions that lock the same
     * accounts do not deadlock. Returns those that are not deleted, by id.
     */
    lockAll: async (ids: readonly string[]): Promise<Map<string, LockedAccount>> => {
      const locked = await database('users').whereIn('id', ids).orderBy('id').forNoKeyUpdate().pluck('id');
      // As in `lock`, a second statement sees what the previous holder of the lock has changed.
      const accounts: LockedAccount[] = await database('users as u')
        .whereIn('u.id', locked)
        .whereNull('u.deletedAt')
        .select(database.raw(LOCKED));
      return new Map(accounts.map((account) => [account.id, account]));
    },

    /** Whether the session of the token record is still open. A refresh keeps the record. */
    hasSession: async (userId: string, tokenId: string): Promise<boolean> =>
      (await database('token_records').where({ id: tokenId, userId }).first('id')) !== undefined,

    /**
     * Locks the account until the transaction ends. This serializes blocks, sign-ins, changes of roles and
     * second factors, and deletions. Undefined for a deleted account.
     */
    lock: (id: string): Promise<LockedAccount | undefined> => lockBy({ id }),

    /** Like `lock`. `email` is in lower case. */
    lockByEmail: (email: string): Promise<LockedAccount | undefined> => lockBy({ email }),

    /** The lock lasts until the transaction ends. The registration of the first ADMIN takes it, too. */
    lockAdministrators: (): Promise<void> => lockUntilCommit(database, 'administrators'),

    /** Counts the administrators who are not blocked. */
    countUsableAdministrators: async (): Promise<number> =>
      (
        await database('user_roles as r')
          .join('users as u', 'u.id', 'r.userId')
          .where({ 'r.role': 'ADMIN', 'u.isBlocked': false })
          .select('r.userId')
      ).length,

    addRole: async (userId: string, role: PlatformRole): Promise<void> => {
      const userCreatedAt = database('users').where({ id: userId }).select('createdAt');
      await database('user_roles').insert({ userId, role, userCreatedAt });
      await raiseVersion(userId);
    },

    /**
     * The seconds until the ADMIN has given fewer than this number of platform roles within an hour; 0 if there
     * are fewer now.
     */
    secondsUntilRoleGrant: async (administratorId: string, limit: number): Promise<number> => {
      const text = 'select seconds_until_role_grant($1, $2) as seconds';
      const statement = { name: 'seconds-until-role-grant', text, values: [administratorId, limit] };
      return (await query<{ seconds: number }>(database, statement))[0]?.seconds ?? 0;
    },

    /**
     * Recovery codes go with a second step that only the role required, and contact forms that are assigned to an
     * ADMIN are nobody's again.
     */
    removeRole: async (userId: string, role: PlatformRole): Promise<void> => {
      await database('user_roles').where({ userId, role }).delete();
      const facts = await database('users as u').where('u.id', userId).first(database.raw(SECOND_STEP_FACTS));
      if (role === 'ADMIN')
        for (const forms of ['lead_requests', 'support_requests'])
          await database(forms).where({ assigneeId: userId }).update({ assigneeId: null });
      if (!isSecondStepDue(facts, [])) await database('recovery_codes').where({ userId }).delete();
      await raiseVersion(userId);
    },

    /**
     * Deletes the invitations that the user has sent and nobody has accepted, with their waiting mails. Returns
     * those that had not expired.
     */
    removeInvitations: (userId: string): Promise<{ id: string; role: PlatformRole; email: string }[]> =>
      query(database, { name: 'remove-invitations-of-inviter', text: REMOVE_INVITATIONS, values: [userId] }),

    /** Returns how many sessions were signed in. */
    removeTokens: (userId: string): Promise<number> => removeTokensOfUser(database, userId),

    /**
     * The e-mail can be used again afterwards. Undefined if the account was already deleted.
     * @param causedBy the cause that the events name
     */
    delete: async (id: string, causedBy: string): Promise<DeletedAccount | undefined> =>
      await database('users')
        .where({ id })
        .whereNull('deletedAt')
        .first(
          'email',
          'isEmailVerified',
          'language',
          'timeZone',
          database.raw('delete_account(id, ?) as rejection', [causedBy]),
        ),
  };
};

export type AccountChangeStore = ReturnType<typeof createAccountChangeStore>;
