import { type Database, query } from '@platform/shared/db/database';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import { PROFILE_COLUMNS, type Profile } from '@platform/shared/platform/profile';
import { toNameOf } from '../lists/user-name-scripts.ts';
import type { ListedRow, StoredUserDetail, UserDetail, UserProject, UserWithProfiles } from './user.ts';
import { LATEST_BLOCK, PROFILES, ROLES, USER_COLUMNS } from './user-column-scripts.ts';

/** Part of a left join, so that one statement returns users and profiles. */
const profileColumn = (kind: 'customer' | 'employee', profile: 'c' | 'e'): string => `
  case when ${profile}.id is not null then json_build_object('id', ${profile}.id, 'userId', u.id,
    ${Object.entries(PROFILE_COLUMNS)
      .map(([field, column]) => `'${field}', ${profile}.${column}`)
      .join(', ')},
    'createdAt', ${profile}.created_at, 'updatedAt', ${profile}.updated_at)
  end as ${kind}`;
const PROFILE_BODIES = `${profileColumn('customer', 'c')}, ${profileColumn('employee', 'e')}`;

const FOUND_COLUMNS = `u.id, u.email, u.is_email_verified, u.is_blocked, u.language, u.created_at, u.deleted_at, ${ROLES},
  ${PROFILE_BODIES}`;
const BY_IDS = `
  select ${FOUND_COLUMNS} from unnest($1::uuid[]) with ordinality as asked (id, position)
  join users u on u.id = asked.id ${PROFILES}
  order by asked.position`;
const BY_EMAIL = `select ${FOUND_COLUMNS} from users u ${PROFILES} where u.email = lower($1)`;

const DETAIL = `
  select ${USER_COLUMNS}, u.language, ${PROFILE_BODIES},
    user_has_password(u.id) as has_password,
    (select count(*) from recovery_codes k where k.user_id = u.id)::int as recovery_codes_left
  from users u ${PROFILES} where u.id = $1`;

const PAUSES = `
  select case secret when 'code' then 'email-code' else secret end as secret, max(waits_until) as until
  from failed_guesses
  where (subject = $1::text and scope = 'account' or subject = $2::text and scope = 'email' and secret = 'code')
    and waits_until > now()
  group by secret order by secret`;

const BLOCK = `
  select latest.created_at as at, latest.actor_id as by_id, a.email as by_email, ${toNameOf('latest.actor_id')} as by_name, (
      select n.text from user_notes n
      where n.user_id = u.id and n.author_id = latest.actor_id
        and n.created_at between latest.created_at and latest.created_at + interval '1 minute'
      order by n.created_at, n.id limit 1
    ) as note
  from users u cross join lateral (${LATEST_BLOCK}) latest left join users a on a.id = latest.actor_id where u.id = $1`;

type BlockRow = {
  at: Date;
  byId: string;
  byEmail: string | null;
  byName: string | null;
  note: string | null;
};

type ProfileJson = Omit<Profile, 'createdAt' | 'updatedAt'> & Record<'createdAt' | 'updatedAt', string>;
type UserRow = Omit<UserWithProfiles, 'profile'> & {
  customer: ProfileJson | null;
  employee: ProfileJson | null;
};

type DetailRow = ListedRow &
  Pick<UserDetail, 'language' | 'hasPassword'> &
  Omit<StoredUserDetail['secondFactors'], 'passkeys'> & {
    customer: ProfileJson | null;
    employee: ProfileJson | null;
  };

const toProfile = (profile: ProfileJson | null): Profile | null =>
  profile && {
    ...profile,
    createdAt: new Date(profile.createdAt),
    updatedAt: new Date(profile.updatedAt),
  };

const toFound = ({ customer, employee, ...user }: UserRow): UserWithProfiles => ({
  ...user,
  profile: { customer: toProfile(customer), employee: toProfile(employee) },
});

