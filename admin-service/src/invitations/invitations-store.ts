import { lockUntilCommit } from '@platform/shared/db/advisory-locks';
import { type Database, query } from '@platform/shared/db/database';
import { PLATFORM_ROLES, type PlatformRole } from '@platform/shared/platform/access/platform-role';
import { toNameOf } from '../lists/user-name-scripts.ts';
import type { Invitation, NewInvitation } from './invitation.ts';

const LIFETIME_DAYS = 7;

type Row = Omit<Invitation, 'invitedBy'> & {
  inviterId: string;
  inviterEmail: string | null;
  inviterName: string | null;
};

type AddedInvitation = { id: string; createdAt: Date; expiresAt: Date } & Pick<Row, 'inviterName'>;

const WAITING = `
  select i.id, i.email, i.role, i.language, i.created_at, i.expires_at,
    u.id as inviter_id, u.email as inviter_email,
    ${toNameOf('u.id')} as inviter_name
  from invitations i join users u on u.id = i.invited_by
  where i.expires_at > now()
  order by i.created_at desc, i.id desc`;

export const createInvitationStore = (database: Database) => ({
  list: async (): Promise<Invitation[]> => {
    const rows = await query<Row>(database, { name: 'waiting-invitations', text: WAITING, values: [] });
    return rows.map(({ inviterId: id, inviterEmail: email, inviterName: name, ...invitation }) => ({
      ...invitation,
      invitedBy: { id, email, name },
    }));
  },

  /** Whether an account with this address is verified or has a platform role. */
  isOwned: async (email: string): Promise<boolean> => {
    const withRole = database('user_roles as r')
      .whereRaw('r.user_id = users.id')
      .whereIn('r.role', [...PLATFORM_ROLES])
      .select('r.userId');
    const owner = await database('users')
      .where({ email })
      .where((either) => either.where({ isEmailVerified: true }).orWhereExists(withRole))
      .first('id');
    return owner !== undefined;
  },

  /** The lock lasts until the transaction ends, so that of two concurrent invitations one replaces the other. */
  lock: (): Promise<void> => lockUntilCommit(database, 'invitations'),

  /** Also deletes the mail, if it still waits. Returns the id of the replaced invitation, if there was one. */
  removeByEmail: async (email: string): Promise<string | undefined> =>
    (await database('invitations').where({ email }).delete(['id']))[0]?.id,

  add: async (invitation: NewInvitation): Promise<AddedInvitation> => {
    const expiresAt = database.raw('now() + make_interval(days => ?)', [LIFETIME_DAYS]);
    const name = database.raw(`${toNameOf('invited_by')} as inviter_name`);
    const [added] = await database('invitations')
      .insert({ ...invitation, expiresAt })
      .returning(['id', 'createdAt', 'expiresAt', name]);
    return added;
  },

  /** Like `removeByEmail`. Undefined if the invitation does not wait. Of concurrent calls, one succeeds. */
  remove: async (id: string): Promise<{ role: PlatformRole; email: string } | undefined> =>
    (
      await database('invitations')
        .where({ id })
        .where('expiresAt', '>', database.fn.now())
        .delete(['role', 'email'])
    )[0],
});

export type InvitationStore = ReturnType<typeof createInvitationStore>;