export const createUserStore = (database: Database) => {
  const listProjects = async (ownerId: string): Promise<UserProject[]> =>
    await database('projects')
      .where({ ownerId })
      .whereNull('deletedAt')
      .select('id', 'title', 'status', 'category', 'createdAt')
      .orderBy([
        { column: 'createdAt', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);
  const listTeams = async (userId: string): Promise<UserDetail['teams']> =>
    await database('team_members as m')
      .join('employee_profiles as e', 'e.id', 'm.employeeId')
      .join('teams as t', 't.id', 'm.teamId')
      .where('e.userId', userId)
      .select('t.id', 't.name', 'm.role', 'm.status')
      .orderBy(['t.name', 't.id']);
  const listIdentities = async (userId: string): Promise<UserDetail['identities']> =>
    await database('identities')
      .where({ userId })
      .select('id', 'provider', 'email', 'linkedAt', 'lastUsedAt')
      .orderBy(['linkedAt', 'provider']);
  const listPasskeys = async (userId: string): Promise<UserDetail['passkeys']> =>
    await database('passkeys')
      .where({ userId })
      .select('id', 'name', 'createdAt', 'lastUsedAt')
      .orderBy(['createdAt', 'id']);
  const findBlock = async (userId: string): Promise<UserDetail['block']> => {
    const [found] = await query<BlockRow>(database, { name: 'block-of-user', text: BLOCK, values: [userId] });
    if (!found) return null;
    const { byId: id, byEmail: email, byName: name, ...block } = found;
    return { ...block, by: { id, email, name } };
  };

  return {
    findDetail: async (id: string): Promise<StoredUserDetail | undefined> => {
      const [user] = await query<DetailRow>(database, { name: 'user-detail', text: DETAIL, values: [id] });
      if (!user) return undefined;
      // One after another, because a transaction has one connection.
      const projects = await listProjects(id);
      const teams = await listTeams(id);
      const passkeys = await listPasskeys(id);
      const identities = await listIdentities(id);
      const block = await findBlock(id);
      const { customer, employee, totp, recoveryCodesLeft, isSecondStepOn, ...fields } = user;
      return {
        ...fields,
        profile: { customer: toProfile(customer), employee: toProfile(employee) },
        secondFactors: { totp, passkeys: passkeys.length, recoveryCodesLeft, isSecondStepOn },
        projects,
        teams,
        passkeys,
        identities,
        block,
      };
    },

    /** `address`: what toPausedAddress returns. */
    listPauses: (id: string, address: string | null): Promise<UserDetail['pauses']> =>
      query(database, { name: 'pauses-of-user', text: PAUSES, values: [id, address] }),

    findName: async (id: string): Promise<string | null> =>
      (
        await database('users as u')
          .where({ id })
          .first(database.raw(`${toNameOf('u.id')} as name`))
      )?.name ?? null,

    /** @throws AppError 404 for an unknown or deleted user */
    requireKept: async (id: string): Promise<{ email: string }> => {
      const kept = await database('users').where({ id, deletedAt: null }).first('email');
      if (!kept) throw userNotFound();
      return kept;
    },

    /** Returns the users in the order of the ids, without unknown ones. */
    listByIds: async (ids: readonly string[]): Promise<UserWithProfiles[]> =>
      (await query<UserRow>(database, { name: 'users-by-ids', text: BY_IDS, values: [ids] })).map(toFound),

    /** The address in any letter case, verified or not. */
    listByEmail: async (email: string): Promise<UserWithProfiles[]> =>
      (await query<UserRow>(database, { name: 'users-by-email', text: BY_EMAIL, values: [email] })).map(
        toFound,
      ),

    setBlocked: async (id: string, isBlocked: boolean): Promise<void> => {
      await database('users').where({ id }).update({ isBlocked, updatedAt: database.fn.now() });
    },
  };
};

export type UserStore = ReturnType<typeof createUserStore>;
